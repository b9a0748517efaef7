"""A window manager that sets a window's state at once, and a size of the window late. It grants all else.

    late_manager.py           the size that goes with the state comes 0.1 seconds later
    late_manager.py shadows   the size is for the shadow that there is; the one for another shadow comes 0.1 seconds after that

It prints "managing" when it does.
"""

import ctypes
import os
import sys
import time

import xclient

LATE = 0.1
SHADOW = 60                             # of late_sizer.py's windows, on each side
DESTROY_NOTIFY, MAP_REQUEST, CONFIGURE_REQUEST, PROPERTY_NOTIFY = 17, 20, 23, 28
PROPERTIES = 1 << 22
SUBSTRUCTURE = (1 << 19) | (1 << 20)    # Notify and Redirect
NORMAL = 1                              # WM_STATE
WHOLE = (0, 0, 900, 700)
STATES = ("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_FULLSCREEN")


class Changes(ctypes.Structure):
    """XWindowChanges."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("border", ctypes.c_int), ("above", ctypes.c_ulong), ("detail", ctypes.c_int)]


def grown(place, by):
    x, y, width, height = place
    return x - by, y - by, width + 2 * by, height + 2 * by


class Manager:
    def __init__(self, client, shadows):
        self.client, self.lib, self.display = client, client.lib, client.display
        self.windows, self.places, self.due = [], {}, None      # due: (time, window, place)
        self.shadows, self.whole = shadows, set()
        self.lib.XSelectInput(self.display, client.root, SUBSTRUCTURE)
        mark = client.window("late_manager", at=(-20, -20, 1, 1), popup=True, mapped=False)
        for window in (client.root, mark):
            client.numbers_property(window, "_NET_SUPPORTING_WM_CHECK", xclient.XA_WINDOW, [mark])
        client.numbers_property(client.root, "_NET_SUPPORTED", xclient.XA_ATOM,
                                [client.atom(name) for name in ("_NET_WM_STATE", "_GTK_FRAME_EXTENTS", *STATES)])
        self.tell_windows()

    def tell_windows(self):
        self.client.numbers_property(self.client.root, "_NET_CLIENT_LIST", xclient.XA_WINDOW, self.windows)

    def manage(self, window):
        self.windows.append(window)
        self.lib.XSelectInput(self.display, window, PROPERTIES)
        self.client.numbers_property(window, "WM_STATE", self.client.atom("WM_STATE"), [NORMAL, 0])
        self.client.map(window)
        self.tell_windows()

    def forget(self, window):
        if window in self.windows:
            self.windows.remove(window)
            self.tell_windows()

    def configure(self, asked):
        changes = Changes(asked.x, asked.y, asked.width, asked.height, asked.border, asked.above, asked.detail)
        self.lib.XConfigureWindow(self.display, asked.window, asked.mask, ctypes.byref(changes))
        self.lib.XSync(self.display, False)
        if asked.window in self.windows:
            self.places[asked.window] = (asked.x, asked.y, asked.width, asked.height)

    def set_state(self, window, message):
        add = message.data[0] == 1
        states = [state for state in message.data[1:3] if state] if add else []
        self.client.numbers_property(window, "_NET_WM_STATE", xclient.XA_ATOM, states)
        (self.whole.add if add else self.whole.discard)(window)
        if self.shadows:
            self.place(window, grown(self.wanted(window), SHADOW if add else -SHADOW))
        else:
            self.due = (time.monotonic() + LATE, window, self.wanted(window))

    def wanted(self, window):
        return WHOLE if window in self.whole else self.places[window]

    def place(self, window, place):
        self.lib.XMoveResizeWindow(self.display, window, *place)
        self.lib.XSync(self.display, False)

    def serve(self):
        event = xclient.Message()
        while True:
            if not self.client.next_event(event, self.due and self.due[0]):
                self.place(*self.due[1:])
                self.due = None
                continue
            sizes = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xclient.Sizes)).contents
            if event.type == MAP_REQUEST:
                self.manage(sizes.window)
            elif event.type == DESTROY_NOTIFY:
                self.forget(sizes.window)
            elif event.type == CONFIGURE_REQUEST:
                self.configure(sizes)
            elif self.shadows and event.type == PROPERTY_NOTIFY and event.kind == self.client.atom("_GTK_FRAME_EXTENTS"):
                self.due = (time.monotonic() + LATE, event.window, self.wanted(event.window))
            elif event.type == xclient.CLIENT_MESSAGE and event.kind == self.client.atom("_NET_WM_STATE"):
                self.set_state(event.window, event)


def main():
    with xclient.Client(os.environ["DISPLAY"]) as client:
        manager = Manager(client, sys.argv[1:] == ["shadows"])
        print("managing", flush=True)
        manager.serve()


main()
