#!/usr/bin/env python3
"""Menus, dialogs and options of real applications: GTK 3, GTK 4 and Qt 5."""

import os
import re
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
from tools import Tools, has, opened, run, same, until     # noqa: E402


def outline(tools, app):
    return tools("get_ui_tree", application=app)["outline"]


def choose(tools, app, path):
    return tools("select_menu_item", application=app, path=path)


def saved_under(tools, app, path, old):
    """Saves by the menu and the dialog, then once more under the name of an existing file. Returns the question."""
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
        has(tools.fails("ELEMENT_NOT_FOUND", "select_menu_item", application=app, path="File > Svae"), '"Save"')
        has(tools.fails("ELEMENT_AMBIGUOUS", "select_menu_item", application=app, path="File > Sav"), '"Save As..."')
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


def opened_go_to(tools, app, act, **more):
    until(lambda: 'menu "Search"' in outline(tools, app), "the menus")
    result = tools(act, application=app, **more)
    same(result["effect"], "confirmed", result)
    has(result["evidence"], 'dialog "Go To" came')
    return result


def modal_dialog_before_the_menus(tools, _desktop):
    """It said "was opened and shows no items", and nothing of the dialog."""
    with opened(tools, "mousepad") as app:
        opened_go_to(tools, app, "select_menu_item", path="Search > Go to...")
        text = tools.fails("DIALOG_IN_FRONT", "select_menu_item", application=app, path="File > Close Tab")
        has(text, 'dialog "Go To" is in front and holds the application')
        has(text, "handle_dialog")
        same(tools("handle_dialog", application=app, button="cancel")["effect"], "confirmed")
        same(choose(tools, app, "Edit > Select All")["effect"] in ("confirmed", "partial"), True)


def dialog_within_an_action(tools, _desktop):
    """GTK 3 runs it within the action, and mousepad answers for no element until it is closed. Acting waited for it."""
    with opened(tools, "mousepad") as app:
        item = 'menuitem "Go to..."'
        result = opened_go_to(tools, app, "perform_element_action", element=item, action="click")
        same(result["route"].startswith("action click"), True, result)
        has(result["evidence"], "close_window")
        has(tools.fails("APP_HUNG", "select_menu_item", application=app, path="File > Save"), 'Its dialog "Go To" is in front')
        dialog = next(w for w in tools("list_windows", parent=app)["windows"] if w["title"] == "Go To")
        tools("close_window", name=dialog["name"])
        until(lambda: not tools.result("get_ui_tree", application=app).get("isError"), "the elements again")
        result = opened_go_to(tools, app, "click_element", element=item)     # by the pointer: its name says that a dialog comes
        same(result["route"].startswith("pointer"), True, result)
        same(tools("handle_dialog", application=app, button="cancel")["effect"], "confirmed")


def popover_of_a_menu_button(tools, _desktop):
    """GTK 3 says that the button has no children, and of the popover that it is the button's. Once the button had been read
    again, the popover was in no look any more."""
    with opened(tools, "gtk3-widget-factory") as app:
        until(lambda: 'toggle "Menu"' in outline(tools, app), "the button")
        tools("click_element", application=app, element='toggle "Menu"')
        until(lambda: 'button "Get Busy"' in outline(tools, app), "what is in the popover")
        tools("create_input", action="keys", keys="escape")
        until(lambda: 'button "Get Busy"' not in outline(tools, app), "the end of the popover")
        same(choose(tools, app, "Menu > Get Busy")["effect"], "confirmed")
        until(lambda: 'toggle "Menu" off' in outline(tools, app), "its effect")     # for some seconds all is off


MENUS = """
window = Gtk.Window(title="Menu lab", default_width=400, default_height=200)
bar = Gtk.Toolbar()
window.add(bar)

def menu(*texts):
    made = Gtk.Menu()
    for text in texts:
        item = Gtk.MenuItem(label=text)
        item.connect("activate", lambda item: log(item.get_label()))
        made.append(item)
    made.show_all()
    return made

plain = Gtk.ToolItem()
button = Gtk.MenuButton(label="Sort")
button.set_popup(menu("By Name", "By Size"))
plain.add(button)
bar.insert(plain, -1)
tool = Gtk.MenuToolButton(label="Back")
tool.set_menu(menu("Home", "Desk"))
bar.insert(tool, -1)
window.show_all()
"""


