"""A program that runs once: further starts hand a request over to the instance that runs, and end.

    single_instance.py run FIFO TITLE   the instance, with a window
    single_instance.py WHAT FIFO        hands over: the instance shows a dialog of the name WHAT, or none for "nothing", when it
                                        is asked next whether it responds, and before it answers

It does so at once for "prompt", and for "busy" only after longer than any wait without a sign of life.
"""

import ctypes
import os
import select
import sys
import time

import xclient

BUSY = 1.5
SUBSTRUCTURE = (1 << 19) | (1 << 20)


class Instance:
    def __init__(self, client, fifo, title):
        self.client, self.wanted = client, ""
        self.requests = os.open(fifo, os.O_RDWR)    # also open for writing: its end never comes
        window = client.window(title, mapped=False, name="Single")
        client.numbers_property(window, "WM_PROTOCOLS", xclient.XA_ATOM,
                                [client.atom(name) for name in ("_NET_WM_PING", "WM_DELETE_WINDOW")])
        client.map(window)

    def take_request(self):
        if select.select([self.requests], [], [], 0)[0]:
            self.wanted = os.read(self.requests, 100).decode().strip()

    def show(self):
        if self.wanted == "busy":
            time.sleep(BUSY)
        if self.wanted not in ("", "nothing"):
            self.client.window(self.wanted, at=(300, 300, 200, 100), kind="DIALOG", asked_to_close=True, name="Single")
        self.wanted = ""

    def serve(self):
        client, event = self.client, xclient.Message()
        while True:
            if not client.next_event(event, other=self.requests):
                self.take_request()
            elif event.type == xclient.CLIENT_MESSAGE and event.data[0] == client.atom("WM_DELETE_WINDOW"):
                client.destroy(event.window)
            elif event.type == xclient.CLIENT_MESSAGE and event.data[0] == client.atom("_NET_WM_PING"):
                self.take_request()
                self.show()
                event.window = client.root
                client.lib.XSendEvent(client.display, client.root, False, SUBSTRUCTURE, ctypes.byref(event))
                client.lib.XSync(client.display, False)


def main():
    what, fifo = sys.argv[1:3]
    if what == "run":
        with xclient.Client(os.environ["DISPLAY"]) as client:
            Instance(client, fifo, sys.argv[3]).serve()
    with open(fifo, "w", encoding="utf-8") as pipe:
        pipe.write(what + "\n")


main()
