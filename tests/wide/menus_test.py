#!/usr/bin/env python3
"""Menus and file dialogs where they are made in other ways: GTK 4's popovers, and LibreOffice's menus, which are empty
until they open."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tools import Tools, has, opened, run, same, until     # noqa: E402


def outline(tools, app):
    return tools("get_ui_tree", application=app)["outline"]


def no_popup(tools):
    """The menus were closed again."""
    windows = tools("list_windows", all_kinds=True)["windows"]
    same([w["title"] for w in windows if w["kind"] == "popup"], [])


def saved(tools, app, menu, path):
    result = tools("select_menu_item", application=app, path=menu)
    same(result["effect"], "confirmed", result)
    dialog = tools("handle_dialog", application=app)["dialog"]
    same(dialog["kind"], "file", dialog)
    result = tools("handle_dialog", application=app, path=str(path), button="Save")
    same((result["effect"], result["value"]), ("confirmed", str(path)), result)
    until(path.exists, "the file")


def a_popover(tools, desktop):
    """The first dialog stays in the application's tree, shown as ever, but without a place: the second name went to it."""
    with opened(tools, "gnome-text-editor") as app:
        until(lambda: 'button "Menu"' in outline(tools, app), "the button of the menu")
        has(tools.fails("ELEMENT_NOT_FOUND", "select_menu_item", application=app, path="Menu > Save Us"), '"Save As…"')
        no_popup(tools)
        tools("click_element", application=app, element='button "Menu"')    # it is open then
        result = tools("select_menu_item", application=app, path="Menu > Find/Replace…")
        same((result["effect"], 'entry "EditorSearchEntry"' in outline(tools, app)), ("confirmed", True), result)
        saved(tools, app, "Menu > Save As", desktop.folder / "popover.txt")
        same("Save As\"" in outline(tools, app), False, "the dialog has closed")
        saved(tools, app, "Menu > Save As", desktop.folder / "again.txt")


def opened_by_a_dialog(tools, desktop):
    """GTK 4 called it a group, which nobody could wait for, and opened nothing once a click had taken the focus from the field."""
    path = desktop.folder / "to open.txt"
    path.write_text("what it holds\n", encoding="utf-8")
    with opened(tools, "gnome-text-editor") as app:
        waited = tools("create_input", action="keys", keys="ctrl+o",
                       wait={"condition": "element", "element": "dialog \"Open File\"", "application": app})["waited"]
        same(waited["met"], True, waited)
        result = tools("handle_dialog", application=app, path=str(path), button="Open")
        same((result["effect"], result["value"], result["evidence"]), ("confirmed", str(path), 'dialog "Open File" closed'), result)
        tools("wait_for", condition="text", text="what it holds", application=app, timeout=30)


def only_the_drawn_menu_bar(tools, app):
    """Nothing of the second menu bar is drawn, and its menus lie over the toolbar."""
    same(outline(tools, app).count('menu "File"'), 1, outline(tools, app))
    for hidden in (False, True):
        found = tools("find_elements", application=app, role="menu", text="File", hidden=hidden)["elements"]
        same(len(found), 1, found)
    bar = tools("find_elements", application=app, role="toolbar", text="Standard")["elements"]
    same(found[0]["bounds"]["y"] + 20 < bar[0]["bounds"]["y"], True, (found, bar))


def menus_made_late(tools, desktop):
    with opened(tools, "libreoffice-writer") as app:
        until(lambda: 'dialog "Tip of the Day' in outline(tools, app), "the tip of the day")
        same(tools("handle_dialog", application=app, button="default")["effect"], "confirmed", "the tip")
        only_the_drawn_menu_bar(tools, app)
        result = tools("select_menu_item", application=app, path="View > Rulers > Vertical Ruler")
        has("\n".join(result["changes"]), '"Vertical Ruler"')
        has(tools.fails("ELEMENT_NOT_FOUND", "select_menu_item", application=app, path="Insert > Page Brake"), '"Page Break"')
        no_popup(tools)
        saved(tools, app, "File > Save As...", desktop.folder / "written.odt")


run((("a file is saved by the popover of gnome-text-editor (GTK 4)", a_popover),
     ("a file is opened by the dialog of gnome-text-editor (GTK 4)", opened_by_a_dialog),
     ("a file is saved by the menus of LibreOffice Writer", menus_made_late)),
    ("Xvfb", "openbox", "dbus-daemon", "gnome-text-editor", "libreoffice"), lambda desktop: Tools(desktop.env))
