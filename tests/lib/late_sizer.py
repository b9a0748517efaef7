"""A program that has its own mind about the size of its window, and takes its time to say so.

    late_sizer.py pings TITLE    it answers pings, after what it makes of its size
    late_sizer.py deaf TITLE     it does not, and computes meanwhile

It makes its window at least 300 points high, 150 milliseconds after it has got another size.
"""

import ctypes
import os
import sys
import time

import xclient

LEAST = 300
LATE = 0.15
CONFIGURE_NOTIFY = 22
STRUCTURE, SUBSTRUCTURE = 1 << 17, (1 << 19) | (1 << 20)
CW_EVENT_MASK = 1 << 11


class Event(ctypes.Structure):
    """What XConfigureEvent and XClientMessageEvent begin with, and their items."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                ("room", ctypes.c_char * 160)]


class Sizes(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("event", ctypes.c_ulong), ("window", ctypes.c_ulong), ("x", ctypes.c_int), ("y", ctypes.c_int),
                ("width", ctypes.c_int), ("height", ctypes.c_int)]


def compute():
    end = time.monotonic() + LATE
    while time.monotonic() < end:
        pass


def serve(client, window, delay):
    lib, event = client.lib, Event()
    lib.XResizeWindow.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_uint, ctypes.c_uint]
    lib.XSendEvent.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]
    while True:
        lib.XNextEvent(client.display, ctypes.cast(ctypes.byref(event), ctypes.c_char_p))
        if event.type == CONFIGURE_NOTIFY:
            size = ctypes.cast(ctypes.byref(event), ctypes.POINTER(Sizes)).contents
            if size.height < LEAST:
                delay()
                lib.XResizeWindow(client.display, window, size.width, LEAST)
        elif event.type == xclient.CLIENT_MESSAGE and event.data[0] == client.atom("_NET_WM_PING"):
            event.window = client.root
            lib.XSendEvent(client.display, client.root, False, SUBSTRUCTURE, ctypes.byref(event))


def main():
    how, title = sys.argv[1:]
    with xclient.Client(os.environ["DISPLAY"]) as client:
        window = client.window(title, at=(40, 40, 400, LEAST + 100), mapped=False)
        wanted = xclient.Attributes(event_mask=STRUCTURE)
        client.lib.XChangeWindowAttributes(client.display, window, CW_EVENT_MASK, ctypes.byref(wanted))
        if how == "pings":
            client.numbers_property(window, "WM_PROTOCOLS", xclient.XA_ATOM, [client.atom("_NET_WM_PING")])
        client.map(window)
        serve(client, window, compute if how == "deaf" else lambda: time.sleep(LATE))


main()
