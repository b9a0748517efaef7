#!/usr/bin/env python3
"""A rule about the press of an element holds for the pointer and the keys as well, whichever tool sends them."""

import os
import shutil
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from kit import Place, call, code_of, text_of     # noqa: E402
from desktop import Desktop                       # noqa: E402
from lab import lab, page                               # noqa: E402
from tools import Tools, until                    # noqa: E402
import tap                                        # noqa: E402

NEEDED = ("Xvfb", "openbox")

# One element called "Delete", which has the keyboard from the start, and one called "Keep".
WINDOW = """
window = Gtk.Window(title="Pressing")
box = Gtk.Box(orientation=Gtk.Orientation.VERTICAL, spacing=12)
%s
keep = Gtk.Button(label="Keep", can_focus=False)
keep.connect("clicked", lambda *_: log("kept"))
box.add(keep)
window.add(box)
window.show_all()
%s.grab_focus()
"""
BUTTON = 'it.connect("clicked", lambda *_: log("hit"))\nbox.add(it)'
TOGGLE = 'it.connect("toggled", lambda *_: log("hit"))\nbox.add(it)'
PICTURE = ('it = Gtk.Button()\ninside = Gtk.Box()\ninside.add(Gtk.Image.new_from_icon_name("edit-delete", Gtk.IconSize.DIALOG))\n'
           'inside.add(Gtk.Label(label="Delete"))\nit.add(inside)\nit.get_accessible().set_name("Delete")\n')
ELEMENTS = {
    "a button": 'it = Gtk.Button(label="Delete")\n' + BUTTON,
    "a button with a picture": PICTURE + BUTTON,
    "a toggle": 'it = Gtk.ToggleButton(label="Delete")\n' + TOGGLE,
    "a check box": 'it = Gtk.CheckButton(label="Delete")\n' + TOGGLE,
    "a link": 'it = Gtk.LinkButton(uri="x:y", label="Delete")\nit.connect("activate-link", lambda *_: [log("hit")])\nbox.add(it)',
}
ENTRY = ('it = Gtk.Entry()\nit.get_accessible().set_name("Delete")\nit.connect("changed", lambda *_: log("hit"))\nbox.add(it)')

# Input by the module itself, as any tool of a user's may send it.
SENDS = """
local input = require "sys.input"
return { description = "Sends.", inputSchema = { type = "object" }, run = function(args)
  for _, each in ipairs(args.does) do
    local done, err, code = input.send(each)
    if not done then return nil, err, code end
  end
  return "done"
end }
"""
KEYS = {"space": [{"kind": "keys", "chord": "space"}], "enter": [{"kind": "keys", "chord": "enter"}],
        "a key held down": [{"kind": "key_down", "chord": "space"}, {"kind": "key_up", "chord": "space"}],
        "a typed blank": [{"kind": "text", "text": " "}]}
WRITES = {"a key": [{"kind": "keys", "chord": "a"}], "text": [{"kind": "text", "text": "word"}],
          "a paste": [{"kind": "paste", "text": "word"}], "shift": [{"kind": "keys", "chord": "shift+b"}],
          "backspace": [{"kind": "keys", "chord": "backspace"}]}


def ways(at, app, keys):
    """Calls by name: tools that press by the application's interface or by the pointer, and input of all kinds."""
    point = {"x": at[0], "y": at[1]}
    element = {"application": app, "element": '"Delete"'}
    list_of = {
        "click": ("click_element", element), "by the pointer": ("click_element", {**element, "method": "pointer"}),
        "act": ("act", {"application": app, "steps": [{"click": '"Delete"'}]}),
        "a point": ("create_input", {"action": "click", **point}),
        "a double click": ("create_input", {"action": "double_click", **point}),
        "sent": ("sends", {"does": [{"kind": "click", **point}]}),
        "press and release": ("sends", {"does": [{"kind": "press", **point}, {"kind": "release", **point}]}),
        "a short drag": ("sends", {"does": [{"kind": "drag", "path": [point, {"x": at[0] + 1, "y": at[1]}]}]}),
    }
    return {**list_of, **{name: ("sends", {"does": does}) for name, does in keys.items()}}


