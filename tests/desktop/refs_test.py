#!/usr/bin/env python3
"""A ref is never used for another element than the one it was given to: one that is gone is told, in GTK 3 and on pages."""

import contextlib
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from lab_program import LabProgram                      # noqa: E402
from tap import Skip                                    # noqa: E402
from tools import has, opened, run, same, until         # noqa: E402

DIALOGS = """
done, window = [], Gtk.Window(title="Main")
window.add(Gtk.Label(label="Notes"))
window.show_all()

def ask(title):
    global dialog
    dialog = Gtk.Dialog(title=title, transient_for=window)
    dialog.add_button("OK", 1)
    dialog.connect("response", lambda each, _: (done.append(title), each.destroy()))
    dialog.show_all()
"""

ROWS = """
done, rows = [], {}
window, box = Gtk.Window(title="People"), Gtk.VBox()
window.add(box)
for name in ("Alice", "Bob", "Carol"):
    row = rows[name] = Gtk.HBox()
    button = Gtk.Button(label="Delete")
    button.connect("clicked", lambda _, name=name: done.append(name))
    row.add(Gtk.Label(label=name))
    row.add(button)
    box.add(row)
window.show_all()
"""

RENAMED = """
done, window, button = [], Gtk.Window(title="Main"), Gtk.Button(label="Cancel")
button.connect("clicked", lambda _: done.append(1))
window.add(button)
window.show_all()
"""

PAGE = """<!doctype html><title>none</title><div id="rows"></div><button onclick="draw(people.slice(1))">Forget the first</button>
<script>const people = ["Alice", "Bob", "Carol"];
function draw(names) {
  document.getElementById("rows").innerHTML = names.map(name =>
    `<div><span>${name}</span> <button onclick="document.title = 'deleted ${name}'">Delete</button></div>`).join("");
}
draw(people);</script>"""


def buttons(tools, app, name):
    return until(lambda: tools("find_elements", application=app, selector=f'button "{name}"')["elements"], f"a button {name}")


def in_front(tools, selector):
    """The elements that match in the window with the keyboard focus. While the focus goes from one to another, none has it."""
    result = tools.result("find_elements", selector=selector)
    return not result.get("isError") and result["structuredContent"]["elements"]


def of_a_dialog_that_went(tools, desktop):
    with LabProgram(desktop.env) as lab:
        lab(DIALOGS)
        lab('ask("Save changes?")')
        ref = buttons(tools, lab.app, "OK")[0]["ref"]
        lab("dialog.destroy()")
        until(lambda: not tools("find_elements", application=lab.app, selector='button "OK"')["elements"], "the end of the dialog")
        lab('ask("Erase the disk?")')
        buttons(tools, lab.app, "OK")
        said = tools.fails("ELEMENT_NOT_FOUND", "click_element", element=ref)
        has(said, "no longer exists")
        same(lab("R = done"), "[]", "nothing was answered")


def in_one_that_has_a_ref(tools, desktop):
    """The ref says which application is meant, though another window has the keyboard focus."""
    with LabProgram(desktop.env) as lab, LabProgram(desktop.env) as other:
        lab(ROWS)
        window = until(lambda: tools("find_elements", application=lab.app, selector='window "People"')["elements"], "the window")[0]
        other(RENAMED)
        until(lambda: in_front(tools, 'button "Cancel"'), "the other one in front")
        found = tools("find_elements", selector=f"button in {window['ref']}")
        same(sorted(each["name"] for each in found["elements"]), ["Delete"] * 3)
        tools("click_element", element=f"button nth 2 in {window['ref']}", method="action")
        same(lab("R = done"), "['Bob']")
        has(tools.fails("INVALID_ARGUMENT", "click_element", element=f"button in {window['ref']}", application=other.app),
            "another application")
        same(tools("verify", predicates=[{"element": f'label "Alice" in {window["ref"]}'}])["all"], "true")


def of_a_dialog_that_was_not_seen_since(tools, desktop):
    """Nobody has looked in between: the new button is as new as one that was made anew would be."""
    with LabProgram(desktop.env) as lab:
        lab(DIALOGS)
        lab('ask("Save changes?")')
        ref = buttons(tools, lab.app, "OK")[0]["ref"]
        lab('dialog.destroy(); ask("Erase the disk?")')
        tools.fails("ELEMENT_NOT_FOUND", "click_element", element=ref)
        same(lab("R = done"), "[]", "nothing was answered")


def of_a_row_that_went(tools, desktop):
    with LabProgram(desktop.env) as lab:
        lab(ROWS)
        alice, bob, _ = deletes(tools, lab.app, 3)
        lab('box.remove(rows["Alice"])')
        tools.fails("ELEMENT_NOT_FOUND", "click_element", element=alice)
        same(lab("R = done"), "[]", "nobody is deleted")
        tools("click_element", element=bob)
        same(lab("R = done"), "['Bob']")


def title(desktop):
    done = subprocess.run(["xdotool", "search", "--name", "Chromium$|Firefox$", "getwindowname", "%@"], env=desktop.env, text=True,
                          capture_output=True, check=False)
    return done.stdout


@contextlib.contextmanager
def page(tools, desktop):
    if not shutil.which("chromium"):
        raise Skip("chromium is not installed (vendor/install test)")
    path = desktop.folder / "page.html"
    path.write_text(PAGE, encoding="utf-8")
    with opened(tools, "chromium", arguments=["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu",
                                              f"--user-data-dir={desktop.folder / 'chromium'}", f"file://{path}"]) as app:
        yield app


def deletes(tools, app, count):
    """The refs of the rows' buttons, once there are so many."""
    def seen():
        found = tools("find_elements", application=app, selector='button "Delete"')["elements"]
        return [each["ref"] for each in found] if len(found) == count else None
    return until(seen, f"{count} rows")


def on_a_page(tools, desktop):
    """Its rows are new objects after each change; what is certainly the same keeps its ref."""
    with page(tools, desktop) as app:
        alice, bob, _ = deletes(tools, app, 3)
        tools("click_element", application=app, element='button "Forget the first"')
        deletes(tools, app, 2)
        for ref in (alice, bob):
            said = tools.result("click_element", element=ref)
            same((said.get("isError"), "deleted Bob" in title(desktop)), (True, False), said["content"][0]["text"])
        tools("click_element", application=app, element='button near "Bob"')
        until(lambda: "deleted Bob" in title(desktop), "what the button of Bob does")


def of_one_that_is_called_otherwise(tools, desktop):
    with LabProgram(desktop.env) as lab:
        lab(RENAMED)
        ref = buttons(tools, lab.app, "Cancel")[0]["ref"]
        lab('button.set_label("Erase everything")')
        said = tools.fails("ELEMENT_CHANGED", "click_element", element=ref)
        has(said, f'"Cancel" is now called "Erase everything". Pass {ref} again if that is meant.')
        same(lab("R = done"), "[]", "it was not pressed")
        tools("click_element", element=ref)
        same(lab("R = done"), "[1]", "it was, when it was meant")


run((("the ref of a dialog that went is refused while another asks", of_a_dialog_that_went),
     ("the ref of a dialog that was replaced unseen is refused", of_a_dialog_that_was_not_seen_since),
     ("the ref of a row that went is refused while others have the same button", of_a_row_that_went),
     ("the ref of a button that was renamed is refused once", of_one_that_is_called_otherwise),
     ("an element in one that has a ref is found without its application", in_one_that_has_a_ref),
     ("the ref of a row is refused after the page made its rows anew", on_a_page)),
    ("Xvfb", "openbox", "dbus-daemon", "xdotool"))