def menus_of_buttons(tools, desktop):
    """The items are in the list of the button and say that they are the menu's, which is in no list: no look had them."""
    log = desktop.folder / "menus.log"
    log.write_text("", encoding="utf-8")
    lab = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib", "lab_window.py")
    with applications.program(desktop, "/usr/bin/python3", lab, str(log), MENUS):
        until(lambda: any(each["title"] == "Menu lab" for each in tools("list_windows")["windows"]), "the window")
        until(lambda: not tools.result("get_ui_tree", window="Menu lab", source="tree").get("isError"), "its elements")
        for element, items in (('toggle "Sort"', ("By Name", "By Size")), ('toggle "Menu"', ("Home", "Desk"))):
            changes = "\n".join(tools("click_element", window="Menu lab", element=element)["changes"])
            refs = [re.search(rf'(e\d+) menuitem "{item}"', changes) for item in items]
            same(all(refs), True, changes)
            tools("click_element", element=refs[1].group(1))
            until(lambda last=items[1]: log.read_text(encoding="utf-8").split("\n")[-2] == last, items[1])
        result = tools("select_menu_item", window="Menu lab", path="Sort > By Name")
        same((result["effect"], result["evidence"]), ("partial", "its menu took it and closed, and nothing else changed"), result)
        until(lambda: log.read_text(encoding="utf-8").endswith("Desk\nBy Name\n"), "the choice by a path")


def context_menu_of_qt(tools, _desktop):
    """It was said to have no effect, because Qt lists no menu that a right click opens."""
    with opened(tools, "featherpad") as app:
        until(lambda: "text" in outline(tools, app), "the text")
        result = tools("click_element", application=app, element="text", button="right")
        same(result["effect"], "partial", result)
        has(result["evidence"], "a menu or another popup opened")
        tools("create_input", action="keys", keys="escape")


def popover_that_is_open(tools, _desktop):
    """The button was pressed, which closed the popover, and the answer was that it was opened and shows no items."""
    with opened(tools, "gtk3-widget-factory") as app:
        until(lambda: 'toggle "Menu"' in outline(tools, app), "the button")
        tools("click_element", application=app, element='toggle "Menu"')
        until(lambda: 'button "Get Busy"' in outline(tools, app), "what is in the popover")
        has(tools.fails("ELEMENT_NOT_FOUND", "select_menu_item", application=app, path="Menu > Get Bussy"), '"Get Busy"')
        has(outline(tools, app), 'button "Get Busy"')
        same(choose(tools, app, "Menu > Get Busy")["effect"], "confirmed")
        until(lambda: 'toggle "Menu" off' in outline(tools, app), "its effect")


def items_on_the_way(tools, _desktop):
    """The undo was done, and then the answer was that it shows no items."""
    with opened(tools, "mousepad") as app:
        until(lambda: 'menu "Edit"' in outline(tools, app), "the menus")
        tools("create_input", action="type", text="some words")
        text = tools.fails("INVALID_ARGUMENT", "select_menu_item", application=app, path="Edit > Undo > Nope")
        has(text, 'menuitem "Undo" is an item, not a menu')
        has(text, '"Convert"')
        same("still open" in text, False, text)
        has(outline(tools, app), "some words")


BUTTONS = ("button", "toggle")
MAIN_MENU = {"toggle": ['"Main', 'Menu"']}      # GTK 4.18 tells of a toggle, which has its tooltip for a name; GTK 4.8 of a button


