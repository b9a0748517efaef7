#!/usr/bin/env python3
"""A window whose text is selected and may be dragged away: ways_source.py FILE. It shows what the file has, as soon as that changes."""

import sys

import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gio, Gtk      # noqa: E402

window, view = Gtk.Window(title="A page"), Gtk.TextView(wrap_mode=Gtk.WrapMode.WORD_CHAR)
window.add(view)
window.set_default_size(500, 120)
window.move(20, 20)
file = Gio.File.new_for_path(sys.argv[1])
monitor = file.monitor_file(Gio.FileMonitorFlags.NONE, None)


def show(*_):
    text = file.load_contents(None)[1].decode()
    text_buffer = view.get_buffer()
    text_buffer.set_text(text)
    text_buffer.select_range(*text_buffer.get_bounds())
    window.set_title("A page " + text.partition("/")[2])


monitor.connect("changed", show)
show()
window.connect("destroy", Gtk.main_quit)
window.show_all()
Gtk.main()
