#!/usr/bin/env python3
"""Tasks in large applications, by elements only. What came of each is read in the application's own output: a file that it
saved, a folder, the title that a page gave itself."""

import contextlib
import json
import os
import re
import shutil
import sys
import zipfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from applications import FIREFOX        # noqa: E402
from tap import Skip                    # noqa: E402
from tools import Tools, has, opened, run, same, still, until     # noqa: E402


class App:
    """The tools, on one application."""

    def __init__(self, tools, name):
        self.tools, self.name = tools, name

    def __call__(self, tool, /, **arguments):
        return self.tools(tool, application=self.name, **arguments)

    def outline(self, **more):
        return self("get_ui_tree", max_tokens=4000, **more)["outline"]

    def shows(self, text):
        until(lambda: text in self.outline(), text)

    def click(self, element, *effects, **more):
        result = self("click_element", element=element, **more)
        if effects:
            same(result["effect"] in effects, True, (element, result))
        return result

    def set(self, element, value):
        result = self("write_element_value", element=element, value=value)
        same(result["effect"], "confirmed", (element, result))

    def menu(self, path):
        result = self("select_menu_item", path=path)
        same(result["effect"] in ("confirmed", "partial"), True, (path, result))

    def dialog(self, **more):
        return self("handle_dialog", **more)

    def act(self, *steps):
        result = self("act", steps=list(steps), timeout=55)
        same(result["done"], True, result)
        return result


@contextlib.contextmanager
def app(tools, name, **more):
    if not shutil.which(name) and not name.startswith("libreoffice-"):
        raise Skip(f"{name} is not installed (vendor/install wide)")
    with opened(tools, name, **more) as application:
        yield App(tools, application)


# --- GTK 3: each kind of widget ----------------------------------------------------------------------

def each_kind_of_widget(tools, _desktop):
    """The state of each is read back, so that confirmed is the whole result."""
    with app(tools, "gtk3-widget-factory") as it:
        it.shows('combobox "Middle"')
        for selector in ('checkbox enabled not checked nth 2', 'radio "radiobutton" enabled not checked nth 2',
                         'toggle "togglebutton" enabled not checked', SWITCH, SWITCH):
            it.click(selector, "confirmed")
        it.set("entry enabled nth 3", "Grüße 世界")
        it.set("spin enabled", "33")
        it.set("slider enabled nth 1", "70")
        it.set("text", "other\nlines")
        for element, option in (('combobox "Middle"', "Left"), ("tablist nth 1", "page 2"), ('radio "Page 1"', "Page 3")):
            same(it("select_option", element=element, option=option)["effect"], "confirmed", (element, option))
        it.shows("Page 3")


SWITCH = "toggle nth 6"


def goes_to(it, name, shown):
    same(it("select_option", element='radio "Page 1"', option=name)["effect"], "confirmed", name)
    it.shows(shown)


def fold(it, element, holds):
    """Collapsed and expanded again, and what is in it went and came."""
    for action in ("collapse", "expand"):
        result = it("perform_element_action", element=element, action=action)
        same(result["effect"], "confirmed", (element, action, result))
        same(bool(it("find_elements", selector=holds)["total_size"]), action == "expand", (holds, action))


def expander_menu_and_rows(tools, _desktop):
    with app(tools, "gtk3-widget-factory") as it:
        goes_to(it, "Page 2", 'toggle "Expander"')
        fold(it, 'toggle "Expander"', 'button "Add item"')
        it.click('toggle in listitem "Row 1"', "confirmed")
        it.click('listitem "Row 4"', "confirmed", "partial")
        it.set('slider in listitem "Row 2"', "20")
        it.click('menu "Edit"', "confirmed")
        it.shows('menuitem "Cut"')
        tools("create_input", action="keys", keys="escape")
        until(lambda: 'menuitem "Cut"' not in it.outline(), "the end of the menu")
        it.menu("View > Statusbar")
        until(lambda: "statusbar" not in it.outline(), "the end of the status bar")


