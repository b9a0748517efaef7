#!/usr/bin/env python3
"""Input into applications that take it in their own way. tests/wide has those that are too large for every machine."""

import contextlib
import os
import shutil
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications            # noqa: E402
import desktop as desktops     # noqa: E402
from applications import copied, copy, stopped  # noqa: E402
from owner_changes import OwnerChanges     # noqa: E402
from tap import Skip, note     # noqa: E402
from tools import has, run, same, still, until  # noqa: E402

NEEDED = ("Xvfb", "openbox", "dbus-daemon", "xclip")
FOREIGN = "Привет 世界 😀"


def tk_is_pasted_into(tools, desktop):
    """It leaves what it has read where it was, and answers no ping: once "not taken" was said of what was there."""
    with applications.tk(tools, desktop) as tk:
        for field in ("entry", "field"):
            copy(desktop, "of the user")
            tk.click(field)
            result = tools("create_input", action="paste", text=FOREIGN)
            same((result["settled"], result["clipboard"]), (False, "restored"))
            has(result["evidence"], "read the text")
            until(lambda where=field: tk.holds()[where] == FOREIGN, f"the text in the {field}")
            same(copied(desktop), "of the user")
        tk.click("field")
        tools("create_input", action="keys", keys="ctrl+a")
        lines = f"{FOREIGN}\n\tsecond Привет ひらがな 한국어 שלום ąćęłńóśźż\nthird"
        tools("create_input", action="type", text=lines)
        still(lambda: tk.holds()["field"])
        has(tk.holds()["field"], lines)


LATER = 6   # seconds: more than one may take to read once more who has read


def tk_stopped_for_a_while(tools, desktop):
    """It answers no ping. "Not taken" was said, and then it went on and pasted: after a second try it had the text twice. An
    application that was slower still pasted the text that the user had copied."""
    for seconds in (0, LATER):
        with applications.tk(tools, desktop, f"stopped {seconds}") as tk:
            copy(desktop, "of the user")
            tk.click("field")
            pid = int(tk.window.split("/")[1])      # applications/42/windows/3
            with stopped(desktop, pid):
                said = tools.fails("PASTE_UNKNOWN", "create_input", action="paste", text=FOREIGN)
                has(said, "does not tell whether it still will")
                time.sleep(seconds)
                same(copied(desktop), "of the user")
            until(lambda of=tk: of.holds()["field"], "what is pasted late")
            same(still(lambda of=tk: of.holds()["field"]), FOREIGN)


