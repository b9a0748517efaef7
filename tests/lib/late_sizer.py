"""A program that has its own mind about the size of its window, and takes its time to say so.

    late_sizer.py pings TITLE    it answers pings, after what it makes of its size
    late_sizer.py deaf TITLE     it does not, and computes meanwhile
    late_sizer.py frames TITLE   it answers them at once, and its size comes with its next frame, as GTK's does
    late_sizer.py threads TITLE  it answers them at once, and a thread of it computes meanwhile
    late_sizer.py shadow TITLE   it answers them at once, takes any size, and draws a shadow unless it is wide

Else it makes its window at least 300 points high, 150 milliseconds after it has got another size; or 20, a frame.
"""

import ctypes
import hashlib
import os
import sys
import threading
import time

import xclient

LEAST = 300
LATE, FRAME = 0.15, 0.02
SHADOW, WIDE = 60, 900
CONFIGURE_NOTIFY = 22
STRUCTURE, SUBSTRUCTURE = 1 << 17, (1 << 19) | (1 << 20)


def compute():
    """Beside what else there is to do: hashlib works without Python's lock."""
    end = time.monotonic() + LATE
    while time.monotonic() < end:
        hashlib.pbkdf2_hmac("sha256", b"a", b"b", 10000)


class Sizer:
    def __init__(self, client, window, how):
        self.client, self.window, self.how = client, window, how
        self.width, self.shadow, self.frame = 0, None, None   # the time of the next frame
        self.done = os.pipe()               # a thread writes to it when it has computed

    def draw(self):
        self.client.lib.XResizeWindow(self.client.display, self.window, self.width, LEAST)
        self.frame = None

    def draw_shadow(self, shadow):
        if shadow != self.shadow:
            self.client.numbers_property(self.window, "_GTK_FRAME_EXTENTS", xclient.XA_CARDINAL, [shadow] * 4)
        self.shadow = shadow

    def take_size(self, size):
        self.width = size.width
        if self.how == "shadow":
            self.draw_shadow(0 if size.width >= WIDE else SHADOW)
            return
        if size.height >= LEAST:
            return
        if self.how == "frames":
            self.frame = time.monotonic() + FRAME
            return
        if self.how == "threads":
            threading.Thread(target=self.work).start()
            return
        compute() if self.how == "deaf" else time.sleep(LATE)
        self.draw()

    def work(self):
        compute()
        os.write(self.done[1], b".")

    def take_turn(self):
        if self.how == "threads":
            os.read(self.done[0], 1)
        self.draw()

    def serve(self):
        client, event = self.client, xclient.Message()
        while True:
            if not client.next_event(event, self.frame, self.done[0]):
                self.take_turn()
            elif event.type == CONFIGURE_NOTIFY:
                self.take_size(ctypes.cast(ctypes.byref(event), ctypes.POINTER(xclient.Sizes)).contents)
            elif event.type == xclient.CLIENT_MESSAGE and event.data[0] == client.atom("_NET_WM_PING"):
                event.window = client.root
                client.lib.XSendEvent(client.display, client.root, False, SUBSTRUCTURE, ctypes.byref(event))


def main():
    how, title = sys.argv[1:]
    with xclient.Client(os.environ["DISPLAY"]) as client:
        window = client.window(title, at=(40, 40, 400, LEAST + 100), mapped=False)
        client.lib.XSelectInput(client.display, window, STRUCTURE)
        if how != "deaf":
            client.numbers_property(window, "WM_PROTOCOLS", xclient.XA_ATOM, [client.atom("_NET_WM_PING")])
        sizer = Sizer(client, window, how)
        if how == "shadow":
            sizer.draw_shadow(SHADOW)
        client.map(window)
        sizer.serve()


main()
