#!/usr/bin/env python3
"""Menus, dialogs and options of real applications: GTK 3 and Qt 5."""

import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tools import Tools, has, opened, run, same, until     # noqa: E402


def outline(tools, app):
    return tools("get_ui_tree", application=app)["outline"]


def choose(tools, app, path):
    return tools("select_menu_item", application=app, path=path)


def saved_under(tools, app, path, old):
    """By the menu and the dialog; then once more, where a file of that name is."""
    same(choose(tools, app, "File > Save As")["effect"], "confirmed", "the dialog opens")
    dialog = tools("handle_dialog", application=app)["dialog"]
    same(dialog["kind"], "file", dialog)
    result = tools("handle_dialog", application=app, path=str(path), button="save")
    same((result["effect"], result["value"], "next" in result), ("confirmed", str(path), False), result)
    until(path.exists, "the new file")
    choose(tools, app, "_File > save as...")
    result = tools("handle_dialog", application=app, path=str(old), button="Save")
    same(result["next"]["kind"], "question", result)
    return result["next"]


def in_mousepad(tools, desktop):
    """GTK 3, whose item Save As... and button Save must not be pressed by their actions."""
    old, new = desktop.folder / "old.txt", desktop.folder / "new one.txt"
    old.write_text("some text\n", encoding="utf-8")
    with opened(tools, "mousepad", files=[str(old)]) as app:
        until(lambda: "some text" in outline(tools, app), "the text")
        result = choose(tools, app, "Edit > Select All")
        same(result["effect"], "confirmed", result)
        tools("create_input", action="type", text="other")
        question = saved_under(tools, app, new, old)
        same(old.read_text(encoding="utf-8"), "some text\n", "nothing was answered")
        result = tools("handle_dialog", application=app, button="Replace")
        same(result["effect"], "confirmed", (question, result))
        until(lambda: old.read_text(encoding="utf-8").rstrip("\n") == "other", "the file that was replaced")
        same(new.read_text(encoding="utf-8").rstrip("\n"), "other")


def refused_in_mousepad(tools, _desktop):
    """No menu is open afterwards, so the next input goes to the text."""
    with opened(tools, "mousepad") as app:
        until(lambda: 'menu "Edit"' in outline(tools, app), "the menus")
        text = tools.fails("ELEMENT_DISABLED", "select_menu_item", application=app, path="Edit > Undo")
        same("still open" in text, False, text)
        has(tools.fails("ELEMENT_NOT_FOUND", "select_menu_item", application=app, path="File > Sav"), '"Save"')
        same(tools("list_windows", parent=app, all_kinds=True)["windows"][0]["kind"], "normal", "no menu is open")
        result = choose(tools, app, "View > Toolbar")
        same(result["effect"], "confirmed", result)
        has(tools.fails("DIALOG_NOT_FOUND", "handle_dialog", application=app), "Untitled")


def in_featherpad(tools, desktop):
    """Qt 5, with its own file dialog."""
    old, new = desktop.folder / "before.txt", desktop.folder / "after.txt"
    old.write_text("some text\n", encoding="utf-8")
    with opened(tools, "featherpad", files=[str(old)]) as app:
        until(lambda: "some text" in outline(tools, app), "the text")
        saved_under(tools, app, new, old)
        same(new.read_text(encoding="utf-8"), "some text\n")


def options_of_gtk(tools, _desktop):
    """Each box has its own; the text that it shows is read back."""
    with opened(tools, "gtk3-widget-factory") as app:
        until(lambda: 'combobox "Middle"' in outline(tools, app), "the boxes")
        result = tools("select_option", application=app, element='combobox "Middle"', option="left")
        same((result["effect"], result["value"]), ("confirmed", "Left"), result)
        has(tools.fails("INVALID_ARGUMENT", "select_option", application=app, element='combobox "Right"', option="Rigth"),
            'Nearest: "Right"')
        result = tools("select_option", application=app, element='radio "Page 1"', option="Page 2")
        same(result["effect"], "confirmed", result)


def options_of_qt(tools, _desktop):
    """A closed list gives its options a place where nothing of it is: it is never clicked there."""
    with opened(tools, "featherpad") as app:
        until(lambda: 'menuitem "Options"' in outline(tools, app), "the menus")
        has(choose(tools, app, "Options > Preferences")["evidence"], "Preferences")
        result = tools("select_option", application=app, element='combobox "North"', option="West")
        same((result["effect"], result["value"]), ("confirmed", "West"), result)
        result = tools("select_option", application=app, element='tablist in dialog', option="Text")
        same((result["effect"], result["value"]), ("confirmed", "Text"), result)


run((("a file is saved under other names by menu and dialog in mousepad (GTK 3)", in_mousepad),
     ("items that are off or missing are refused, and no menu stays open (GTK 3)", refused_in_mousepad),
     ("a file is saved under other names by menu and dialog in FeatherPad (Qt 5)", in_featherpad),
     ("options of combo boxes are chosen (GTK 3)", options_of_gtk),
     ("options of a combo box and tabs are chosen (Qt 5)", options_of_qt)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "featherpad", "gtk3-widget-factory"), lambda desktop: Tools(desktop.env))