BUTTON = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window = Gtk.Window(title="only a button", default_width=300, default_height=200)
window.add(Gtk.Button(label="a button"))
window.show_all()
Gtk.main()
"""


def a_window_without_a_field(tools, desktop):
    """It answers pings after the key, and does not ask for the text: that is known."""
    path = desktop.folder / "button.py"
    path.write_text(BUTTON, encoding="utf-8")
    with applications.program(desktop, "/usr/bin/python3", str(path)):
        tools("focus_window", name=applications.window_of(tools, "only a button")["name"])
        copy(desktop, "of the user")
        has(tools.fails("PASTE_NOT_TAKEN", "create_input", action="paste", text="for nobody"), "did not read the text")
        same(copied(desktop), "of the user")


def reads_once_more(tk):
    """Asks it to read the clipboard again, and returns the text that it read."""
    count = len(tk.holds()["reads"])
    tk.path.with_name(tk.path.name + ".read").touch()
    until(lambda: len(tk.holds()["reads"]) > count, "another read")
    return tk.holds()["reads"][-1]


@contextlib.contextmanager
def pasted_into_a_late_reader(tools, desktop, user):
    """The reader once it has read twice, and the changes of the clipboard since before the paste."""
    if user:
        copy(desktop, user)
    else:
        tools("clear_clipboard")
    with applications.tk(tools, desktop, f"a late reader {len(user)}", "--reads-late") as tk, \
         OwnerChanges(desktop.env["DISPLAY"]) as changes:
        tk.click("field")
        same(tools("create_input", action="paste", text=FOREIGN)["clipboard"], "restored" if user else "was empty")
        until(lambda: len(tk.holds()["reads"]) == 2, "two reads")
        yield tk, changes


def who_reads_again_gets_the_same(tools, desktop):
    """It gets the same at once and late, but not after a click, which ends the paste."""
    for user in ("of the user", ""):
        with pasted_into_a_late_reader(tools, desktop, user) as (tk, _):
            same(reads_once_more(tk), FOREIGN)
            tk.click("entry")
            same(reads_once_more(tk), user or None)
            same(tk.holds()["reads"], [FOREIGN, FOREIGN, FOREIGN, user or None])


def who_pastes_hears_of_no_change(tools, desktop):
    """Chromium drops what it pastes if the clipboard changes before it has inserted it, and did so where it was slow."""
    for user in ("of the user", ""):
        with pasted_into_a_late_reader(tools, desktop, user) as (tk, changes):
            same(changes.count(), 1, "changes heard of by the end of the paste")
            tools("create_input", action="type", text="then typed")
            same((changes.count(), reads_once_more(tk)), (1, FOREIGN), "changes, and what is read, after keys")
            tk.click("entry")
            same(changes.count(), 2, "changes heard of once something else may be pasted")
            same(copied(desktop), user)


def the_change_is_told_in_the_end(tools, desktop):
    """Applications keep what they have heard is on the clipboard."""
    with pasted_into_a_late_reader(tools, desktop, "of the user") as (tk, changes):
        same(copied(desktop), "of the user")
        until(lambda: changes.count() == 2, "the change")
        same(reads_once_more(tk), "of the user")


DRAGS = 3   # tries: the application may have no time to look at the pointer while it is over the folder


def pcmanfm_moves_what_is_dragged(tools, desktop):
    """A drag at once was over before it began one."""
    if not shutil.which("pcmanfm"):
        raise Skip("pcmanfm is not installed (vendor/install test)")
    for n in range(3):
        folder = desktop.folder / "home" / f"dragging-{n}"
        (folder / "into").mkdir(parents=True)
        (folder / "moved.txt").write_text("moved", encoding="utf-8")
        with applications.program(desktop, "pcmanfm", str(folder)):
            bounds = applications.window_of(tools, folder.name)["bounds"]
            still(lambda: desktops.frame_buffer(desktop.folder))
            x, y = bounds["x"], bounds["y"] + 115       # the icons' line
            moved = folder / "into" / "moved.txt"
            for tried in range(1, DRAGS + 1):
                tools("create_input", action="drag", x=x + 300, y=y, to_x=x + 207, to_y=y)
                still(lambda: desktops.frame_buffer(desktop.folder))
                if moved.exists():
                    break
                note(f"{folder.name}: drag {tried} of {DRAGS} has not moved the file")
            until(moved.exists, "the file in the folder")


def main():
    if not applications.tk_python():
        print("1..0 # SKIP python3-tk is not installed (vendor/install test)")
        return
    run(CASES, NEEDED)


CASES = [
    ("Tk is pasted into, and that is not called lost", tk_is_pasted_into),
    ("a Tk that is stopped when it is pasted into is unknown, and pastes once", tk_stopped_for_a_while),
    ("a paste into a window without a field is not called taken", a_window_without_a_field),
    ("PCManFM moves a file that is dragged into a folder", pcmanfm_moves_what_is_dragged),
    ("a program that reads the clipboard twice for a paste gets the same twice", who_reads_again_gets_the_same),
    ("a program that pastes is told of no change of the clipboard before it is done", who_pastes_hears_of_no_change),
    ("a program that does not paste is told of the clipboard's change in the end", the_change_is_told_in_the_end),
]

if __name__ == "__main__":
    main()
