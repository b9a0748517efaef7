#!/usr/bin/env python3
"""Text recognition under the tools for elements, on real applications that have no tree: xterm and Tk."""

import contextlib
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import desktop as desktops     # noqa: E402
import tap     # noqa: E402
from tools import Tools, has, opened, same, until     # noqa: E402

TOP = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
MODULE = os.path.join(TOP, os.environ.get("BUILD", "build"), "modules", "tesseract.so")
FONT = ("-fa", "DejaVu Sans Mono", "-fs", "11")

FORM = """import tkinter as tk
root = tk.Tk()
root.title("Tk form")
root.geometry("420x260+80+80")
state = tk.Label(root, text="Ready")
tk.Button(root, text="Send letter", command=lambda: state.config(text="Letter sent")).pack(pady=8)
tk.Button(root, text="Night mode", bg="#202020", fg="white", command=lambda: None).pack(pady=8)
tk.Button(root, text="Same", command=lambda: None).pack(pady=8)
tk.Button(root, text="Same", command=lambda: None).pack(pady=8)
state.pack(pady=8)
root.after(int(__import__("sys").argv[1]), lambda: state.config(text="Time is over"))
root.mainloop()"""


@contextlib.contextmanager
def program(argv, env, tools, title):
    """Its application's name, once its window is there."""
    child = subprocess.Popen(argv, env=env, stderr=subprocess.DEVNULL)
    try:
        until(lambda: [w for w in tools("list_windows")["windows"] if title in w["title"]], f"the window {title}")
        yield f"applications/{child.pid}"
    finally:
        child.kill()
        child.wait()


def form(tools, desktop, after=3600000):
    return program(["/usr/bin/python3", "-c", FORM, str(after)],
                   desktop.env, tools, "Tk form")


def xterm(tools, desktop, script):
    return program(["xterm", *FONT, "-T", "shell", "-e", "sh", "-c", script], desktop.env, tools, "shell")


def read(tools, app, selector):
    return tools("find_elements", application=app, selector=selector)["elements"]


def shown(tools, app, text):
    """The element, once it is read."""
    return until(lambda: read(tools, app, f'"{text}"'), text)[0]


def an_outline_of_xterm(tools, desktop):
    """Written text comes as labels that say where they are from and how sure; nothing is claimed of their state."""
    with xterm(tools, desktop, "printf 'Hello world\\nsecond line of text\\n'; exec sleep 600") as app:
        found = shown(tools, app, "Hello world")
        same((found["role"], found["source"], "states" in found), ("label", "ocr", False), found)
        same(found["confidence"] > 0.6, True, found)
        told = tools("get_ui_tree", application=app)
        has(told["note"], "text recognition")
        has(told["outline"], '"second line of text" ocr ')
        window = tools("list_windows", parent=app)["windows"][0]["content"]
        bounds = found["bounds"]
        same(window["x"] <= bounds["x"] < window["x"] + 60 and window["y"] <= bounds["y"] < window["y"] + 40, True,
             f"{bounds} in {window}")


def a_word_of_a_line(tools, desktop):
    """It has its own place; a word over a gap is found as well."""
    with xterm(tools, desktop, "printf 'Hello    wide world\\n'; exec sleep 600") as app:
        whole, word = shown(tools, app, "Hello wide world"), shown(tools, app, "wide")
        same(whole["bounds"]["width"] > 3 * word["bounds"]["width"], True, f"{whole} {word}")
        same(word["bounds"]["x"] > whole["bounds"]["x"] + 50, True, f"{whole} {word}")


def a_click_on_a_text(tools, desktop):
    """The click goes to the middle of the text, by the pointer, and its effect is at most partial."""
    with form(tools, desktop) as app:
        shown(tools, app, "Send letter")
        told = tools("click_element", application=app, element='"Send letter"')
        has(told["route"], "pointer at")
        same((told["effect"], "Letter sent" in "".join(told["changes"])), ("partial", True), told)
        same(len(read(tools, app, '"Night mode"')), 1, "light on dark")


def two_that_say_the_same(tools, desktop):
    with form(tools, desktop) as app:
        shown(tools, app, "Same")
        text = tools.fails("ELEMENT_AMBIGUOUS", "click_element", application=app, element='"Same"')
        has(text, '"Same" ocr')
        refs = [each["ref"] for each in read(tools, app, '"Same"')]
        same(len(refs), 2)
        told = tools("click_element", element=refs[1])
        same(told["element"], refs[1])


def a_text_that_is_gone_is_not_clicked(tools, desktop):
    """It is looked at again before."""
    with form(tools, desktop) as app:
        ref = shown(tools, app, "Ready")["ref"]
        tools("click_element", application=app, element='"Send letter"')
        shown(tools, app, "Letter sent")
        tools.fails("ELEMENT_NOT_FOUND", "click_element", element=ref)


