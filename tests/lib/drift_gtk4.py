#!/usr/bin/python3
"""The order form of drift_form.py in GTK 4: drift_gtk4.py PLAN"""

import os
import sys

import gi

gi.require_version("Gtk", "4.0")
from gi.repository import Gdk, GLib, Gtk    # noqa: E402  (the version has to be said before)

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from drift_form import Form                 # noqa: E402


class Window(Gtk.Window):
    def __init__(self, form):
        super().__init__(title=form.plan["title"])
        self.form, names = form, form.names
        box, rows, self.said = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4), Gtk.ListBox(), Gtk.Label(label="nothing added")
        for key in ("name", "mail"):
            label, field = Gtk.Label(label=names[key]), Gtk.Entry()
            label.set_mnemonic_widget(field)
            field.connect("changed", lambda entry, key=key: form.wrote(key, entry.get_text()))
            box.append(label)
            box.append(field)
        for row in form.rows:
            line = Gtk.Box(spacing=8)
            line.append(Gtk.Label(label=row))
            line.append(self.button(names["add"], f"Add {row}", lambda row=row: self.said.set_label(f"added {row}")))
            rows.append(line)
        box.append(rows)
        for name in form.plan["more"]:
            box.append(self.button(name, name))
        box.append(self.button(names["remove"], "Remove"))
        box.append(self.button(names["send"], "Send", lambda: self.set_title(form.title_when_sent())))
        box.append(self.said)
        self.set_child(box)

    def button(self, text, name, effect=None):
        made = Gtk.Button(label=text)

        def pressed(_):
            self.form.note(press=name)
            if effect:
                GLib.timeout_add(self.form.plan["delay"], lambda: effect() and False)
        made.connect("clicked", pressed)
        return made


def themed(points):
    style = Gtk.CssProvider()
    style.load_from_data(f"* {{ font-size: {points}pt; color: #fd0; background: #222 }}".encode())
    Gtk.StyleContext.add_provider_for_display(Gdk.Display.get_default(), style, Gtk.STYLE_PROVIDER_PRIORITY_USER)


def tip(form, window):
    dialog, box = Gtk.Window(title=form.names["tip"], transient_for=window, modal=True), Gtk.Box(orientation=Gtk.Orientation.VERTICAL)
    made = window.button(form.names["ok"], "OK", dialog.destroy)
    box.append(Gtk.Label(label=form.names["tip"]))
    box.append(made)
    dialog.set_child(box)
    dialog.present()


def main():
    form, loop = Form(sys.argv[1]), GLib.MainLoop()
    GLib.set_prgname("driftgtk")
    GLib.set_application_name("Drift GTK")
    Gtk.init()
    if form.plan["font"]:
        themed(form.plan["font"])
    window = Window(form)
    window.connect("close-request", lambda _: loop.quit())
    window.present()
    if form.plan["tip"]:
        tip(form, window)
    loop.run()


main()