def cells_of_a_tree(tools, _desktop):
    with app(tools, "gtk3-widget-factory") as it:
        goes_to(it, "Page 3", 'cell "Charlemagne"')
        fold(it, 'cell "Charlemagne"', 'cell "Pepin the Short"')
        it.click('cell "Bertrada of Laon"', "confirmed")
        it.click('toggle "Record"', "confirmed")
        it.click('listitem "Address"', "confirmed")


def items_of_a_menu_button(tools, _desktop):
    """The last one: it switches the whole window off for some seconds."""
    with app(tools, "gtk3-widget-factory") as it:
        it.menu("Menu > Get Busy")
        it.shows('button "link button" off')


# --- files ------------------------------------------------------------------------------------------

def a_folder_is_made_and_renamed(tools, desktop):
    place = desktop.folder / "place"
    place.mkdir()
    with app(tools, "thunar", files=[str(place)]) as it:
        it.shows("menu")
        it.menu("File > Create Folder...")
        named(it, "Create", "first")
        until((place / "first").is_dir, "the folder")
        it.menu("Edit > Rename...")     # it is selected, because it is new
        named(it, "Rename", "second")
        until((place / "second").is_dir, "the other name")
        same(sorted(os.listdir(place)), ["second"])


def named(it, button, name):
    it.shows("dialog")
    it.set("entry in dialog", name)
    same(it.dialog(button=button)["effect"], "confirmed")


# --- LibreOffice -------------------------------------------------------------------------------------

@contextlib.contextmanager
def office(tools, part):
    """Past the dialogs that may come first, one after the other: a choice of templates, a tip."""
    with app(tools, f"libreoffice-{part}") as it:
        it.shows('menu "File"')
        while 'dialog "' in still(it.outline, 4):
            same(it.dialog(button="cancel")["effect"], "confirmed")
        yield it


def saved(it, path):
    it.menu("File > Save As...")
    result = it.dialog(path=str(path), button="Save")
    same((result["effect"], result["value"]), ("confirmed", str(path)), result)
    until(path.exists, "the file")


def contents(path):
    with zipfile.ZipFile(path) as file:
        return file.read("content.xml").decode()


def a_letter(tools, desktop):
    path = desktop.folder / "letter.odt"
    with office(tools, "writer") as it:
        it.set("paragraph", "Grüße from a script")
        it.menu("Insert > Page Break")
        saved(it, path)
    has(contents(path), "Grüße from a script")
    has(contents(path), 'break-before="page"')


def a_sum(tools, desktop):
    """The sheet has the keyboard from the start."""
    path = desktop.folder / "sum.ods"
    with office(tools, "calc") as it:
        it.act({"type": "12\n30\n=A1+A2\n"})
        saved(it, path)
    has(contents(path), 'office:value="42"')


def a_slide(tools, desktop):
    path = desktop.folder / "slide.odp"
    with office(tools, "impress") as it:
        it.set('paragraph in group "PresentationTitle"', "A title by a script")
        it.menu("Slide > New Slide")
        it.shows("Slide 2 of 2")
        saved(it, path)
    has(contents(path), "A title by a script")
    same(contents(path).count("<draw:page "), 2)


# --- pages --------------------------------------------------------------------------------------------

FORM = """<!doctype html><meta charset="utf-8"><title>a form</title>
<form id="form" onsubmit="document.title = 'sent ' + JSON.stringify(Object.fromEntries(new FormData(this))); return false">
<p><label>Name <input name="name"></label> <label>Age <input name="age" type="number"></label>
<p><label>Secret <input name="secret" type="password"></label>
<p><label>Notes <textarea name="notes"></textarea></label>
<p><label><input type="checkbox" name="news"> News</label>
<label><input type="radio" name="size" value="s" checked> Small</label> <label><input type="radio" name="size" value="l"> Large</label>
<p><label>Color <select name="color"><option>red<option>green<option>blue</select></label>
<label>Level <input type="range" name="level" min="0" max="10" value="2"></label>
<p><label>Shown <input value="a" readonly></label> <label>Shown notes <textarea readonly>b</textarea></label>
<label>Off <input value="c" disabled></label> <label>Shown and off <input value="d" readonly disabled></label>
<label>Off notes <textarea disabled>e</textarea></label> <label>Off check <input type="checkbox" disabled></label>
<p><button>Send</button></form>"""
SENT = {"name": "Ada Grüße", "age": "36", "secret": "x1y2", "notes": "one two", "news": "on", "size": "l", "color": "blue",
        "level": "7"}


