#!/usr/bin/python3
"""A window of GTK 3 with fields that do what fields do: fields_window.py TITLE FILE

It keeps FILE a JSON object of what they hold: "plain", "cut" (5 characters at most), "password" (3 at most), "upper"
(makes capitals of what is typed), "lines" and "late" (takes a key 60 ms after it was pressed). The fields lie below each other, 40 points each.
"""

import json
import os
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402  (the version has to be said before)

HEIGHT = 40
LATE_MS = 60


class Late(Gtk.Entry):
    def __init__(self):
        super().__init__()
        self.connect("key-press-event", self.pressed)

    def pressed(self, _, event):
        if not event.string.isprintable() or not event.string:
            return False
        GLib.timeout_add(LATE_MS, self.take, event.string)
        return True

    def take(self, text):
        self.emit("insert-at-cursor", text)
        return False


class Fields(Gtk.Window):
    def __init__(self, title, path):
        super().__init__(title=title, default_width=400)
        self.path = path
        self.fields = {
            "plain": Gtk.Entry(), "cut": Gtk.Entry(max_length=5), "password": Gtk.Entry(max_length=3, visibility=False),
            "upper": Gtk.Entry(), "lines": Gtk.TextView(), "late": Late()}
        box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
        for field in self.fields.values():
            field.set_size_request(-1, HEIGHT)
            box.pack_start(field, False, False, 0)
            (field.get_buffer() if isinstance(field, Gtk.TextView) else field).connect("changed", self.changed)
        self.add(box)
        self.connect("destroy", Gtk.main_quit)
        self.changed()

    def changed(self, *_):
        upper = self.fields["upper"]
        if upper.get_text() != upper.get_text().upper():
            upper.set_text(upper.get_text().upper())
            upper.set_position(-1)
        lines = self.fields["lines"].get_buffer()
        held = {name: field.get_text() for name, field in self.fields.items() if name != "lines"}
        held["lines"] = lines.get_text(*lines.get_bounds(), True)
        with open(self.path + ".new", "w", encoding="utf-8") as file:
            json.dump(held, file)
        os.replace(self.path + ".new", self.path)


if __name__ == "__main__":
    Fields(*sys.argv[1:3]).show_all()
    Gtk.main()
