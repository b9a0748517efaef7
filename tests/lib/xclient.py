"""A bare X client for tests: windows as no toolkit would make them. libX11 through ctypes.

    with Client(env["DISPLAY"]) as client:
        window = client.window("a title")
        client.destroy(window)

    xclient.py TITLE        a window that does not close when it is asked to, and prints "asked"
"""

import contextlib
import ctypes
import ctypes.util
import os
import select
import sys
import time

PROP_REPLACE = 0
XA_ATOM, XA_CARDINAL, XA_STRING, XA_WINDOW = 4, 6, 31, 33


class Attributes(ctypes.Structure):
    _fields_ = [("background_pixmap", ctypes.c_ulong), ("background_pixel", ctypes.c_ulong),
                ("border_pixmap", ctypes.c_ulong), ("border_pixel", ctypes.c_ulong),
                ("bit_gravity", ctypes.c_int), ("win_gravity", ctypes.c_int), ("backing_store", ctypes.c_int),
                ("backing_planes", ctypes.c_ulong), ("backing_pixel", ctypes.c_ulong), ("save_under", ctypes.c_int),
                ("event_mask", ctypes.c_long), ("do_not_propagate_mask", ctypes.c_long),
                ("override_redirect", ctypes.c_int), ("colormap", ctypes.c_ulong), ("cursor", ctypes.c_ulong)]


class Message(ctypes.Structure):
    """What XConfigureEvent and XClientMessageEvent begin with, and the items of a message; room for any event."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("window", ctypes.c_ulong), ("kind", ctypes.c_ulong), ("format", ctypes.c_int), ("data", ctypes.c_long * 5),
                ("room", ctypes.c_char * 160)]


class Sizes(ctypes.Structure):
    """ConfigureNotify. ConfigureRequest, which goes on, has the window's parent in place of `event`."""
    _fields_ = [("type", ctypes.c_int), ("serial", ctypes.c_ulong), ("sent", ctypes.c_int), ("display", ctypes.c_void_p),
                ("event", ctypes.c_ulong), ("window", ctypes.c_ulong), ("x", ctypes.c_int), ("y", ctypes.c_int),
                ("width", ctypes.c_int), ("height", ctypes.c_int), ("border", ctypes.c_int), ("above", ctypes.c_ulong),
                ("detail", ctypes.c_int), ("mask", ctypes.c_ulong)]


CW_OVERRIDE_REDIRECT = 1 << 9
CLIENT_MESSAGE = 33
SHAPE_INPUT = 2


def load():
    lib = ctypes.CDLL(ctypes.util.find_library("X11") or "libX11.so.6")
    for name, result, arguments in (
            ("XOpenDisplay", ctypes.c_void_p, [ctypes.c_char_p]),
            ("XDefaultRootWindow", ctypes.c_ulong, [ctypes.c_void_p]),
            ("XCreateSimpleWindow", ctypes.c_ulong, [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 +
             [ctypes.c_uint] * 3 + [ctypes.c_ulong] * 2),
            ("XInternAtom", ctypes.c_ulong, [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_int]),
            ("XChangeProperty", ctypes.c_int, [ctypes.c_void_p] + [ctypes.c_ulong] * 3 + [ctypes.c_int] * 2 +
             [ctypes.c_void_p, ctypes.c_int]),
            ("XChangeWindowAttributes", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_ulong,
                                                       ctypes.POINTER(Attributes)]),
            ("XMapWindow", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong]),
            ("XDestroyWindow", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong]),
            ("XSetWMProtocols", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.POINTER(ctypes.c_ulong),
                                               ctypes.c_int]),
            ("XNextEvent", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
            ("XPending", ctypes.c_int, [ctypes.c_void_p]),
            ("XConnectionNumber", ctypes.c_int, [ctypes.c_void_p]),
            ("XSelectInput", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_long]),
            ("XSendEvent", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_long, ctypes.c_void_p]),
            ("XConfigureWindow", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_uint, ctypes.c_void_p]),
            ("XResizeWindow", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_uint, ctypes.c_uint]),
            ("XMoveResizeWindow", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 2 + [ctypes.c_uint] * 2),
            ("XGrabServer", ctypes.c_int, [ctypes.c_void_p]),
            ("XUngrabServer", ctypes.c_int, [ctypes.c_void_p]),
            ("XQueryKeymap", ctypes.c_int, [ctypes.c_void_p, ctypes.c_char_p]),
            ("XGrabPointer", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_uint] +
             [ctypes.c_int] * 2 + [ctypes.c_ulong] * 3),
            ("XUngrabPointer", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong]),
            ("XGrabKeyboard", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong] + [ctypes.c_int] * 3 + [ctypes.c_ulong]),
            ("XUngrabKeyboard", ctypes.c_int, [ctypes.c_void_p, ctypes.c_ulong]),
            ("XAutoRepeatOff", ctypes.c_int, [ctypes.c_void_p]),
            ("XSync", ctypes.c_int, [ctypes.c_void_p, ctypes.c_int]),
            ("XCloseDisplay", ctypes.c_int, [ctypes.c_void_p])):
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