def some_are_off(it):
    """A read-only field can be read and copied. Chromium does not call it enabled, as it does not call fields that are off."""
    lines = re.findall(r'^ *e\d+ (?!label)\w+ "((?:Shown|Off)[a-z ]*)"(.*)$', it.outline(), re.MULTILINE)
    same({name: "off" in states.split() for name, states in lines},
         {"Shown": False, "Shown notes": False, "Off": True, "Shown and off": True, "Off notes": True, "Off check": True})


def form_sent(tools, it):
    it.shows('button "Send"')
    some_are_off(it)
    it.act({"set": 'entry "Name"', "value": SENT["name"]}, {"set": 'spin "Age"', "value": SENT["age"]},
           {"set": 'field "Notes"', "value": SENT["notes"]}, {"click": 'checkbox "News"'}, {"click": 'radio "Large"'},
           {"verify": {"element": 'checkbox "News"', "condition": "checked"}})
    it("write_element_value", element='password "Secret"', value=SENT["secret"])
    same(it("select_option", element='combobox "Color"', option="blue")["effect"], "confirmed")
    it.set('slider "Level"', SENT["level"])
    it.click('button "Send"', "confirmed", "partial")
    title = until(lambda: [w["title"] for w in tools("list_windows")["windows"] if w["title"].startswith("sent ")], "the title")[0]
    same(json.JSONDecoder().raw_decode(title[len("sent "):])[0], SENT)


def page(desktop):
    path = desktop.folder / "form.html"
    path.write_text(FORM, encoding="utf-8")
    return f"file://{path}"


def a_form_in_chromium(tools, desktop):
    if not shutil.which("chromium"):
        raise Skip("chromium is not installed (vendor/install wide)")
    arguments = ["--no-sandbox", "--test-type", "--no-first-run", "--disable-gpu",
                 f"--user-data-dir={desktop.folder / 'chromium'}", f"--app={page(desktop)}"]
    with opened(tools, shutil.which("chromium"), arguments=arguments) as application:
        form_sent(tools, App(tools, application))


def a_form_in_firefox(tools, desktop):
    if not shutil.which("firefox-esr"):
        raise Skip("firefox-esr is not installed (vendor/install wide)")
    profile = desktop.folder / "firefox"
    profile.mkdir()
    (profile / "user.js").write_text(FIREFOX, encoding="utf-8")
    arguments = ["--no-remote", "--profile", str(profile), page(desktop)]
    with opened(tools, shutil.which("firefox-esr"), arguments=arguments) as application:
        form_sent(tools, App(tools, application))


CASES = [
    ("each kind of widget of gtk3-widget-factory", each_kind_of_widget),
    ("an expander, a menu and rows of gtk3-widget-factory", expander_menu_and_rows),
    ("cells of a tree of gtk3-widget-factory", cells_of_a_tree),
    ("a menu button of gtk3-widget-factory, and an item of its menu", items_of_a_menu_button),
    ("a folder is made and renamed in Thunar", a_folder_is_made_and_renamed),
    ("a form is filled and sent in Chromium", a_form_in_chromium),
    ("a form is filled and sent in Firefox", a_form_in_firefox),
    ("a letter is written and saved in LibreOffice Writer", a_letter),
    ("a sum is made and saved in LibreOffice Calc", a_sum),
    ("a slide gets a title and another one after it in LibreOffice Impress", a_slide),
]

if __name__ == "__main__":
    chosen = [case for case in CASES if len(sys.argv) < 2 or any(word in case[0] for word in sys.argv[1:])]
    run(chosen, ("Xvfb", "openbox", "dbus-daemon"), lambda desktop: Tools(desktop.env))
