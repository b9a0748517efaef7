"""An application that takes its time to start, as offices do.

    slow_starter.py splash SECONDS TITLE    a splash screen, then a window of another process
    slow_starter.py window TITLE            the window
    slow_starter.py ask FIFO TITLE          asks a server behind the fifo to show it, and ends
"""

import os
import subprocess
import sys
import time

import xclient


def show(title):
    with xclient.Client(os.environ["DISPLAY"]) as client:
        client.window(title, asked_to_close=True)
        time.sleep(600)


def splash(seconds, title):
    with xclient.Client(os.environ["DISPLAY"]) as client:
        client.window("starting " + title, at=(300, 300, 300, 100), kind="SPLASH")
        time.sleep(float(seconds))
        client.destroy_all()
    subprocess.run([sys.executable, __file__, "window", title], check=False)


def ask(fifo, title):
    with open(fifo, "w", encoding="utf-8") as pipe:
        pipe.write(title + "\n")


{"splash": splash, "window": show, "ask": ask}[sys.argv[1]](*sys.argv[2:])
