#!/usr/bin/python3
"""A window of GTK 3 with fields that do what fields do: fields_window.py TITLE FILE

It keeps FILE a JSON object of what they hold: "plain", "cut" (5 characters at most), "password" (3 at most), "upper"
(makes capitals of what is typed), "lines", "late" (takes a key 60 ms after it was pressed), "fixed" (read-only), "completed"
("hello" becomes "hello world") and "brackets" (an opening one gets a closing one, and "teh " becomes "the "). The fields lie
below each other, 40 points each.
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


def completed():
    words = Gtk.ListStore(str)
    words.append(["hello world"])
    completion = Gtk.EntryCompletion(model=words, inline_completion=True, popup_completion=False)
    completion.set_text_column(0)
    return Gtk.Entry(completion=completion)


class Brackets(Gtk.Entry):
    def __init__(self):
        super().__init__()
        self.connect("changed", self.correct)

    def correct(self, _):
        text, caret = self.get_text(), self.get_position()
        if text.count("(") > text.count(")"):
            self.insert_text(")", text.index("(") + 1)
        elif "teh " in text:
            self.set_text(text.replace("teh ", "the "))
            self.set_position(caret)


class Fields(Gtk.Window):
    def __init__(self, title, path):
        super().__init__(title=title, default_width=400)
        self.path = path
        self.fields = {
            "plain": Gtk.Entry(), "cut": Gtk.Entry(max_length=5), "password": Gtk.Entry(max_length=3, visibility=False),
            "upper": Gtk.Entry(), "lines": Gtk.TextView(), "late": Late(),
            "fixed": Gtk.Entry(text="fixed", editable=False), "completed": completed(), "brackets": Brackets()}
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