def what_is_not_known(tools, desktop):
    """Neither roles nor states; and other tools do not take what was read."""
    with form(tools, desktop) as app:
        ref = shown(tools, app, "Send letter")["ref"]
        has(tools.fails("ELEMENT_NOT_FOUND", "click_element", application=app, element='button "Send letter"'), "pass the text alone")
        told = tools("verify", application=app, predicates=[{"element": '"letter"'}, {"element": ref, "condition": "enabled"},
                                                            {"text": "letter"}, {"text": "nothing of this"}])
        same([each["result"] for each in told["results"]], ["satisfied", "unknown", "satisfied", "unsatisfied"], told)
        has(tools.fails("NOT_SUPPORTED", "write_element_value", element=ref, value="x"), "text recognition")
        has(tools.fails("NOT_SUPPORTED", "click_element", element=ref, method="action"), "pointer")


def several_steps(tools, desktop):
    """act finds, clicks and waits in what was read, and tells what changed."""
    with form(tools, desktop) as app:
        shown(tools, app, "Send letter")
        told = tools("act", application=app, steps=[{"find": '"Night mode"'}, {"click": '"Send letter"', "must": True},
                                                    {"wait": {"text": "Letter sent", "timeout": 20}}])
        same((told["done"], told["steps"][1]["effect"]), (True, "partial"), told)
        same(any("Letter sent" in line for line in told["changes"]), True, told)


def a_text_that_comes(tools, desktop):
    with form(tools, desktop, 4000) as app:
        told = tools("wait_for", condition="text", text="Time is over", application=app, timeout=55)
        same(told["element"][:1], "e", told)
        same(tools("verify", application=app, predicates=[{"element": '"Ready"', "condition": "gone"}])["all"], "true")


def a_region(tools, desktop):
    """Only what is in it is read."""
    with form(tools, desktop) as app:
        bounds = shown(tools, app, "Night mode")["bounds"]
        told = tools("find_region_elements", x=bounds["x"] - 4, y=bounds["y"] - 4, width=bounds["width"] + 8,
                     height=bounds["height"] + 8)
        same([each["name"] for each in told["elements"]], ["Night mode"], told)


def asked_for_where_there_is_a_tree(tools, desktop):
    """A list has elements of the tree or of text recognition, never both."""
    with opened(tools, "mousepad") as app:
        seen = tools("find_elements", application=app, selector='"Document"', source="ocr")["elements"]
        same([(each["role"], each.get("source")) for each in seen], [("label", "ocr")], seen)
        tree = tools("find_elements", application=app, selector='"Document"')["elements"]
        same({each.get("source") for each in tree}, {None}, tree)
        middle = seen[0]["bounds"]["x"] + seen[0]["bounds"]["width"] / 2
        same(any(each["bounds"]["x"] <= middle <= each["bounds"]["x"] + each["bounds"]["width"] for each in tree), True, tree)


def started_without_accessibility(tools, desktop):
    """It was read from the screen, and not told that it has a tree if it is opened again."""
    with program(["mousepad", "--disable-server"], {**desktop.env, "NO_AT_BRIDGE": "1"}, tools, "Mousepad") as app:
        told = tools("get_ui_tree", application=app)
        has(told["note"], "text recognition")
        has(told["note"], "close it and open it with open_application")
        has(told["outline"], told["note"])


def a_language_that_is_missing(tools, desktop):
    with form(tools, desktop) as app:
        text = tools.text("find_elements", application=app, selector='"x"', source="ocr:tlh")
        has(text, 'no text recognition for the language "tlh"')
        has(text, "tesseract-ocr-")


def main():
    for name in ("Xvfb", "openbox", "dbus-daemon", "xterm", "mousepad"):
        if not desktops.shutil.which(name):
            print(f"1..0 # SKIP {name} is not installed (vendor/install test)")
            return
    if not os.path.exists(MODULE):
        print("1..0 # SKIP the build has no text recognition (vendor/install build, then make)")
        return
    cases = (("an outline of xterm", an_outline_of_xterm), ("a word of a line has its own place", a_word_of_a_line),
             ("a text is clicked by the pointer", a_click_on_a_text), ("two that say the same", two_that_say_the_same),
             ("a text that is gone is not clicked", a_text_that_is_gone_is_not_clicked),
             ("roles and states are not known", what_is_not_known), ("a text that comes is waited for", a_text_that_comes),
             ("act uses elements that were read", several_steps), ("only a region", a_region),
             ("text recognition is used on request even if there is a tree", asked_for_where_there_is_a_tree),
             ("for an application without accessibility the result says how it gets a tree", started_without_accessibility),
             ("a language that is missing is named with its package", a_language_that_is_missing))
    with desktops.Desktop() as desktop, contextlib.closing(Tools(desktop.env)) as tools:
        for name, case in cases:
            tap.case(name, case, tools, desktop)
        tap.ok(not tools.server.faults, "every line was valid", "\n".join(tools.server.faults))
    tap.done()


main()