def denying(name):
    return Place(f"return {{ rules = {{ {{ deny = 'never press it', effect = 'press', name = '{name}' }}, {{ allow = true }} }} }}",
                 sends=SENDS)


def tried(desktop, code, name, keys):
    """Tries each way under a rule about elements of this name: what the application was told of it."""
    with denying(name) as place:
        place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11"}
        tools = Tools(desktop.env)
        with lab(tools, desktop, WINDOW % (code, "it")) as it, place.serve() as server:
            found = until(lambda: tools("find_elements", application=it.app, text="Delete")["elements"], "the element")[0]["bounds"]
            at = (found["x"] + found["width"] / 2, found["y"] + found["height"] / 2)
            for way, (tool, arguments) in ways(at, it.app, keys).items():
                yield way, it, server, call(server, tool, arguments)[0]
        tools.close()


def none_is_pressed(code, keys):
    with Desktop() as desktop:
        for way, it, server, result in tried(desktop, code, "Delete", keys):
            assert code_of(result) == "denied" and "never press it" in text_of(result), (way, result)
            kept, _ = call(server, "click_element", {"application": it.app, "element": 'button "Keep"', "method": "pointer"})
            assert not kept.get("isError"), (way, kept)
            until(lambda: it.log()[-1:] == ["kept"], f"the other button, after {way}")
            assert "hit" not in it.log(), way


def all_do_press(code, keys):
    """The same ways, where the rule is about another element: each of them does press it."""
    with Desktop() as desktop:
        for way, it, _, result in tried(desktop, code, "Delet", keys):
            assert not result.get("isError"), (way, result)
            until(lambda: "hit" in it.log(), f"the press by {way}")
            it.path.write_text("")


TIP = """
above = Gtk.Button(label="Above", tooltip_text="The tooltip of what is above")
box.add(above)
it = Gtk.Button(label="Delete")
it.set_size_request(300, 160)
it.connect("clicked", lambda *_: log("hit"))
box.pack_start(it, True, True, 0)
"""


def bounds_of(tools, app, name):
    found = tools("find_elements", application=app, text=name)["elements"]
    return found[0].get("bounds") if found else None     # one that was not drawn yet has none


def covered_by_a_tooltip():
    """It goes when the pointer comes, so what is below is what is pressed."""
    with Desktop() as desktop, denying("Delete") as place:
        place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11"}
        tools = Tools(desktop.env)
        with lab(tools, desktop, WINDOW % (TIP, "it")) as it, place.serve() as server:
            below, above = (until(lambda name=name: bounds_of(tools, it.app, name), name)
                            for name in ("Delete", "Above"))

            def tip():
                listed = tools("list_windows", all_kinds=True)["windows"]
                return [each["bounds"] for each in listed if each["kind"] == "popup" and each["bounds"]["height"] > 10]
            for n in range(len(ways((0, 0), it.app, {}))):
                tools("create_input", action="move", x=1, y=1)
                until(lambda: not tip(), "that no tooltip is shown")
                for dx in (0, 2):
                    tools("create_input", action="move", x=above["x"] + above["width"] / 2 + dx, y=above["y"] + above["height"] / 2)
                box = until(tip, "the tooltip")[0]
                at = (max(box["x"], below["x"]) + 10, max(box["y"], below["y"]) + 4)
                way, (tool, arguments) = list(ways(at, it.app, {}).items())[n]
                result, _ = call(server, tool, arguments)
                assert code_of(result) == "denied", (way, result)
            tools("create_input", action="click", x=at[0], y=at[1])
            until(lambda: it.log() == ["hit"], f"one press, which nobody denies: {it.log()}")
        tools.close()


MENU = """
bar, menu = Gtk.MenuBar(), Gtk.Menu()
things, it = Gtk.MenuItem(label="Things"), Gtk.MenuItem(label="Delete")
things.set_submenu(menu)
menu.append(it)
bar.append(things)
it.connect("activate", lambda *_: log("hit"))
menu.connect("map", lambda *_: log("opened"))
menu.connect("unmap", lambda *_: log("closed"))
box.add(bar)
"""


