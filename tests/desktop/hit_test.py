#!/usr/bin/env python3
"""The element under a point, in real applications: each is asked what is there, and only where it does not tell is all of it read."""

import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

from tap import Skip                                  # noqa: E402
from tools import opened, run, same, still, until     # noqa: E402


OVERLAY = """
import gi
gi.require_version("Gtk", "3.0")
from gi.repository import Gtk
window, overlay = Gtk.Window(title="Over"), Gtk.Overlay()
window.set_default_size(400, 300)
overlay.add(Gtk.Button(label="Below"))
overlay.add_overlay(Gtk.Button(label="Above", halign=Gtk.Align.CENTER, valign=Gtk.Align.CENTER))
window.add(overlay)
window.show_all()
Gtk.main()"""


def middle(bounds):
    return {"x": bounds["x"] + bounds["width"] // 2, "y": bounds["y"] + bounds["height"] // 2}


def inside(inner, outer):
    return all(outer[at] <= inner[at] and inner[at] + inner[size] <= outer[at] + outer[size] for at, size in (("x", "width"), ("y", "height")))


def under(tools, point):
    """(role, name) of what is there; of several, all."""
    found = tools("find_region_elements", width=1, height=1, **point)["elements"]
    return [(each["role"], each["name"]) for each in found]


def all_of(tools, app, *roles):
    """The elements of these roles that have a name of their own there."""
    found = tools("find_elements", application=app, page_size=200)["elements"]
    return [each for each in found if each["role"] in roles and each["name"] and each.get("bounds", {}).get("width", 0) > 1]


#: Under GTK 4 a menu button is in another one of its name, and the inner one is what is pressed; Debian 13 has toggles.
INNER = {"button": ("button", "toggle")}


def each_is_found(tools, app, *roles):
    """Each element that a look at all finds is the one at its middle, with the same ref. Returns their number."""
    found = all_of(tools, app, *roles)
    for each in found:
        there = tools("find_region_elements", width=1, height=1, **middle(each["bounds"]))["elements"]
        same([one["name"] for one in there], [each["name"]], each["bounds"])
        within = there[0]["role"] in INNER.get(each["role"], ()) and inside(there[0]["bounds"], each["bounds"])
        same((there[0]["role"], there[0]["ref"]) == (each["role"], each["ref"]) or within, True, (there[0], each))
    return len(found)


def buttons_menus_and_tabs(name, *roles, least=5):
    def case(tools, _desktop):
        if not shutil.which(name):
            raise Skip(f"{name} is not installed (vendor/install test)")
        with opened(tools, name) as app:
            until(lambda: len(all_of(tools, app, *roles)) >= least, "its elements")
            still(lambda: all_of(tools, app, *roles))
            same(each_is_found(tools, app, *roles) >= least, True, "there are some")
    return case


def a_window_that_moved(tools, _desktop):
    """Its place was known from the look before."""
    with opened(tools, "mousepad") as app:
        window = tools("list_windows", application=app)["windows"][0]["name"]
        same(each_is_found(tools, app, "menu") >= 5, True)
        for x, y, width in ((30, 40, 500), (220, 160, 640)):
            same(tools("resize_window", window=window, width=width, height=400)["done"], True)
            same(tools("move_window", window=window, x=x, y=y)["done"], True)
            still(lambda: all_of(tools, app, "menu"))
            same(each_is_found(tools, app, "menu") >= 5, True)


def an_open_menu(tools, desktop):
    """A text that it covers was found, beside its items or in their place."""
    note = desktop.folder / "covered.txt"
    note.write_text("covered\n" * 40)
    with opened(tools, "mousepad", files=[str(note)]) as app:
        text = tools("find_elements", application=app, role="text")["elements"][0]["bounds"]
        tools("click_element", application=app, element='menu "File"')
        item = until(lambda: tools("find_elements", application=app, selector='menuitem "Save As..."')["elements"], "the menu")[0]
        point = middle(item["bounds"])
        same(text["x"] <= point["x"] < text["x"] + text["width"] and text["y"] <= point["y"] < text["y"] + text["height"], True,
             "the menu covers the text")
        same(under(tools, point), [("menuitem", "Save As...")])
        tools("create_input", action="keys", keys="escape")
        until(lambda: under(tools, point) == [("text", "")], "the text, once the menu is closed")


def popups(tools):
    return [each["bounds"] for each in tools("list_windows", all_kinds=True)["windows"] if each["kind"] == "popup"]


def names(tools, region):
    return [each["name"] for each in tools("find_region_elements", **region)["elements"]]


def regions_over_menus(tools, desktop):
    """A region in a menu has its items alone, in a menu of a menu, too; one over its edge has also what is beside it. What it covers
    was found."""
    note = desktop.folder / "below.txt"
    note.write_text("below\n" * 40)
    with opened(tools, "mousepad", files=[str(note)]) as app:
        def item(name):
            found = tools("find_elements", application=app, selector=f'menu "{name}"')["elements"]
            return [each["bounds"] for each in found if each.get("bounds", {}).get("width", 0) > 1]
        whole = tools("list_windows", application=app)["windows"][0]["bounds"]
        menus = {each["name"]: each["bounds"] for each in all_of(tools, app, "menu")}
        tools("create_input", action="click", **middle(menus["View"]))
        popup = until(lambda: popups(tools), "the menu")[0]
        tools("create_input", action="click", **middle(until(lambda: item("Color Scheme"), "its item")[0]))
        second = until(lambda: [each for each in popups(tools) if each != popup], "the menu of the menu")[0]
        shown = [each for each in all_of(tools, app, "menuitem", "menu", "checkitem", "radioitem") if each["name"] not in menus]
        for menu, other in ((popup, second), (second, popup)):
            inside = [each for each in shown if each["bounds"]["width"] == menu["width"] and each["bounds"]["x"] == menu["x"]]
            same(len(inside) > 3, True, shown)
            for each in inside[:4]:
                found = tools("find_region_elements", width=1, height=1, **middle(each["bounds"]))["elements"]
                same([(one["name"], one["ref"]) for one in found], [(each["name"], each["ref"])])
            strip = {"x": menu["x"] + (5 if menu["x"] < other["x"] else 40), "y": menu["y"], "width": 4, "height": menu["height"]}
            same(names(tools, strip), [each["name"] for each in inside], strip)
        edge = {"x": popup["x"] - 4, "y": popup["y"] + popup["height"] - 14, "width": 20, "height": 28}
        if edge["x"] > whole["x"]:
            same(sorted(names(tools, edge)), sorted(["", *names(tools, {**edge, "x": popup["x"], "width": 16, "height": 14})]), "with the text")
        below = {"x": popup["x"] + 4, "y": popup["y"] + popup["height"] + 4, "width": 8, "height": 8}
        same(under(tools, middle(below)), [("text", "")], "the text below the menu")


def a_window_over_another(tools, desktop):
    with opened(tools, "mousepad") as lower:
        window = tools("list_windows", application=lower)["windows"][0]["name"]
        tools("resize_window", window=window, width=900, height=600)
        with opened(tools, "gnome-calculator") as upper:
            found = until(lambda: tools("find_elements", application=upper, selector='button "5"')["elements"], "its button")[0]
            same(under(tools, middle(found["bounds"])), [("button", "5")])
            tools("move_window", window=window, x=max(0, found["bounds"]["x"] - 300), y=max(0, found["bounds"]["y"] - 300))
            same(tools("focus_window", window=window)["done"], True)
            until(lambda: under(tools, middle(found["bounds"])) == [("text", "")], "what is in front there now")


def one_over_another(tools, desktop):
    """GTK names the one that lies below."""
    child = subprocess.Popen(["/usr/bin/python3", "-c", OVERLAY], env=desktop.env)
    app = f"applications/{child.pid}"

    def buttons():
        result = tools.result("find_elements", application=app, role="button")
        placed = [] if result.get("isError") else [each for each in result["structuredContent"]["elements"] if each.get("bounds")]
        return placed if len(placed) == 2 else None
    try:
        found = {each["name"]: each["bounds"] for each in until(buttons, "the buttons")}
        same(inside(found["Above"], found["Below"]), True, found)
        same(sorted(under(tools, middle(found["Above"]))), [("button", "Above"), ("button", "Below")], "as all of it tells")
        corner = {"x": found["Below"]["x"] + 5, "y": found["Below"]["y"] + 5}
        same(under(tools, corner), [("button", "Below")])
    finally:
        child.kill()
        child.wait()


def a_region_over_several(tools, _desktop):
    """One that no element holds is read as before."""
    with opened(tools, "mousepad") as app:
        menus = all_of(tools, app, "menu")
        first, second = menus[0]["bounds"], menus[1]["bounds"]
        region = {"x": first["x"] + first["width"] - 5, "y": first["y"] + 5, "width": 10, "height": 5}
        same([each["name"] for each in tools("find_region_elements", **region)["elements"]], [menus[0]["name"], menus[1]["name"]])
        same(under(tools, middle(second)), [("menu", menus[1]["name"])])


run((("GTK 3: menus", buttons_menus_and_tabs("mousepad", "menu")),
     ("GTK 4: buttons, whose text is an element in them", buttons_menus_and_tabs("gnome-calculator", "button", least=15)),
     ("Qt: buttons and menus", buttons_menus_and_tabs("featherpad", "button", "menuitem")),
     ("a window that moved", a_window_that_moved),
     ("an open menu", an_open_menu),
     ("regions over menus", regions_over_menus),
     ("a window over another", a_window_over_another),
     ("an element over another", one_over_another),
     ("a region over several elements", a_region_over_several)),
    ("Xvfb", "openbox", "dbus-daemon", "mousepad", "gnome-calculator"))
