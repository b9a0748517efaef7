"""Counts what every X client is told of a new owner of the clipboard, or of new content of the old one. libXfixes through
ctypes."""

import ctypes

import xclient

SET_OWNER = 1       # XFixesSetSelectionOwnerNotifyMask
EVENT_SIZE = 192


class OwnerChanges(xclient.Client):
    """From its making on."""

    def __init__(self, display):
        super().__init__(display)
        fixes = ctypes.CDLL("libXfixes.so.3")
        fixes.XFixesQueryExtension.argtypes = [ctypes.c_void_p, ctypes.POINTER(ctypes.c_int), ctypes.POINTER(ctypes.c_int)]
        fixes.XFixesSelectSelectionInput.argtypes = [ctypes.c_void_p] + [ctypes.c_ulong] * 3
        fixes.XFixesQueryExtension(self.display, ctypes.byref(ctypes.c_int()), ctypes.byref(ctypes.c_int()))
        fixes.XFixesSelectSelectionInput(self.display, self.root, self.atom("CLIPBOARD"), SET_OWNER)
        self.lib.XPending.argtypes = [ctypes.c_void_p]
        self.lib.XSync(self.display, False)
        self.seen = 0

    def count(self):
        self.lib.XSync(self.display, False)
        while self.lib.XPending(self.display):
            self.lib.XNextEvent(self.display, ctypes.create_string_buffer(EVENT_SIZE))
            self.seen += 1
        return self.seen
