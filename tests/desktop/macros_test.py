#!/usr/bin/env python3
"""Macros on a real application: a note is saved, with the window moved or resized, a second window or another dialog first."""

import contextlib
import json
import os
import shutil
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import folders                                          # noqa: E402
from tools import Tools, has, run, same, until          # noqa: E402

ROOT = folders.fresh("perigee-macros-")
NOTES = os.path.join(ROOT, "notes")
EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "root")
os.mkdir(NOTES)

PAGE = """
local macro_tool = require "macros.tool"
local s          = require "schema"

local function run(args, macro)
%s
end

return macro_tool {
  title = "Test", description = "Do what the test says.", run = run,
  inputSchema = s.object { { "text", s.string("Text.", { default = "" }) }, { "file", s.string("Path.", { default = "" }) } },
}
"""

SAVE = """  local note = macro:open("mousepad", { new = true })
  note:set("text", args.text)
  note:keys("ctrl+shift+s")
  note:dialog("Save As", { path = args.file, button = "Save" })
  note:check { title = macro.base(args.file) }
"""


def write(tools, name, body, steps=None):
    """A macro in the user's root, once the server has it."""
    path = os.path.join(ROOT, "tools", "macros", name + ".lua")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(PAGE % body)
    if steps is not None:
        with open(path[:-len("lua")] + "steps.json", "w", encoding="utf-8") as file:
            json.dump({"format": 1, **steps}, file)
    until(lambda: not tools.result("describe_tool", name=name).get("isError"), f"the tool {name}")


@contextlib.contextmanager
def notes(tools):
    """Ends all that the block opens."""
    try:
        yield
    finally:
        for each in tools("list_applications")["applications"]:
            if "mousepad" in (each.get("id", "") + each["display_name"]).lower():
                tools.result("quit_application", application=each["name"], force=True)
        until(lambda: not windows(tools), "the end of the windows")


def windows(tools):
    return [each for each in tools("list_windows")["windows"] if "ousepad" in each["title"] or "ousepad" in each["app"]]


