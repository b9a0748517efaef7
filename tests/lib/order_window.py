#!/usr/bin/python3
"""A window of GTK 3 with a form that is sent again and again: order_window.py FILE

"Send" adds a line of JSON to FILE ("name", "password", "size", "gift"), clears the form, and names the order in the window's
title: "sent Ada". "About" opens a dialog with one button.
"""

import json
import sys

import gi

gi.require_version("Gdk", "3.0")
gi.require_version("Gtk", "3.0")
from gi.repository import Gdk, GLib, Gtk  # noqa: E402  (the version has to be said before)

SIZES = ("Small", "Medium", "Large")


class Orders(Gtk.Window):
    def __init__(self, path):
        super().__init__(title="Order form", default_width=420)
        self.path = path
        self.name, self.password = Gtk.Entry(), Gtk.Entry(visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD)
        self.size, self.gift = Gtk.ComboBoxText(), Gtk.CheckButton(label="Gift")
        send, about = Gtk.Button(label="Send"), Gtk.Button(label="About")
        for size in SIZES:
            self.size.append_text(size)
        grid = Gtk.Grid(row_spacing=6, column_spacing=6, margin=12)
        for row, (text, part) in enumerate((("Name", self.name), ("Password", self.password), ("Size", self.size))):
            label = Gtk.Label(label=text)
            label.set_mnemonic_widget(part)
            grid.attach(label, 0, row, 1, 1)
            grid.attach(part, 1, row, 1, 1)
        for row, part in enumerate((self.gift, send, about), 3):
            grid.attach(part, 1, row, 1, 1)
        send.connect("clicked", self.send)
        about.connect("clicked", self.tell)
        self.add(grid)
        self.clear()
        self.connect("destroy", Gtk.main_quit)

    def clear(self):
        self.name.set_text("")
        self.password.set_text("")
        self.size.set_active(0)
        self.gift.set_active(False)

    def send(self, _):
        held = {"name": self.name.get_text(), "password": self.password.get_text(), "size": self.size.get_active_text(),
                "gift": self.gift.get_active()}
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(held) + "\n")
        self.set_title(f"sent {held['name']}")
        self.clear()

    def tell(self, _):
        dialog = Gtk.MessageDialog(transient_for=self, modal=True, buttons=Gtk.ButtonsType.OK, text="Orders 1.0", title="About orders")
        dialog.run()
        dialog.destroy()


if __name__ == "__main__":
    GLib.set_prgname("orders")
    Gdk.set_program_class("Orders")
    Orders(sys.argv[1]).show_all()
    Gtk.main()