def chosen(desktop, name, way):
    """An item of an open menu, under a rule about items of this name: (the result, what the application was told)."""
    with denying(name) as place:
        place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11"}
        tools = Tools(desktop.env)
        with lab(tools, desktop, WINDOW % (MENU, "keep")) as it, place.serve() as server:
            found = until(lambda: tools("find_elements", application=it.app, text="Things")["elements"], "the menu")[0]["bounds"]
            tools("create_input", action="click", x=found["x"] + found["width"] / 2, y=found["y"] + found["height"] / 2)
            until(lambda: "opened" in it.log(), "the open menu")
            if way == "point":
                item = until(lambda: tools("find_elements", application=it.app, text="Delete")["elements"], "the item")[0]["bounds"]
                does = [{"kind": "click", "x": item["x"] + item["width"] / 2, "y": item["y"] + item["height"] / 2}]
            else:
                tools("create_input", action="keys", keys="down")
                does = [{"kind": "keys", "chord": way}]
            result, _ = call(server, "sends", {"does": does})
            if name != "Delete":
                until(lambda: "hit" in it.log(), f"the choice by {way}")
            tools("create_input", action="keys", keys="escape")
            until(lambda: "closed" in it.log(), "the end of the menu")
            log = it.log()
        tools.close()
    return result, log


def items_of_menus():
    with Desktop() as desktop:
        for way in ("point", "enter", "space"):
            result, log = chosen(desktop, "Delete", way)
            assert code_of(result) == "denied" and "hit" not in log, (way, result, log)
            result, log = chosen(desktop, "Delet", way)
            assert not result.get("isError") and "hit" in log, (way, result, log)


PAGE = """<button>Ready</button><p><button onclick="document.title='hit'">Delete</button>
<p><button onclick="document.title='hit'"><b><i>Delete</i></b></button><p><a href="#" onclick="document.title='hit'"><span>Delete</span></a>
<p><button onclick="document.title='hit'" aria-label="Delete"><svg width=30 height=30><circle cx=15 cy=15 r=12 /></svg></button>"""


def elements_of_a_page():
    """The picture or text at a point of a page may be deep in the element that is pressed there."""
    with Desktop() as desktop, denying("Delete") as place:
        place.policy("return { rules = { { deny = 'never press it', effect = 'press', name = 'Delete', role = { 'button', 'link' } }, "
                     "{ allow = true } } }")
        place.env = {**desktop.env, **place.env, "PERIGEE_DESKTOP": "x11"}
        tools = Tools(desktop.env)
        with page(tools, desktop, "chromium", PAGE) as (app, title), place.serve() as server:
            found = [each for role in ("button", "link")
                     for each in tools("find_elements", application=app, text="Delete", role=role)["elements"]]
            assert len(found) == 4, found
            for each in found:
                at = {"x": each["bounds"]["x"] + each["bounds"]["width"] / 2, "y": each["bounds"]["y"] + each["bounds"]["height"] / 2}
                result, _ = call(server, "sends", {"does": [{"kind": "click", **at}]})
                assert code_of(result) == "denied" and title() != "hit", (each, result)
            tools("create_input", action="click", **at)
            until(lambda: title() == "hit", "a press that nobody denies")
        tools.close()


def with_a_desktop(function, *arguments):
    missing = [name for name in NEEDED if not shutil.which(name)]
    if missing:
        raise tap.Skip("not installed: " + ", ".join(missing))
    function(*arguments)


for title, program in ELEMENTS.items():
    tap.case(f"{title}, denied, is pressed neither by the pointer nor by keys", with_a_desktop, none_is_pressed, program, KEYS)
    tap.case(f"{title}: each of these ways would have pressed it", with_a_desktop, all_do_press, program, KEYS)
tap.case("a denied field is written by no keys", with_a_desktop, none_is_pressed, ENTRY, WRITES)
tap.case("a button below a tooltip, denied, is not pressed", with_a_desktop, covered_by_a_tooltip)
tap.case("a denied item of a menu is chosen neither by the pointer nor by keys", with_a_desktop, items_of_menus)
if shutil.which("chromium"):
    tap.case("a denied element of a page is not clicked", with_a_desktop, elements_of_a_page)
else:
    tap.skip("a denied element of a page is not clicked", "not installed: chromium")
tap.done()
