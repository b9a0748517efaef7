#!/usr/bin/python3
"""A form as people have to fill in: form.py FILE. Every "Add" appends a row to FILE as CSV and empties the form."""

import csv
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import Gtk  # noqa: E402  (the version has to be said before)

FIELDS = ["Name", "Street", "City", "Guests", "Note"]


class Form(Gtk.Window):
    def __init__(self, path):
        super().__init__(title="Guests", default_width=420)
        self.path = path
        grid = Gtk.Grid(row_spacing=6, column_spacing=12, border_width=12)
        self.entries = []
        for row, name in enumerate(FIELDS):
            entry = Gtk.Entry(hexpand=True, activates_default=True)
            grid.attach(Gtk.Label(label=name, xalign=0), 0, row, 1, 1)
            grid.attach(entry, 1, row, 1, 1)
            self.entries.append(entry)
        add = Gtk.Button(label="Add", can_default=True, halign=Gtk.Align.END)
        add.get_style_context().add_class("suggested-action")      # blue
        add.connect("clicked", self.added)
        grid.attach(add, 1, len(FIELDS), 1, 1)
        self.add(grid)
        self.set_default(add)
        self.connect("destroy", Gtk.main_quit)

    def added(self, *_):
        with open(self.path, "a", newline="", encoding="utf-8") as file:
            csv.writer(file).writerow([entry.get_text() for entry in self.entries])
        for entry in self.entries:
            entry.set_text("")
        self.entries[0].grab_focus()


Form(sys.argv[1]).show_all()
Gtk.main()
