#!/usr/bin/env python3
"""Owns the clipboard of $DISPLAY as old and odd applications do, until it is killed.

    bare_owner.py TARGET TYPE HEX [--targets]

Answers a request for TARGET with the bytes of type TYPE, and refuses everything else, TARGETS too unless told. TARGET "-"
refuses all. Prints "owns" when it is the owner. Needs libX11, by ctypes."""

import ctypes
import sys

X = ctypes.CDLL("libX11.so.6")
for function in ("XOpenDisplay", "XDefaultRootWindow", "XCreateSimpleWindow", "XInternAtom", "XGetSelectionOwner"):
    getattr(X, function).restype = ctypes.c_void_p if function == "XOpenDisplay" else ctypes.c_ulong
REQUEST, NOTIFY, ATOM, REPLACE = 30, 31, 4, 0


class Selection(ctypes.Structure):
    """XSelectionRequestEvent; XSelectionEvent is the same without `owner`."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("send_event", ctypes.c_int), ("display", ctypes.c_void_p),
                ("owner", ctypes.c_ulong), ("requestor", ctypes.c_ulong), ("selection", ctypes.c_ulong),
                ("target", ctypes.c_ulong), ("property", ctypes.c_ulong), ("time", ctypes.c_ulong)]


class Notice(ctypes.Structure):
    _fields_ = [field for field in Selection._fields_ if field[0] != "owner"]


class Event(ctypes.Union):
    _fields_ = [("type", ctypes.c_int), ("request", Selection), ("notice", Notice), ("room", ctypes.c_long * 24)]


def main():
    target, kind, data = sys.argv[1], sys.argv[2], bytes.fromhex(sys.argv[3])
    display = ctypes.c_void_p(X.XOpenDisplay(None))
    root = ctypes.c_ulong(X.XDefaultRootWindow(display))
    window = ctypes.c_ulong(X.XCreateSimpleWindow(display, root, 0, 0, 9, 9, 0, ctypes.c_ulong(0), ctypes.c_ulong(0)))

    def atom(name):
        return ctypes.c_ulong(X.XInternAtom(display, name.encode(), 0))

    X.XSetSelectionOwner(display, atom("CLIPBOARD"), window, ctypes.c_ulong(0))
    X.XSync(display, 0)
    print("owns", flush=True)
    event = Event()
    while True:
        X.XNextEvent(display, ctypes.byref(event))
        if event.type != REQUEST:
            continue
        asked, place = event.request.target, event.request.property
        to = ctypes.c_ulong(event.request.requestor)
        if asked == atom(target).value:
            X.XChangeProperty(display, to, ctypes.c_ulong(place), atom(kind), 8, REPLACE, data, len(data))
        elif asked == atom("TARGETS").value and "--targets" in sys.argv:
            X.XChangeProperty(display, to, ctypes.c_ulong(place), ctypes.c_ulong(ATOM), 32, REPLACE,
                              (ctypes.c_ulong * 2)(asked, atom(target).value), 2)
        else:
            place = 0
        answer = Event()
        answer.notice = Notice(NOTIFY, 0, 1, display, to, event.request.selection, asked, place, event.request.time)
        X.XSendEvent(display, to, 0, ctypes.c_long(0), ctypes.byref(answer))
        X.XFlush(display)


main()
