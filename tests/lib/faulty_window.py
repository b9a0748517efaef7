#!/usr/bin/python3
"""A window of GTK 3 whose buttons fail as real ones do: faulty_window.py TITLE LOG

Each line of LOG is what happened, as JSON: {"what": "clicked", "who": "plain"}. Commands come as lines on the standard
input, and each is logged when it is done:

    move              the button "Move" goes elsewhere, and "Wrong" takes its place
    remake            both buttons "Twin" are made again
    sense off|on      the button "Sense"
    hang SECONDS      nothing is answered for so long, from now on
    hang_next SECONDS as soon as "Hang" is clicked, which then is swallowed
    tick off|on       a label, a bar, an entry and a check box change 20 times a second by themselves
    later WHAT MS     in so many milliseconds "dialog" opens one, "check" switches a check box, "row" adds a row
    rows              the rows that were added go
    ping              only the answer
"""

import json
import os
import sys
import time

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402  (the version has to be said before)

NAMES = {"plain": "Apply", "swallow": "Swallow", "sense": "Sense", "hang": "Hang", "die": "Die", "quiet": "Quiet",
         "veto": "Veto", "control": "Con\x1b[31mtrol\x07 \u2028key", "right": "\u202eevil\u202c שמור", "wide": "幅" * 400,
         "twin1": "Twin", "twin2": "Twin", "move": "Move", "wrong": "Wrong"}
PLACES = ((10, 10), (10, 60))


class Faulty(Gtk.Window):
    def __init__(self, title, log):
        super().__init__(title=title, default_width=560, default_height=420)
        self.log = open(log, "a", buffering=1, encoding="utf-8")
        self.hang_next = 0
        self.dialog = None
        self.ticking = 0
        column = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=4)
        self.count = Gtk.Entry(text="0")
        grid = Gtk.Grid(column_spacing=4, row_spacing=4)
        self.buttons = {who: self.button(who) for who in NAMES}
        for i, who in enumerate(("plain", "swallow", "sense", "hang", "die", "quiet", "control", "right")):
            grid.attach(self.buttons[who], i % 4, i // 4, 1, 1)
        self.veto = Gtk.CheckButton(label=NAMES["veto"])
        self.veto.connect("toggled", self.toggled)
        grid.attach(self.veto, 0, 2, 1, 1)
        self.buttons["wide"].get_child().set_ellipsize(3)
        self.buttons["wide"].set_size_request(100, -1)
        grid.attach(self.buttons["wide"], 1, 2, 1, 1)
        self.twins = Gtk.Box(spacing=4)
        self.fixed = Gtk.Fixed(height_request=110)
        for who, place in zip(("move", "wrong"), PLACES):
            self.fixed.put(self.buttons[who], *place)
        self.clock, self.bar = Gtk.Label(label="clock"), Gtk.ProgressBar()
        self.ticked, self.checks = Gtk.Entry(text="ticks"), Gtk.CheckButton(label="By itself")
        self.alone = Gtk.CheckButton(label="Alone")
        self.rows = Gtk.ListBox()
        for row in (self.count, grid, self.twins, self.fixed, self.clock, self.bar, self.ticked, self.checks, self.alone, self.rows):
            column.pack_start(row, False, False, 0)
        self.put_twins()
        self.add(column)
        self.connect("destroy", Gtk.main_quit)
        GLib.io_add_watch(sys.stdin, GLib.PRIORITY_DEFAULT, GLib.IOCondition.IN | GLib.IOCondition.HUP, self.command)

    def button(self, who):
        button = Gtk.Button(label=NAMES[who])
        button.connect("clicked", self.clicked, who)
        return button

    def put_twins(self):
        for old in self.twins.get_children():
            old.destroy()
        for who in ("twin1", "twin2"):
            button = self.button(who)
            self.twins.pack_start(button, False, False, 0)
            button.show()

    def say(self, what, **more):
        self.log.write(json.dumps({"what": what, **more}) + "\n")

    # --- what the buttons do ------------------------------------------------------------------

    def clicked(self, _, who):
        if who in ("swallow", "quiet"):
            self.say("swallowed", at=time.monotonic())
            return
        if who == "hang" and self.hang_next:
            seconds, self.hang_next = self.hang_next, 0
            time.sleep(seconds)
            return
        self.say("clicked", who=who)
        if who == "die":
            os._exit(3)
        self.count.set_text(str(int(self.count.get_text()) + 1))

    def toggled(self, box):
        """It does not stay on."""
        if box.get_active():
            GLib.idle_add(box.set_active, False)

    # --- commands ----------------------------------------------------------------------------

    def command(self, *_):
        line = sys.stdin.readline()
        if not line:
            Gtk.main_quit()
            return False
        word, *rest = line.split()
        getattr(self, "do_" + word)(*rest)
        self.say("done", who=word)
        return True

    def do_ping(self):
        pass

    def do_move(self):
        """Whatever lies where it was found is another one."""
        where = self.fixed.child_get_property(self.buttons["move"], "y")
        first, second = PLACES if where == PLACES[1][1] else PLACES[::-1]
        self.fixed.move(self.buttons["move"], *first)
        self.fixed.move(self.buttons["wrong"], *second)

    def do_remake(self):
        self.put_twins()

    def do_sense(self, on):
        self.buttons["sense"].set_sensitive(on == "on")

    def do_hang(self, seconds):
        GLib.idle_add(time.sleep, float(seconds), priority=GLib.PRIORITY_HIGH)

    def do_hang_next(self, seconds):
        self.hang_next = float(seconds)

    def do_tick(self, on):
        if self.ticking:
            GLib.source_remove(self.ticking)
        self.ticking = GLib.timeout_add(50, self.tick) if on == "on" else 0

    def tick(self):
        now = str(time.monotonic())
        self.clock.set_text(now)
        self.ticked.set_text(now)
        self.bar.set_fraction(time.monotonic() % 1)
        self.checks.set_active(not self.checks.get_active())
        return True

    def do_later(self, what, ms):
        GLib.timeout_add(int(ms), getattr(self, "later_" + what))

    def later_dialog(self):
        if self.dialog:
            self.dialog.destroy()
        self.dialog = Gtk.MessageDialog(transient_for=self, text="Updates are available", title="Updates")
        self.dialog.add_button("Close", 1)
        self.dialog.connect("response", lambda dialog, _: dialog.destroy())
        self.dialog.show_all()
        self.say("came", at=time.monotonic())

    def later_check(self):
        self.alone.set_active(not self.alone.get_active())
        self.say("came", at=time.monotonic())

    def later_row(self):
        self.rows.add(Gtk.Label(label=f"row {len(self.rows.get_children())}", visible=True))
        self.rows.show_all()
        self.say("came", at=time.monotonic())

    def do_rows(self):
        for row in self.rows.get_children():
            row.destroy()
        if self.dialog:
            self.dialog.destroy()
            self.dialog = None


if __name__ == "__main__":
    Faulty(*sys.argv[1:3]).show_all()
    Gtk.main()