def text_of(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


# The same in a window that is there.
THERE = SAVE.replace('macro:open("mousepad", { new = true })', 'macro:window { application = "mousepad", title = "%s" }')

# What was recorded of the text of a note.
RECORDED = {"application": {"name": "Mousepad", "id": "org.xfce.mousepad"}, "steps": [
    {"kind": "set", "selector": "text", "role": "text", "name": "", "label": "", "row": "", "ancestors": [], "count": 1}]}


def opened(tools, *files):
    """A new window of mousepad: its name."""
    found = tools("open_application", application="mousepad", new=True, wait=120,
                  arguments=["--opening-mode=window", *files])
    window = found["window"]
    until(lambda: not tools.result("get_element", element="text", window=window).get("isError"), "the text of the window")
    return window


def a_note_is_saved(tools, desktop):
    write(tools, "save_note", SAVE, RECORDED)
    with notes(tools):
        path = os.path.join(NOTES, "first.txt")
        told = tools("save_note", text="One\ntwo\n", file=path)
        same([each["ok"] for each in told["steps"]], [True] * 5, told)
        same(text_of(path), "One\ntwo\n")


def rows_become_notes(_tools, desktop):
    """The example of the repository, as its README says."""
    notes_of_rows = desktop.folder / "rows"
    notes_of_rows.mkdir()
    table = notes_of_rows / "guests.csv"
    table.write_text("name,text\nada,Hello Ada\nben,\"Welcome,\nBen\"\n", encoding="utf-8")
    tools = Tools(desktop.env, "--root", EXAMPLES, "--grant", str(notes_of_rows), "--toolset", "all")
    with notes(tools):
        told = tools("execute_macro", macro="save_notes", parameter_values={"table": str(table), "folder": str(notes_of_rows)})
        same([each["ok"] for each in told["steps"]], [True] * 12, told)
    same((text_of(notes_of_rows / "ada.txt"), text_of(notes_of_rows / "ben.txt")), ("Hello Ada", "Welcome,\nBen"))


def a_window_that_was_moved_and_resized(tools, desktop):
    write(tools, "there", THERE % "*mousepad", RECORDED)
    with notes(tools):
        for number, (x, y, width, height) in enumerate(((10, 10, 420, 320), (300, 200, 700, 400))):
            window = opened(tools)
            tools("resize_window", window=window, width=width, height=height)
            tools("move_window", window=window, x=x, y=y)
            path = os.path.join(NOTES, f"moved{number}.txt")
            tools("there", text=f"moved {number}", file=path)
            same(text_of(path).rstrip("\n"), f"moved {number}")
            tools("close_window", window=window)


def a_second_window(tools, desktop):
    """Without a title no window is taken; with one the other window stays as it is."""
    first = os.path.join(NOTES, "one.txt")
    with open(first, "w", encoding="utf-8") as file:
        file.write("as it was\n")
    write(tools, "any_window", THERE.replace(', title = "%s"', ""), RECORDED)
    write(tools, "that_window", THERE % "untitled*", RECORDED)
    with notes(tools):
        one, two = opened(tools, first), opened(tools)
        same(len(windows(tools)), 2)
        text = tools.fails("MACRO_SEVERAL_WINDOWS", "any_window", text="lost", file=first)
        has(text, "Nothing was done before it")
        has(text, one)
        tools("that_window", text="changed", file=os.path.join(NOTES, "three.txt"))
        same(text_of(os.path.join(NOTES, "three.txt")).rstrip("\n"), "changed")
        same(tools("get_element", element="text", window=one)["value"], "as it was\n")
        same((text_of(first), two != one), ("as it was\n", True))


def another_dialog_first(tools, desktop):
    """Every step refuses, and nothing is typed into the dialog."""
    steps = {"set": 'note:set("text", "lost")', "keys": 'note:keys("ctrl+shift+s")', "type": 'note:type("lost")',
             "menu": 'note:menu("File > Save As...")', "dialog": 'note:dialog("Save As", { button = "Save" })'}
    for name, line in steps.items():
        write(tools, f"step_{name}", f'  local note = macro:window {{ application = "mousepad", title = "*note.txt*" }}\n  {line}')
    path = os.path.join(NOTES, "note.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("kept\n")
    with notes(tools):
        window = opened(tools, path)
        tools("act", window=window, steps=[{"keys": "ctrl+o", "must": True}])
        dialog = tools("handle_dialog", application="mousepad")["dialog"]
        for name in steps:
            text = tools.fails("MACRO_DIALOG_IN_FRONT", f"step_{name}")
            has(text, dialog["title"])
            has(text, "handle_dialog")
        same(tools("handle_dialog", application="mousepad")["dialog"]["fields"], dialog["fields"], "the fields of the dialog")
        tools("handle_dialog", application="mousepad", button="cancel")
        same(tools("get_element", element="text", window=window)["value"], "kept\n")
        same(tools("step_set")["done"], True)
        tools("act", window=window, steps=[{"keys": "ctrl+s", "must": True}])   # else the next one asks what to restore
        until(lambda: text_of(path).rstrip("\n") == "lost", "the file")


ANSWERED = SAVE.replace('button = "Save" })', 'button = "Save", next = "Question" })\n  note:dialog("Question", { button = "Replace" })')


def a_file_that_is_there(tools, desktop):
    """The question whether to replace it is no end of the step, unless the next one answers it."""
    write(tools, "save_note", SAVE, RECORDED)
    write(tools, "replace_note", ANSWERED, RECORDED)
    path = os.path.join(NOTES, "there.txt")
    with open(path, "w", encoding="utf-8") as file:
        file.write("as it was\n")
    with notes(tools):
        text = tools.fails("MACRO_DIALOG_IN_FRONT", "save_note", text="lost", file=path)
        has(text, 'The question "Question" is in front of it now')
        has(text, 'Answer it with handle_dialog ("Cancel", "Replace")')
        same(text_of(path), "as it was\n")
        tools("handle_dialog", application="mousepad", button="Replace")
        until(lambda: text_of(path).rstrip("\n") == "lost", "the file")
    with notes(tools):
        told = tools("replace_note", text="replaced", file=path)
        same([each["ok"] for each in told["steps"]], [True] * 6, told)
        same(text_of(path).rstrip("\n"), "replaced")


def an_application_with_two_windows(tools, desktop):
    """It is not known which one is meant, so that opening it takes none."""
    write(tools, "opened", '  local note = macro:open("mousepad")\n  note:set("text", "lost")')
    with notes(tools):
        one, two = opened(tools), opened(tools)
        text = tools.fails("MACRO_SEVERAL_WINDOWS", "opened")
        has(text, "Step 1, open mousepad")
        for window in (one, two):
            has(text, window)
            same(tools("get_element", element="text", window=window).get("value", ""), "", window)


def what_is_not_what_was_recorded(tools, desktop):
    other = {"application": {"name": "FeatherPad", "id": "featherpad"}, "steps": []}
    write(tools, "other_application", SAVE, other)
    write(tools, "other_locale", SAVE, {"locale": "xx_YY", "steps": []})
    write(tools, "other_role", SAVE, {"steps": [{**RECORDED["steps"][0], "role": "entry"}]})
    with notes(tools):
        has(tools.fails("MACRO_OTHER_LOCALE", "other_locale"), "xx_YY")
        same(windows(tools), [], "windows")
        has(tools.fails("MACRO_OTHER_APPLICATION", "other_application"), "recorded in FeatherPad")
        has(tools.fails("MACRO_OTHER_ROLE", "other_role"), 'its role is "text", and was "entry"')


run((("a note is saved", a_note_is_saved),
     ("rows become notes", rows_become_notes),
     ("a window that was moved and resized", a_window_that_was_moved_and_resized),
     ("a second window", a_second_window),
     ("another dialog first", another_dialog_first),
     ("a file that is there", a_file_that_is_there),
     ("an application with two windows", an_application_with_two_windows),
     ("another application, language and role", what_is_not_what_was_recorded)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad"), lambda desktop: Tools(desktop.env, "--root", ROOT, "--toolset", "all"))
shutil.rmtree(ROOT, ignore_errors=True)
