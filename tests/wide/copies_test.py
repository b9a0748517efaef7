#!/usr/bin/env python3
"""Copying as the only effect of an action, in real applications: GTK 3, GTK 4, Qt 5, LibreOffice, Chromium and Swing."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications                                # noqa: E402
from tools import Tools, has, opened, run, same, until     # noqa: E402

COPIED = "something was copied to the clipboard"


def outline(tools, app):
    return tools("get_ui_tree", application=app)["outline"]


def copies(result):
    same((result["effect"], result["evidence"]), ("confirmed", COPIED), result)


def in_text(tools, desktop, program, menu):
    """By the menu and by keys, each of which would be called no effect. Copying the same once more is a copy too."""
    text = desktop.folder / f"{program}.txt"
    text.write_text("some text\n", encoding="utf-8")
    with opened(tools, program, files=[str(text)]) as app:
        until(lambda: "some text" in outline(tools, app), "the text")
        tools("act", application=app, steps=[{"keys": "ctrl+a"}])
        for _ in range(2):
            copies(tools("select_menu_item", application=app, path=menu))
        until(lambda: "some text" in applications.copied(desktop), "what was copied")
        step = tools("act", application=app, steps=[{"keys": "ctrl+c"}])["steps"][0]
        copies(step)
        step = tools("act", application=app, steps=[{"keys": "shift"}])["steps"][0]
        same(step["effect"], "none_seen", step)


def in_mousepad(tools, desktop):
    in_text(tools, desktop, "mousepad", "Edit > Copy")


def in_featherpad(tools, desktop):
    in_text(tools, desktop, "featherpad", "Edit > Copy")


def in_writer(tools, _desktop):
    with opened(tools, "libreoffice-writer") as app:
        until(lambda: 'menu "Edit"' in outline(tools, app), "the menus")
        tools("wait_for", condition="still", window=tools("list_windows", parent=app)["windows"][0]["name"], timeout=15)
        if 'dialog "' in outline(tools, app):       # a tip
            tools("handle_dialog", application=app, button="cancel")
        steps = [{"type": "Some words"}, {"keys": "ctrl+a"}, {"menu": "Edit > Copy"}]
        done = tools("act", application=app, steps=steps)["steps"]
        same(len(done), 3, done)
        copies(done[2])


def in_calculator(tools, desktop):
    with opened(tools, "gnome-calculator") as app:
        until(lambda: 'button "7"' in outline(tools, app), "the buttons")
        tools("act", application=app, steps=[{"keys": "7"}, {"keys": "ctrl+a"}])
        step = tools("act", application=app, steps=[{"keys": "ctrl+c"}])["steps"][0]
        copies(step)


def in_chromium(tools, desktop):
    page = desktop.folder / "page.html"
    page.write_text("<title>a page</title><textarea aria-label='Field'>some text</textarea>", encoding="utf-8")
    with opened(tools, "chromium", arguments=["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu",
                f"--user-data-dir={desktop.folder / 'chromium'}", f"--app=file://{page}"]) as app:
        until(lambda: '"Field"' in outline(tools, app), "the page")
        steps = [{"click": '"Field"'}, {"keys": "ctrl+a"}, {"keys": "ctrl+c"}]
        copies(tools("act", application=app, steps=steps)["steps"][2])
        tools("click_element", application=app, element='"Field"', button="right")
        until(lambda: 'menuitem "Copy' in outline(tools, app), "the context menu")
        copies(tools("click_element", application=app, element='menuitem "Copy Ctrl+C"'))


run((("text of mousepad (GTK 3)", in_mousepad), ("text of FeatherPad (Qt 5)", in_featherpad),
     ("text of LibreOffice Writer", in_writer), ("the result of gnome-calculator (GTK 4)", in_calculator),
     ("text of a page in Chromium", in_chromium)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "featherpad", "gnome-calculator", "xclip", "chromium", "soffice"),
    lambda desktop: Tools(desktop.env))
