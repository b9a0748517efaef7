"""A program that answers at once, and whose popup comes 0.1 seconds after a click, as if another process had to be asked.

    late_popup.py TITLE CLASS SECONDS    the popup is open for so long; 0: there is none
"""

import ctypes
import os
import sys
import time

import xclient

LATE = 0.1
BUTTON_PRESS = 4
MASK = 1 | 1 << 2                           # KeyPress, ButtonPress
SUBSTRUCTURE = (1 << 19) | (1 << 20)


class Window:
    def __init__(self, client, title, name, seconds):
        self.client, self.name, self.seconds = client, name, seconds
        self.window = client.window(title, at=(100, 100, 300, 200), mapped=False, name=name)
        client.lib.XSelectInput(client.display, self.window, MASK)
        client.numbers_property(self.window, "WM_PROTOCOLS", xclient.XA_ATOM, [client.atom("_NET_WM_PING")])
        client.map(self.window)
        self.popup, self.due = None, None    # the time when it comes or goes

    def turn(self):
        if self.popup:
            self.client.destroy(self.popup)
            self.popup = self.due = None
        else:
            self.popup = self.client.window("", at=(500, 400, 100, 80), popup=True, name=self.name)
            self.due = time.monotonic() + self.seconds

    def serve(self):
        client, event = self.client, xclient.Message()
        while True:
            if not client.next_event(event, self.due):
                self.turn()
            elif event.type == BUTTON_PRESS and self.seconds and not self.due:
                self.due = time.monotonic() + LATE
            elif event.type == xclient.CLIENT_MESSAGE and event.data[0] == client.atom("_NET_WM_PING"):
                event.window = client.root
                client.lib.XSendEvent(client.display, client.root, False, SUBSTRUCTURE, ctypes.byref(event))


def main():
    title, name, seconds = sys.argv[1:]
    with xclient.Client(os.environ["DISPLAY"]) as client:
        Window(client, title, name, float(seconds)).serve()


main()
