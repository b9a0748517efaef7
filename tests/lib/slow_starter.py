"""An application that takes its time to start, as offices do.

    slow_starter.py splash SECONDS TITLE    a splash screen, then a window of another process
    slow_starter.py unsaid SECONDS TITLE    the same, of a splash screen that does not say that it is one
    slow_starter.py brief TIMES TITLE       such screens, each gone after some milliseconds, then the window
    slow_starter.py bare TITLE              a window that looks like that, and stays
    slow_starter.py deaf TITLE              a window that takes no request to close
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


def frameless(client, title):
    """Without a frame, and of one size."""
    window = client.window(title, at=(300, 300, 300, 100), mapped=False)
    client.numbers_property(window, "_MOTIF_WM_HINTS", client.atom("_MOTIF_WM_HINTS"), [2, 0, 0, 0, 0])
    client.numbers_property(window, "WM_NORMAL_HINTS", client.atom("WM_SIZE_HINTS"),
                            [16 | 32, 0, 0, 0, 0, 300, 100, 300, 100, *[0] * 9])
    client.map(window)


def unsaid(seconds, title):
    with xclient.Client(os.environ["DISPLAY"]) as client:
        frameless(client, "starting " + title)
        time.sleep(float(seconds))
        client.destroy_all()
    subprocess.run([sys.executable, __file__, "window", title], check=False)


def brief(times, title):
    with xclient.Client(os.environ["DISPLAY"]) as client:
        for turn in range(int(times)):
            frameless(client, "starting " + title)
            time.sleep(turn % 10 / 500)
            client.destroy_all()
    show(title)


def bare(title):
    with xclient.Client(os.environ["DISPLAY"]) as client:
        frameless(client, title)
        time.sleep(600)


def deaf(title):
    with xclient.Client(os.environ["DISPLAY"]) as client:
        client.window(title)
        time.sleep(600)


def ask(fifo, title):
    with open(fifo, "w", encoding="utf-8") as pipe:
        pipe.write(title + "\n")


{"splash": splash, "unsaid": unsaid, "brief": brief, "bare": bare, "deaf": deaf, "window": show, "ask": ask}[sys.argv[1]](*sys.argv[2:])