class Client(contextlib.AbstractContextManager):
    def __init__(self, display):
        self.lib = load()
        self.display = self.lib.XOpenDisplay(display.encode())
        if not self.display:
            raise OSError(f"the display {display} cannot be opened")
        self.root = self.lib.XDefaultRootWindow(self.display)
        self.windows = set()

    def __exit__(self, *_):
        self.lib.XCloseDisplay(self.display)

    def atom(self, name):
        return self.lib.XInternAtom(self.display, name.encode(), False)

    def bytes_property(self, window, name, kind, data):
        self.lib.XChangeProperty(self.display, window, self.atom(name), kind, 8, PROP_REPLACE, data, len(data))

    def retitle(self, window, title):
        self.bytes_property(window, "_NET_WM_NAME", self.atom("UTF8_STRING"), title.encode())
        self.lib.XSync(self.display, False)

    def window(self, title, *, at=(40, 40, 200, 100), popup=False, asked_to_close=False, kind=None,
               colour=0xFFFFFF, mapped=True, name="Bare", owner=None):
        """Maps one; the title is text or raw bytes. Its application is this process or `owner`, called "Bare" or else.

        One that is not `asked_to_close` ends its program when a window manager closes it."""
        x, y, width, height = at
        window = self.lib.XCreateSimpleWindow(self.display, self.root, x, y, width, height, 0, 0, colour)
        if popup:
            wanted = Attributes(override_redirect=1)
            self.lib.XChangeWindowAttributes(self.display, window, CW_OVERRIDE_REDIRECT, ctypes.byref(wanted))
        data = title if isinstance(title, bytes) else title.encode()
        self.bytes_property(window, "_NET_WM_NAME", self.atom("UTF8_STRING"), data)
        self.bytes_property(window, "WM_CLASS", XA_STRING, f"bare\0{name}\0".encode())
        pid = (ctypes.c_ulong * 1)(owner or os.getpid())
        self.lib.XChangeProperty(self.display, window, self.atom("_NET_WM_PID"), XA_CARDINAL, 32, PROP_REPLACE, pid, 1)
        if kind:                            # "SPLASH"
            atom = (ctypes.c_ulong * 1)(self.atom(f"_NET_WM_WINDOW_TYPE_{kind}"))
            self.lib.XChangeProperty(self.display, window, self.atom("_NET_WM_WINDOW_TYPE"), XA_ATOM, 32, PROP_REPLACE,
                                     atom, 1)
        if asked_to_close:                  # before others can see it
            atom = (ctypes.c_ulong * 1)(self.atom("WM_DELETE_WINDOW"))
            self.lib.XSetWMProtocols(self.display, window, atom, 1)
        self.windows.add(window)
        if mapped:
            self.map(window)
        self.lib.XSync(self.display, False)
        return window

    def map(self, window):
        self.lib.XMapWindow(self.display, window)
        self.lib.XSync(self.display, False)

    def numbers_property(self, window, name, kind, numbers):
        items = (ctypes.c_ulong * len(numbers))(*numbers)
        self.lib.XChangeProperty(self.display, window, self.atom(name), kind, 32, PROP_REPLACE, items, len(numbers))
        self.lib.XSync(self.display, False)

    def let_clicks_through(self, window):
        """As an overlay that only shows something."""
        xext = ctypes.CDLL(ctypes.util.find_library("Xext") or "libXext.so.6")
        xext.XShapeCombineRectangles.argtypes = [ctypes.c_void_p, ctypes.c_ulong, ctypes.c_int, ctypes.c_int, ctypes.c_int,
                                                 ctypes.c_void_p, ctypes.c_int, ctypes.c_int, ctypes.c_int]
        xext.XShapeCombineRectangles(self.display, window, SHAPE_INPUT, 0, 0, None, 0, 0, 0)
        self.lib.XSync(self.display, False)

    def destroy(self, window):
        self.windows.discard(window)
        self.lib.XDestroyWindow(self.display, window)
        self.lib.XSync(self.display, False)

    def freeze_pointer(self):
        """The server keeps what the pointer does until let_go(), as some window managers have it do at a click."""
        self._grab(self.lib.XGrabPointer(self.display, self.root, False, 4, 0, 1, 0, 0, 0))

    def grab_pointer(self, window):
        """And not the keyboard, as Chromium's menus do."""
        self._grab(self.lib.XGrabPointer(self.display, window, False, 4, 1, 1, 0, 0, 0))

    def grab_keyboard(self, window):
        """As menus do."""
        self._grab(self.lib.XGrabKeyboard(self.display, window, False, 1, 1, 0))

    @contextlib.contextmanager
    def locked_server(self):
        """The server serves this client alone, as GTK 3 has it do for a moment at a click."""
        self.lib.XGrabServer(self.display)
        self.lib.XSync(self.display, False)
        try:
            yield
        finally:
            self.lib.XUngrabServer(self.display)
            self.lib.XSync(self.display, False)

    def _grab(self, status):
        if status != 0:
            raise OSError(f"a grab was refused: {status}")
        self.lib.XSync(self.display, False)

    def let_go(self):
        self.lib.XUngrabPointer(self.display, 0)
        self.lib.XUngrabKeyboard(self.display, 0)
        self.lib.XSync(self.display, False)

    def end_repetition(self):
        """Keys that are held down are pressed once, on this server from now on."""
        self.lib.XAutoRepeatOff(self.display)
        self.lib.XSync(self.display, False)

    def keys_down(self):
        """How many keys the server takes for pressed."""
        bits = ctypes.create_string_buffer(32)
        self.lib.XQueryKeymap(self.display, bits)
        return sum(bin(byte).count("1") for byte in bits.raw)

    def destroy_all(self):
        for window in sorted(self.windows):
            self.destroy(window)

    def next_event(self, event, until=None, other=None):
        """Fills a structure with the next event; False: none has come until that time of the clock, or before there is
        something to be read from the other descriptor."""
        ours = self.lib.XConnectionNumber(self.display)
        while (until is not None or other is not None) and not self.lib.XPending(self.display):
            left = None if until is None else max(0, until - time.monotonic())
            if ours not in select.select([ours] if other is None else [ours, other], [], [], left)[0]:
                return False
        self.lib.XNextEvent(self.display, ctypes.cast(ctypes.byref(event), ctypes.c_char_p))
        return True

    def refuse_to_close(self):
        """Says so each time that it is asked; does not return."""
        event = ctypes.create_string_buffer(256)
        while True:
            self.lib.XNextEvent(self.display, event)
            if ctypes.c_int.from_buffer(event).value == CLIENT_MESSAGE:
                print("asked", flush=True)


def main():
    with Client(os.environ["DISPLAY"]) as client:
        client.window(sys.argv[1], asked_to_close=True)
        client.refuse_to_close()


if __name__ == "__main__":
    main()
