#!/usr/bin/python3
"""A window of GTK 3 that a test draws: argv is the path of its log and the program that makes it. `Gtk`, `GLib` and `log` are
there for that; log(what) writes a line."""

import sys

import gi

gi.require_version("Gtk", "3.0")

from gi.repository import GLib, Gtk     # noqa: E402

LOG, PROGRAM = sys.argv[1:]


def log(what):
    with open(LOG, "a", encoding="utf-8") as file:
        file.write(f"{what}\n")


exec(PROGRAM, {"Gtk": Gtk, "GLib": GLib, "log": log})     # pylint: disable=exec-used
Gtk.main()
