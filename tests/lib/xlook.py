"""The X server's own view of windows, asked by a client that has nothing to do with Perigee.

    look = Look(env["DISPLAY"])
    look.order()             windows on the root window, bottom first
    look.frame(window)       the outermost window around it, and where that is
"""

import contextlib
import ctypes

import xclient

SUBSTRUCTURE_REDIRECT = 1 << 20
VIEWABLE = 2
LONG_MAX = 4096


class WindowAttributes(ctypes.Structure):
    _fields_ = [("x", ctypes.c_int), ("y", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
                ("border_width", ctypes.c_int), ("depth", ctypes.c_int), ("visual", ctypes.c_void_p),
                ("root", ctypes.c_ulong), ("class_", ctypes.c_int), ("bit_gravity", ctypes.c_int),
                ("win_gravity", ctypes.c_int), ("backing_store", ctypes.c_int), ("backing_planes", ctypes.c_ulong),
                ("backing_pixel", ctypes.c_ulong), ("save_under", ctypes.c_int), ("colormap", ctypes.c_ulong),
                ("map_installed", ctypes.c_int), ("map_state", ctypes.c_int), ("all_event_masks", ctypes.c_long),
                ("your_event_mask", ctypes.c_long), ("do_not_propagate_mask", ctypes.c_long),
                ("override_redirect", ctypes.c_int), ("screen", ctypes.c_void_p)]


ERROR_HANDLER = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)
_ignore = ERROR_HANDLER(lambda _display, _event: 0)      # a window may go at any moment


class Look(contextlib.AbstractContextManager):
    def __init__(self, display):
        self.lib = xclient.load()
        number, words = ctypes.c_ulong, ctypes.POINTER(ctypes.c_ulong)
        for name, arguments in (
                ("XQueryTree", [ctypes.c_void_p, number, words, words, ctypes.POINTER(words),
                                ctypes.POINTER(ctypes.c_uint)]),
                ("XGetWindowAttributes", [ctypes.c_void_p, number, ctypes.POINTER(WindowAttributes)]),
                ("XGetInputFocus", [ctypes.c_void_p, words, ctypes.POINTER(ctypes.c_int)]),
                ("XTranslateCoordinates", [ctypes.c_void_p, number, number, ctypes.c_int, ctypes.c_int,
                                           ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int), words]),
                ("XGetWindowProperty", [ctypes.c_void_p, number, number, ctypes.c_long, ctypes.c_long, ctypes.c_int,
                                        number, words, ctypes.POINTER(ctypes.c_int), words, words,
                                        ctypes.POINTER(words)]),
                ("XFree", [ctypes.c_void_p]), ("XSetErrorHandler", [ERROR_HANDLER])):
            getattr(self.lib, name).argtypes = arguments
        self.lib.XSetErrorHandler(_ignore)
        self.display = self.lib.XOpenDisplay(display.encode())
        if not self.display:
            raise OSError(f"the display {display} cannot be opened")
        self.root = self.lib.XDefaultRootWindow(self.display)

    def __exit__(self, *_):
        self.lib.XCloseDisplay(self.display)

    def attributes(self, window):
        """None: there is no such window."""
        out = WindowAttributes()
        return out if self.lib.XGetWindowAttributes(self.display, window, ctypes.byref(out)) else None

    def managed(self):
        """Does a window manager run?"""
        return bool(self.attributes(self.root).all_event_masks & SUBSTRUCTURE_REDIRECT)

    def tree(self, window):
        """(parent, children bottom first); (0, []) of one that is gone."""
        root, parent, count = ctypes.c_ulong(), ctypes.c_ulong(), ctypes.c_uint()
        children = ctypes.POINTER(ctypes.c_ulong)()
        if not self.lib.XQueryTree(self.display, window, ctypes.byref(root), ctypes.byref(parent),
                                   ctypes.byref(children), ctypes.byref(count)):
            return 0, []
        below = children[:count.value] if count.value else []
        if children:
            self.lib.XFree(children)
        return parent.value, below

    def order(self):
        return self.tree(self.root)[1]

    def outer(self, window):
        """The window on the root window that holds this one."""
        while True:
            parent = self.tree(window)[0]
            if parent in (0, self.root):
                return window
            window = parent

    def corner(self, window):
        """Where the inside of a window begins on the root window."""
        x, y, child = ctypes.c_int(), ctypes.c_int(), ctypes.c_ulong()
        self.lib.XTranslateCoordinates(self.display, window, self.root, 0, 0, ctypes.byref(x), ctypes.byref(y),
                                       ctypes.byref(child))
        return x.value, y.value

    def content(self, window):
        """(x, y, width, height) of a window, without any border."""
        a = self.attributes(window)
        return (*self.corner(window), a.width, a.height) if a else None

    def whole(self, window):
        """(x, y, width, height) of the outermost window, its border counted."""
        a = self.attributes(self.outer(window))
        return a and (a.x, a.y, a.width + 2 * a.border_width, a.height + 2 * a.border_width)

    def viewable(self, window):
        a = self.attributes(window)
        return bool(a) and a.map_state == VIEWABLE

    def focus(self):
        """The window with the keyboard; 0 none, 1 the one under the pointer."""
        window, revert = ctypes.c_ulong(), ctypes.c_int()
        self.lib.XGetInputFocus(self.display, ctypes.byref(window), ctypes.byref(revert))
        return window.value

    def longs(self, window, name):
        """The items of a property of 32 bits each."""
        atom = self.lib.XInternAtom(self.display, name.encode(), False)
        kind, size, count, left = ctypes.c_ulong(), ctypes.c_int(), ctypes.c_ulong(), ctypes.c_ulong()
        data = ctypes.POINTER(ctypes.c_ulong)()
        self.lib.XGetWindowProperty(self.display, window, atom, 0, LONG_MAX, False, 0, ctypes.byref(kind),
                                    ctypes.byref(size), ctypes.byref(count), ctypes.byref(left), ctypes.byref(data))
        items = data[:count.value] if data and size.value == 32 else []
        if data:
            self.lib.XFree(data)
        return items

    def speaks_ewmh(self):
        check = self.longs(self.root, "_NET_SUPPORTING_WM_CHECK")
        return bool(check) and self.longs(check[0], "_NET_SUPPORTING_WM_CHECK") == check

    def has_focus(self, window):
        """Do keys go to this window or to one in it? Managers may also give the focus to a window of the frame."""
        at = self.focus()
        while at > 1 and at != self.root:
            if at == window:
                return True
            at = self.tree(at)[0]
        return False
