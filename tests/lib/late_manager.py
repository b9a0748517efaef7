"""A window manager that sets a window's state at once, and the size that goes with it 0.1 seconds later. It grants all else.

    late_manager.py     prints "managing" when it does
"""

import ctypes
import os
import time

import xclient

LATE = 0.1
DESTROY_NOTIFY, MAP_REQUEST, CONFIGURE_REQUEST = 17, 20, 23
SUBSTRUCTURE = (1 << 19) | (1 << 20)    # Notify and Redirect
NORMAL = 1                              # WM_STATE
WHOLE = (0, 0, 900, 700)
STATES = ("_NET_WM_STATE_MAXIMIZED_VERT", "_NET_WM_STATE_MAXIMIZED_HORZ", "_NET_WM_STATE_FULLSCREEN")


class Changes(ctypes.Structure):
    """XWindowChanges."""
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("border", ctypes.c_int), ("above", ctypes.c_ulong), ("detail", ctypes.c_int)]


class Manager:
    def __init__(self, client):
        self.client, self.lib, self.display = client, client.lib, client.display
        self.windows, self.places, self.due = [], {}, None      # due: (time, window, place)
        self.lib.XSelectInput(self.display, client.root, SUBSTRUCTURE)
        mark = client.window("late_manager", at=(-20, -20, 1, 1), popup=True, mapped=False)
        for window in (client.root, mark):
            client.numbers_property(window, "_NET_SUPPORTING_WM_CHECK", xclient.XA_WINDOW, [mark])
        client.numbers_property(client.root, "_NET_SUPPORTED", xclient.XA_ATOM,
                                [client.atom(name) for name in ("_NET_WM_STATE", *STATES)])
        self.tell_windows()

    def tell_windows(self):
        self.client.numbers_property(self.client.root, "_NET_CLIENT_LIST", xclient.XA_WINDOW, self.windows)

    def manage(self, window):
        self.windows.append(window)
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
        self.due = (time.monotonic() + LATE, window, WHOLE if add else self.places[window])

    def serve(self):
        event = xclient.Message()
        while True:
            if not self.client.next_event(event, self.due and self.due[0]):
                self.lib.XMoveResizeWindow(self.display, self.due[1], *self.due[2])
                self.lib.XSync(self.display, False)
                self.due = None
                continue
            sizes = ctypes.cast(ctypes.byref(event), ctypes.POINTER(xclient.Sizes)).contents
            if event.type == MAP_REQUEST:
                self.manage(sizes.window)
            elif event.type == DESTROY_NOTIFY:
                self.forget(sizes.window)
            elif event.type == CONFIGURE_REQUEST:
                self.configure(sizes)
            elif event.type == xclient.CLIENT_MESSAGE and event.kind == self.client.atom("_NET_WM_STATE"):
                self.set_state(event.window, event)


def main():
    with xclient.Client(os.environ["DISPLAY"]) as client:
        manager = Manager(client)
        print("managing", flush=True)
        manager.serve()


main()
