#!/usr/bin/env python3
"""sys.menu in the panel of Xfce, clicked for real; and what an item says over D-Bus, where the test stands for the panel."""

import contextlib
import json
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "lib"))

import applications             # noqa: E402
import png                      # noqa: E402
from desktop import read_xwd, settled_frame     # noqa: E402
from script import SAY, bare_bus, running            # noqa: E402
from tools import has, run, same, until         # noqa: E402

MAGENTA, CYAN = (255, 0, 255), (0, 255, 255)

HEAD = """
local dbus, fs, json, menu, task, time =
  require "sys.dbus", require "sys.fs", require "sys.json", require "sys.menu", require "sys.task", require "sys.time" """ + SAY + """
local function chosen(item) say(item.label) end
"""


def square(desktop, color):
    """The path of an icon of one color."""
    path = desktop.folder / f"icon-{color[0]}-{color[2]}.png"
    path.write_bytes(png.encode(png.Picture(22, 22, bytes(color) * (22 * 22))))
    return path


def middle(desktop, color):
    """Returns the middle of all pixels of this color; None if there are fewer than 50."""
    picture = read_xwd(settled_frame(desktop.folder, 5))
    wanted, places, at = bytes(color), [], -1
    while (at := picture.rgb.find(wanted, at + 1)) >= 0:
        if at % 3 == 0:
            places.append(divmod(at // 3, picture.width))
    if len(places) < 50:
        return None
    return sum(x for _, x in places) // len(places), sum(y for y, _ in places) // len(places)


def disc_color(title):
    """The color of the disc that stands for an item without an icon."""
    number = 5381
    for byte in title.encode():
        number = (number * 33 + byte) % 0x1000000
    number = number * 0x9E3779 >> 8
    return tuple(96 + (number >> shift) % 128 for shift in (0, 8, 16))


def xdotool(desktop, *argv):
    subprocess.run(["xdotool", *map(str, argv)], env=desktop.env, check=True)


@contextlib.contextmanager
def panel(desktop):
    with applications.program(desktop, "xfce4-panel", "--disable-wm-check") as process:
        yield process


def open_menu(desktop, color):
    x, y = until(lambda: middle(desktop, color), "the icon")
    before = settled_frame(desktop.folder, 5)
    xdotool(desktop, "mousemove", x, y, "click", 1)
    until(lambda: settled_frame(desktop.folder, 5) != before, "the menu")
    return x, y


def in_a_panel(_tools, desktop):
    magenta, cyan = square(desktop, MAGENTA), square(desktop, CYAN)
    text = HEAD + f"""
        say(select(3, menu.new {{ title = "x" }}))
        local first = {{ label = "First_one", checked = true, fn = chosen }}
        local item
        item = assert(menu.new {{ title = "Tests", icon = {{ png = assert(fs.read "{magenta}") }}, wait = true, tooltip = "Tip",
          items = {{ first, "-", {{ label = "Off", enabled = false, fn = chosen }},
            {{ label = "More", items = {{ {{ label = "Deep", fn = function() say "deep" item:update {{ icon = "{cyan}",
              items = function() return {{ {{ label = "New", fn = function() say "new" item:stop() end }} }} end }} end }} }} }} }} }})
        say(item:shown())
        time.after(0.05, function() while not item:shown() do time.sleep(0.05) end say "shown" end)"""
    with running(desktop, text, "--grant", str(desktop.folder)) as script:
        script.says('["no_status_area"]')
        shown, message, code = json.loads(script.line())
        same((shown, code), (False, "no_status_area"))
        has(message, "Add the status area to the panel")
        with panel(desktop):
            script.says('["shown"]')
            x, y = open_menu(desktop, MAGENTA)
            xdotool(desktop, "mousemove", x + 15, y + 30, "click", 1)
            script.says('["First_one"]')
        until(lambda: middle(desktop, MAGENTA) is None, "the end of the panel")
        with panel(desktop):
            open_menu(desktop, MAGENTA)
            xdotool(desktop, "key", "Up", "Right", "Return")      # the last one, and what is below it
            script.says('["deep"]')
            x, y = open_menu(desktop, CYAN)
            xdotool(desktop, "mousemove", x + 15, y + 30, "click", 1)
            script.says('["new"]')
            same(script.ends(), "")
            until(lambda: middle(desktop, CYAN) is None, "the end of the icon")


THREE = """
local kinds = { { title = "Bare" }, { title = "Strange", icon = "no-such-icon-anywhere" }, { title = "Known", icon = "edit-paste" } }
local items = {}
for i, each in ipairs(kinds) do
  each.items, each.wait = { { label = each.title, fn = chosen } }, true
  items[i] = assert(menu.new(each))
end
say "made"
local function all_shown()
  for _, item in ipairs(items) do if not item:shown() then return false end end
  return true
end
while not all_shown() do time.sleep(0.05) end
say "shown"
while true do time.sleep(1) end
"""


def has_watcher(desktop):
    asked = subprocess.run(["dbus-send", "--session", "--print-reply", "--dest=org.freedesktop.DBus", "/org/freedesktop/DBus",
                            "org.freedesktop.DBus.NameHasOwner", "string:org.kde.StatusNotifierWatcher"], env=desktop.env,
                           capture_output=True, text=True, check=False)
    return "boolean true" in asked.stdout


def three_items(_tools, desktop):
    """An item without an icon, and one whose icon the theme does not have, are seen beside one that has its icon."""
    with panel(desktop):
        until(lambda: has_watcher(desktop), "the panel's status area")
        with running(desktop, HEAD + THREE) as script:
            script.says('["made"]')
            script.says('["shown"]')
            for title in ("Bare", "Strange"):
                open_menu(desktop, disc_color(title))
                xdotool(desktop, "key", "Down", "Return")
                script.says(f'["{title}"]')


WATCHER = """
local registered = task.channel(10)
local host = true
local watcher = assert(dbus.serve("session", { name = "org.kde.StatusNotifierWatcher", objects = {
  ["/StatusNotifierWatcher"] = { ["org.kde.StatusNotifierWatcher"] = {
    methods = { RegisterStatusNotifierItem = { takes = "s", fn = function(name) registered:send(name) end } },
    properties = { IsStatusNotifierHostRegistered = { type = "b", get = function() return host end } } } } } }))
local wire = assert(dbus.connect "session")
local name
local function ask(path, interface, member, signature, ...)
  local answer = assert(wire:call { kind = "call", to = name, path = path, interface = interface, member = member,
    signature = signature, args = signature and { ... } or nil })
  return answer.error or answer.values
end
local function menu_of(member, signature, ...) return ask("/MenuBar", "com.canonical.dbusmenu", member, signature, ...) end
local function event(id, what) return menu_of("Event", "isvu", id, what, { "s", "" }, 0) end
"""

ITEMS = """
local answered, ended
local item = assert(menu.new { title = "Tea & co", icon = "help", tooltip = "Tip", text = "3 min", items = {
  { label = "a_b", checked = false, fn = chosen }, "-", { label = "Off", enabled = false, fn = chosen },
  { label = "More", items = { { label = "Slow", fn = function() say "begun" while not answered do time.sleep(0.01) end say "ended" ended = true end } } } } })
name = assert(registered:receive(10))
"""


def what_an_item_says(_tools, desktop):
    with bare_bus(desktop, "menus") as address, running(desktop, HEAD + WATCHER + ITEMS + """
            local all = ask("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "GetAll", "s", "org.kde.StatusNotifierItem")[1]
            say(all.Id, all.Title, all.Status, all.IconName, all.Menu, all.ItemIsMenu, all.XAyatanaLabel, all.ToolTip)
            say(table.unpack(menu_of("GetLayout", "iias", 0, -1, {})))
            say(menu_of("GetLayout", "iias", 0, 1, { "label" })[2])
            say(menu_of("GetGroupProperties", "aias", { 1, 99 }, {})[1])
            say(menu_of("GetProperty", "is", 3, "enabled")[1], menu_of("GetProperty", "is", 1, "x"))
            say(menu_of("GetLayout", "iias", 99, -1, {}))
            event(1, "clicked")
            event(3, "clicked")
            event(1, "hovered")
            say(menu_of("EventGroup", "a(isvu)", { { 77, "clicked", { "s", "" }, 0 }, { 1, "clicked", { "s", "" }, 0 } })[1])
            say(item:shown())
            host = false
            say(select(3, item:shown()))
            item:stop() wire:close() watcher:stop()""", DBUS_SESSION_BUS_ADDRESS=address) as script:
        lines = [json.loads(line) for line in script.ends().splitlines()]
    clicks = [line for line in lines if line == ["a_b"]]
    lines = [line for line in lines if line != ["a_b"]]
    same(len(clicks), 2)
    same(lines[0][:7], ["perigee-tea-co", "Tea & co", "Active", "help", "/MenuBar", True, "3 min"])
    same(lines[0][7][2:], ["Tea & co: 3 min", "Tip"])
    revision, layout = lines[1]
    same((revision, layout[0], layout[1]), (1, 0, {"children-display": "submenu"}))
    same(layout[2][0], [1, {"label": "a__b", "toggle-type": "checkmark", "toggle-state": 0}, []])
    same(layout[2][1][1], {"type": "separator"})
    same(layout[2][2][1], {"label": "Off", "enabled": False})
    same((layout[2][3][1], layout[2][3][2][0][1]), ({"label": "More", "children-display": "submenu"}, {"label": "Slow"}))
    same([each[1:] for each in lines[2][0][2]], [[{"label": "a__b"}, []], [[], []], [{"label": "Off"}, []], [{"label": "More"}, []]])
    same(lines[3], [[[1, {"label": "a__b", "toggle-type": "checkmark", "toggle-state": 0}]]])
    same(lines[4], [False, "org.freedesktop.DBus.Error.InvalidArgs"])
    same(lines[5], ["org.freedesktop.DBus.Error.InvalidArgs"])
    same(lines[6], [[77]])
    same(lines[7:], [[True], ["no_status_area"]])


def unread(_tools, desktop):
    """A panel that lists the item and does not read it, one that reads it, and one that does not list it any more."""
    with bare_bus(desktop, "menus") as address, running(desktop, HEAD + WATCHER.replace(
            "IsStatusNotifierHostRegistered =", """RegisteredStatusNotifierItems = { type = "as", get = function()
              return listed and { name .. "/StatusNotifierItem" } or { ":7.7/StatusNotifierItem" } end },
            IsStatusNotifierHostRegistered =""").replace("local name\n", "").replace("local host =", "local listed, name = true, nil\nlocal host =")
            + ITEMS + """
            say(item:shown())
            ask("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Get", "ss", "org.kde.StatusNotifierItem", "IconName")
            say(item:shown())
            listed = false
            say(item:shown())
            item:stop() wire:close() watcher:stop()""", DBUS_SESSION_BUS_ADDRESS=address) as script:
        lines = [json.loads(line) for line in script.ends().splitlines()]
    same((lines[0][0], lines[0][2]), (False, "no_status_area"))
    has(lines[0][1], "has not read the item")
    same(lines[1], [True])
    same((lines[2][0], lines[2][2]), (False, "no_status_area"))
    has(lines[2][1], "has dropped the item")


def in_turn(_tools, desktop):
    """The next item registers when the panel has read the one before, and its menu."""
    with bare_bus(desktop, "menus") as address, running(desktop, HEAD + WATCHER + ITEMS + """
            local second
            task.spawn(function() second = assert(menu.new { title = "Second", wait = true, items = { { label = "x" } } }) end)
            say(select(3, registered:receive(0.3)))
            ask("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Get", "ss", "org.kde.StatusNotifierItem", "IconName")
            menu_of("GetLayout", "iias", 0, -1, {})
            say(registered:receive(60) ~= name)
            while not second do time.sleep(0.01) end
            item:stop() second:stop() wire:close() watcher:stop()""", DBUS_SESSION_BUS_ADDRESS=address) as script:
        script.says('["timeout"]', "[true]")
        same(script.ends(), "")


def what_a_panel_hears(_tools, desktop):
    """A panel is told of changes only; an item keeps its number while it is of the same kind."""
    with bare_bus(desktop, "menus") as address, running(desktop, HEAD + WATCHER + ITEMS + """
            local source <close> = assert(dbus.signals("session", { sender = name }))
            local function heard()
              local names = {}
              while true do
                local signal = source:next(0.2)
                if not signal then return table.concat(names, " ") end
                names[#names + 1] = signal.member
              end
            end
            local function ids()
              local list = {}
              for i, each in ipairs(menu_of("GetLayout", "iias", 0, 1, {})[2][3]) do list[i] = each[1] end
              return list
            end
            item:update { title = "Tea & co" }
            say(heard())
            item:update { title = "Tea", icon = "x", text = "2 min" }
            say(heard())
            item:update { text = "1 min" }
            say(heard(), ask("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Get", "ss", "org.kde.StatusNotifierItem", "ToolTip")[1])
            item:update { items = { { label = "one" }, { label = "two", checked = true } } }
            say(heard(), ids())
            item:update { items = { { label = "uno" }, { label = "due", checked = false } } }
            say(heard(), ids())
            item:update { items = { { label = "uno" }, "-" } }
            say(heard(), ids())
            local n = 0
            item:update { items = function() n = n + 1 return { { label = "opened " .. n } } end }
            heard()
            say(menu_of("AboutToShow", "i", 0)[1], menu_of("GetLayout", "iias", 0, 1, {})[2][3][1][2].label)
            item:update { items = { { label = "still" } } }
            say(menu_of("AboutToShow", "i", 0)[1], menu_of("AboutToShowGroup", "ai", { 0, 55 }))
            say(pcall(item.update, item, { items = { { label = "" } } }))
            say(item:update { icon = "/nowhere.png" })
            say(pcall(menu.new, { title = "x", icon = "a/b" }))
            item:stop()
            say(select(3, item:update { title = "y" }))
            wire:close() watcher:stop()""", DBUS_SESSION_BUS_ADDRESS=address) as script:
        lines = [json.loads(line) for line in script.ends().splitlines()]
    same(lines[0], [""])
    same(sorted(lines[1][0].split()), ["NewIcon", "NewTitle", "NewToolTip", "XAyatanaNewLabel"])
    same(sorted(lines[2][0].split()), ["NewToolTip", "XAyatanaNewLabel"])
    same(lines[2][1][2:], ["Tea: 1 min", "Tip"])
    same(lines[3][0], "LayoutUpdated")
    same((lines[4][0], lines[4][1]), ("LayoutUpdated", lines[3][1]))
    same((lines[5][0], set(lines[5][1]) & set(lines[4][1])), ("LayoutUpdated", set()))
    same(lines[6], [True, "opened 2"])
    same(lines[7], [False, [[], [55]]])
    same(lines[8][0], False)
    has(lines[8][1], "item 1 has no label")
    same(lines[9][2], "not_found")
    has(lines[10][1], "absolute path")
    same(lines[11], ["closed"])


def a_slow_function(_tools, desktop):
    """It holds up other clicks, and not the panel."""
    with bare_bus(desktop, "menus") as address, running(desktop, HEAD + WATCHER + ITEMS + """
            event(5, "clicked")
            event(1, "clicked")
            for _ = 1, 20 do menu_of("GetLayout", "iias", 0, -1, {}) end
            say "answered"
            answered = true
            while not ended do time.sleep(0.01) end
            item:stop() wire:close() watcher:stop()""", DBUS_SESSION_BUS_ADDRESS=address) as script:
        script.says('["begun"]', '["answered"]', '["ended"]', '["a_b"]')


def a_click_without_a_menu(_tools, desktop):
    with bare_bus(desktop, "menus") as address, running(desktop, HEAD + WATCHER + """
            local clicked
            local item = assert(menu.new { title = "x", clicked = function() say "clicked" clicked = true end })
            name = assert(registered:receive(10))
            local function get(which)
              return ask("/StatusNotifierItem", "org.freedesktop.DBus.Properties", "Get", "ss", "org.kde.StatusNotifierItem", which)[1]
            end
            say(get "ItemIsMenu", get "Menu")
            ask("/StatusNotifierItem", "org.kde.StatusNotifierItem", "Activate", "ii", 1, 2)
            while not clicked do time.sleep(0.01) end
            watcher:stop()
            while item:shown() do time.sleep(0.01) end
            say(select(3, item:shown()))
            wire:close() item:stop()""", DBUS_SESSION_BUS_ADDRESS=address) as script:
        script.says('[false,"/NO_DBUSMENU"]', '["clicked"]', '["no_status_area"]')
        same(script.ends(), "")


CASES = [("an item waits for a panel, is clicked there, comes back with the next panel, and goes", in_a_panel),
         ("items without an icon that the panel has are seen, too", three_items),
         ("an item that no panel reads is not shown", unread),
         ("items register one after another", in_turn),
         ("an item and its menu have the given values", what_an_item_says),
         ("a panel is told of changes", what_a_panel_hears),
         ("a slow function holds up no panel", a_slow_function),
         ("a click without a menu, and a panel that goes", a_click_without_a_menu)]

if __name__ == "__main__":
    run(CASES, ("Xvfb", "openbox", "dbus-daemon", "xfce4-panel", "xdotool"))
