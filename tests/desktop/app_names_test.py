#!/usr/bin/env python3
"""One name for an application everywhere: each spelling of one, in each tool that takes an application, on the desktop in memory."""

import contextlib
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import tap                      # noqa: E402
from tools import Tools, has    # noqa: E402

SPELLINGS = ("Files", "files", "FILES", "org.perigee.Files", "ORG.PERIGEE.FILES", "org.perigee.files.desktop", "Fil", "org.perigee.fi")
OPENED = ("Calculator", "calculator", "org.perigee.Calculator", "Calc")
CALLS = {
    "get_application": ("name", {}), "activate_application": ("name", {}), "list_windows": ("parent", {}), "list": ("app", {
        "item_type": "application_windows"}), "get_ui_tree": ("application", {}), "find_elements": ("application", {"role": "button"}),
    "wait_for": ("window", {"condition": "window", "timeout": 1}), "create_observation": ("application", {"what": "windows"}),
    "get_window": ("name", {}), "focus_window": ("name", {}), "capture_window_screenshot": ("window", {}),
}
REFUSED = ("APP_NOT_FOUND", "WINDOW_NOT_FOUND", "APP_AMBIGUOUS", "WINDOW_AMBIGUOUS", "WAIT_TIMEOUT")


def is_meant(tools, spellings):
    """Class, instance and the last part of a long name were refused by some tools, and taken by others."""
    for tool, (key, more) in CALLS.items():
        for spelling in spellings:
            result = tools.result(tool, **{key: spelling}, **more)
            code = result.get("_meta", {}).get("perigee/code")
            if code in REFUSED:
                raise tap.Failure(f"{tool} {key}={spelling}: {result['content'][0]['text']}")


def last_parts(tools):
    """A Java program is shown by its class, org-gjt-sp-jedit-jEdit, and was not found as jEdit."""
    for spelling in ("TextEditor", "texteditor", "textedi"):
        has(tools.text("get_application", name=spelling), "org.perigee.TextEditor")
        has(tools.text("list_windows", parent=spelling), "notes.txt")
    has(tools.fails("APP_NOT_FOUND", "get_application", name="Editor"), "If you mean this one")


def main():
    with contextlib.closing(Tools(dict(os.environ, PERIGEE_DESKTOP="fake", DISPLAY=""))) as tools:
        tap.case("each spelling of one that runs, in each tool", is_meant, tools, SPELLINGS)
        tap.case("the last part of a long name", last_parts, tools)
        tools("open_application", name="Calculator")
        tap.case("each spelling of one that was opened, in each tool", is_meant, tools, OPENED)
    tap.done()


main()
