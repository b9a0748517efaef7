#!/usr/bin/python3
"""A GTK 3 window with a hundred thousand widgets, all of them shown: 100 boxes, of 10 boxes each, of 100 labels each.

The numbers can be given instead: huge_tree.py 10 10 25. Prints a line when it is shown. Run with the system's Python, which
has GTK.
"""

import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402  (after its version)

SHAPE = tuple(map(int, sys.argv[1:])) or (100, 10, 100)


def filled(shape):
    """All at the same place: a label that is scrolled away would not count as shown."""
    box = Gtk.Fixed()
    for n in range(shape[0]):
        box.put(filled(shape[1:]) if len(shape) > 1 else Gtk.Label(label=f"label {n}"), 0, 0)
    return box


def main():
    window = Gtk.Window(title="huge")
    window.add(filled(SHAPE))
    window.connect("destroy", Gtk.main_quit)
    window.show_all()
    GLib.idle_add(print, "shown", priority=GLib.PRIORITY_LOW)
    Gtk.main()


main()