def text_of_a_button_names_no_other(tools, _desktop):
    """The main menu was called "Basic", and the menu of the modes "Undo", by the buttons before them."""
    with opened(tools, "gnome-calculator") as app:
        until(lambda: 'button "7"' in outline(tools, app), "the buttons")
        shown = outline(tools, app)
        same([sum(shown.count(f'{role} "{name}"') for role in BUTTONS) for name in ("Undo", "Basic")], [1, 1], shown)
        lines = [line.split() for line in shown.splitlines()]
        at = next(n for n, line in enumerate(lines) if line[2:3] == ['"Basic"'])
        menu = lines[at + 1]
        same((menu[1] in BUTTONS, menu[2:]), (True, MAIN_MENU.get(menu[1], [])), shown)
        tools("click_element", application=app, element=menu[0])
        until(lambda: '"Preferences"' in outline(tools, app), "the main menu")


def menu_button_in_another(tools, _desktop):
    """GTK 4: the label of one button gave its name to the next one too. The popover of the first is below its outer one."""
    with opened(tools, "gnome-calculator") as app:
        until(lambda: 'button "7"' in outline(tools, app), "the buttons")
        for path in ("Basic > Advanced", "Advanced > Basic"):
            same(choose(tools, app, path)["evidence"], "it is checked now")


PORTAL = """
import sys
import gi
for name in ("Gdk", "GdkX11", "Gtk"):
    gi.require_version(name, "3.0")
from gi.repository import Gdk, GdkX11, Gtk
dialog = Gtk.FileChooserDialog(title="Open for another", action=Gtk.FileChooserAction.OPEN)
dialog.add_buttons("Cancel", Gtk.ResponseType.CANCEL, "Open", Gtk.ResponseType.ACCEPT)
dialog.realize()
dialog.get_window().set_transient_for(GdkX11.X11Window.foreign_new_for_display(Gdk.Display.get_default(), int(sys.argv[1])))
def answered(*_):
    print(dialog.get_filename(), flush=True)
    dialog.hide()
dialog.connect("response", answered)
dialog.show()
Gtk.main()
"""


def dialog_of_a_portal(tools, desktop):
    """The application's own windows were looked at alone, and there was no dialog."""
    path = desktop.folder / "by portal.txt"
    path.write_text("a file\n", encoding="utf-8")
    with opened(tools, "mousepad") as app:
        window = tools("list_windows", parent=app)["windows"][0]["name"].rpartition("/")[2]
        with subprocess.Popen(["/usr/bin/python3", "-c", PORTAL, window], env=desktop.env, stdout=subprocess.PIPE, text=True) as portal:
            try:
                tools("wait_for", condition="window", window="Open for another", timeout=55)
                until(lambda: not tools.result("handle_dialog", application=app).get("isError"), "the dialog")
                result = tools("handle_dialog", application=app, path=str(path), button="Open")
                same((result["effect"], result["value"]), ("confirmed", str(path)), result)
                same(portal.stdout.readline(), f"{path}\n")
            finally:
                portal.kill()


run((("a dialog that another process shows for the application", dialog_of_a_portal),
     ("the text of a button names no other one (GTK 4)", text_of_a_button_names_no_other),
     ("a menu button in another is opened (GTK 4)", menu_button_in_another),
     ("the popover of a menu button is seen when it opens (GTK 3)", popover_of_a_menu_button),
     ("the menus of buttons are seen when they open, and chosen from (GTK 3)", menus_of_buttons),
     ("a context menu that is not listed is told (Qt 5)", context_menu_of_qt),
     ("an item of a popover that is open already is chosen (GTK 3)", popover_that_is_open),
     ("a modal dialog in front of the menus is told (GTK 3)", modal_dialog_before_the_menus),
     ("a dialog within the action that opened it does not hold up acting (mousepad's Go to...)", dialog_within_an_action),
     ("a file is saved under other names by menu and dialog in mousepad (GTK 3)", in_mousepad),
     ("items that are off or missing are refused, and no menu stays open (GTK 3)", refused_in_mousepad),
     ("a file is saved under other names by menu and dialog in FeatherPad (Qt 5)", in_featherpad),
     ("options of combo boxes are chosen (GTK 3)", options_of_gtk),
     ("options of a combo box and tabs are chosen (Qt 5)", options_of_qt),
     ("an item in the middle of a path is not chosen (GTK 3)", items_on_the_way)),    # mousepad asks about its text after this
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "featherpad", "gtk3-widget-factory", "gnome-calculator"), lambda desktop: Tools(desktop.env))
