#!/usr/bin/env python3
"""A window with a text view: noting_window.py FILE TITLE. The file has its text, after each change."""

import os
import sys

import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk      # noqa: E402

window, view = Gtk.Window(title=sys.argv[2]), Gtk.TextView()
window.add(view)
window.set_default_size(600, 400)
window.move(100, 100)


def note(text_buffer):
    with open(sys.argv[1] + ".new", "w", encoding="utf-8") as file:
        file.write(text_buffer.get_text(*text_buffer.get_bounds(), True))
    os.replace(sys.argv[1] + ".new", sys.argv[1])     # nobody reads half of it


view.get_buffer().connect("changed", note)
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
