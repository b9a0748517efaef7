#!/usr/bin/env tests/lua/run
--- recorder: its parts, each by itself.
local chord      = require "recorder.chord"
local dialog     = require "recorder.dialog"
local hit        = require "elements.find.hit"
local interface  = require "testing.interface"
local line_of    = require "recorder.terminal_line"
local parameters = require "recorder.parameters"
local pointer    = require "recorder.pointer"
local secret     = require "recorder.secret"
local selector   = require "macros.selector"
local snapshots  = require "elements.read.snapshot"
local spot       = require "recorder.spot"
local t          = require "check"
local tape       = require "recorder.tape"


local function snapshot(rows) return snapshots.of(interface.tree(rows), { pid = 7, started = 70 }) end

local function nth(seen, number) return seen.nodes[number] end


t.case("keys are text, editing, moving, lines, Tab or commands", function()
  local meanings = { a = "text", ["shift+a"] = "text", space = "text", ["altgr+e"] = "text", backspace = "edit",
    ["ctrl+backspace"] = "edit", delete = "edit", ["ctrl+v"] = "edit", ["ctrl+z"] = "edit", ["shift+insert"] = "edit",
    left = "move", ["ctrl+shift+end"] = "move", ["ctrl+a"] = "move", ["return"] = "line", ["shift+return"] = "line",
    kp_enter = "line", ["ctrl+return"] = "command", tab = "focus", ["shift+tab"] = "focus", ["ctrl+tab"] = "command",
    escape = "command", f5 = "command", ["ctrl+s"] = "command", ["alt+left"] = "command", ["alt+f"] = "command",
    ctrl = "modifier", ["ctrl+shift"] = "modifier", shift = "modifier", [""] = "modifier", ["ctrl++"] = "command" }
  local typed = { a = "a", ["shift+a"] = "A", space = " ", ["altgr+e"] = "€" }
  for key, wanted in pairs(meanings) do t.same(chord.meaning { key = key, text = typed[key] }, wanted, key) end
end)

t.case("a terminal hides what is typed only while lines are read as a whole", function()
  t.same(secret.hides "speed 38400 baud; -icrnl icanon iexten -echo echoe", true)   -- read -s
  t.same(secret.hides "-icanon -echo", false)                                       -- a shell that edits its line
  t.same(secret.hides "icanon echo", false)
  t.same({ secret.is_masked "•••", secret.is_masked "**", secret.is_masked "", secret.is_masked "a•" }, { true, true, false, false })
  t.same(secret.is_field { role = "password", value = "" }, true)
end)

t.case("a line of a terminal is secret from its first hidden character on", function()
  local line = line_of.new()
  line:add("a", false)
  line:add("b", true)
  line:add("c", false)
  t.same(t.show(line):find("[abc]\""), nil)
  t.same(line:take "abc", nil)
  line:add("x", false)
  line:add("y", false)
  line:back()
  t.same(line:take "$ x", "x")
  line:add("x", false)
  t.same(line:take "$ ", nil)
end)


-- --- selectors ---------------------------------------------------------------------------------------------------

local ROWS = {
  { 0, "window", "Shop" }, { 1, "button", "Close" }, { 1, "list" }, { 2, "listitem", "Pear" }, { 3, "button", "Add" },
  { 2, "listitem", "Plum" }, { 3, "button", "Add" }, { 1, "entry", "typed", value = "typed" }, { 1, "toggle" }, { 1, "toggle" },
  { 1, "button", 'Say "a\\b"' }, { 0, "dialog", "Find" }, { 1, "button", "Close" }, { 1, "slider" },
}

t.case("a selector is the least that means one element", function()
  local seen = snapshot(ROWS)
  local wanted = { [5] = 'button "Add" in listitem "Pear"', [7] = 'button "Add" in listitem "Plum"', [8] = "entry",
    [9] = "toggle nth 1", [10] = "toggle nth 2", [11] = 'button "Say \\"a\\\\b\\""', [13] = 'button "Close" in dialog "Find"',
    [14] = "slider", [4] = 'listitem "Pear"' }
  for number, line in pairs(wanted) do
    local got, counted = selector.of(seen, nth(seen, number))
    t.same({ got, counted }, { line, line:find "nth" ~= nil })
  end
end)


-- --- hits ----------------------------------------------------------------------------------------------------------

local function box(x, y, width, height) return { x = x, y = y, width = width, height = height } end

local FORM = {
  { 0, "window", "Form", bounds = box(0, 0, 500, 500) }, { 1, "group", "", bounds = box(0, 0, 500, 500) },
  { 2, "button", "Send", bounds = box(10, 10, 80, 30), abilities = { act = true } }, { 3, "label", "Send", bounds = box(20, 15, 40, 20) },
  { 2, "combobox", "Size", bounds = box(10, 50, 80, 30), abilities = { act = true } },
  { 3, "menuitem", "Large", bounds = box(10, 50, 80, 30), abilities = { act = true } },
  { 2, "canvas", "", bounds = box(200, 200, 100, 100) },
}

--- The element that a click at a point of the window means, if a step may act on it.
local function target_at(seen, x, y)
  local node = spot.in_look(seen, 3, x, y)
  return node and spot.is_target(node) and node or nil
end

t.case("a label inside a control means the control", function()
  local seen = snapshot(FORM)
  t.same(target_at(seen, 30, 20), nth(seen, 3))
end)

t.case("a container means the smallest element at the place, and itself is no target", function()
  local seen = snapshot(FORM)
  t.same(target_at(seen, 85, 35), nth(seen, 3))
  t.same(target_at(seen, 400, 400), nil)
  t.same(target_at(seen, 250, 250), nil)
end)

t.case("an option of a closed combo box means the box", function()
  local seen = snapshot(FORM)
  t.same(target_at(seen, 30, 60), nth(seen, 5))
end)

t.case("in a popup only items that fill it count", function()
  local seen = snapshot(FORM)
  t.same(hit.smallest(hit.in_popup(seen, { id = 9, frame = box(5, 45, 100, 50) }), 30, 60), nth(seen, 6))
  local over = snapshot { { 0, "window", "Form", bounds = box(0, 0, 500, 500) },
    { 1, "checkbox", "Gift", bounds = box(20, 55, 20, 20) }, { 1, "menu", "", native = "popup menu" },
    { 2, "menuitem", "Large", bounds = box(10, 50, 80, 30) } }
  t.same(hit.smallest(hit.in_popup(over, { id = 9, frame = box(5, 45, 100, 50) }), 30, 60), nth(over, 4))   -- not what lies under it
  t.same(hit.in_popup(seen, { id = 9, frame = box(300, 300, 50, 50) }), {})
end)

t.case("the same element is known in another look by its number, or by its role and name at the point", function()
  local seen, other = snapshot(FORM), snapshot(FORM)
  t.same(spot.same_in(other, nth(seen, 3), 30, 20), nth(other, 3))
  t.same(spot.same_in(other, { id = 999, role = "button", name = "Send" }, 30, 20), nth(other, 3))
  t.same(spot.same_in(other, { id = 999, role = "button", name = "Stop" }, 30, 20), nil)
end)


-- --- the pointer -----------------------------------------------------------------------------------------------------

t.case("the element is looked up once where the pointer rests, before the press", function()
  local now, looks = 0, {}
  local one = pointer.new(function(x, y, again)
    looks[#looks + 1] = ("%d,%d %s"):format(x, y, again and "now" or "")
    now = now + 0.01
    return { x = x, y = y, look = #looks, node = { id = #looks } }
  end, function() return now end)
  one:move(1, 1)
  one:move(5, 5)
  t.same(looks, {})
  one:move(5, 5)
  one:move(5, 5)
  t.same(looks, { "5,5 " })
  now = 1
  local found, before = one:before { x = 6, y = 5, at = 0.9 }
  t.same({ found.look, before }, { 1, true })
  one:change()
  one:move(5, 5)
  t.same(#looks, 2)
  found = one:before { x = 5, y = 5, at = 0.9 }   -- the second look began later
  t.same(found.look, 1)
  found, before = one:before { x = 5, y = 5, at = 1.005 }   -- it was not over yet
  t.same({ found.look, before }, { 1, false })
  found, before = one:before { x = 90, y = 90, at = 2 }
  t.same({ found.look, before, looks[3] }, { 3, false, "90,90 now" })
end)


t.case("a rest that is reported is looked at at once, and again only after a change", function()
  local looks = 0
  local one = pointer.new(function(x, y)
    looks = looks + 1
    return { x = x, y = y, stale = looks == 3 }
  end, function() return 0 end)
  t.same({ one:rest(5, 5).x, one:rest(5, 5), one:rest(7, 5), looks }, { 5, nil, nil, 1 })   -- near that
  t.same({ one:is_at(7, 5), one:is_at(5, 5), one:has_changed() }, { true, false, false })
  one:change()
  t.same({ one:has_changed(), one:rest(7, 5).x, one:has_changed() }, { true, 7, false })
  t.same({ one:rest(90, 5).x, one:has_changed() }, { 90, true })   -- it was too early for a look at all
end)


-- --- dialogs, titles, parameters ---------------------------------------------------------------------------------------

t.case("the names of a path bar mean a directory", function()
  t.same(dialog.folders({ "b", "a", "Root" }, "/home/me")[1], "/a/b")
  t.same(dialog.folders({ "b", "a", "me" }, "/home/me")[1], "/home/me/a/b")
  t.same(dialog.folders({ "Home" }, "/home/me"), { "/home/me", "/", "/Home" })
  t.same(dialog.default { buttons = { "Cancel", "Save" } }, "Save")
  t.same(dialog.default { buttons = { "Save", "Cancel" }, default = "Save" }, "Save")
  t.same(dialog.path { name = "/tmp/a b.txt" }, "/tmp/a b.txt")
end)

t.case("a new title is told from the one before", function()
  t.same(tape.news("Untitled 1 - Mousepad", "/tmp/a.txt - Mousepad"), "/tmp/a.txt")
  t.same(tape.news("*Untitled 1 - Mousepad", "Untitled 1 - Mousepad"), nil)
  t.same(tape.news("Order form", "sent Ada"), "sent Ada")
  t.same(tape.news("a - b - App", "c - b - App"), "c")
  t.same(tape.news("a", ""), nil)
end)

t.case("parameters are named by their fields, and values in titles are theirs", function()
  local known = parameters.new()
  local args = known:arguments({ element = 'entry "${x}"', value = "", steps = { { type = "" } } },
    { { key = "value", kind = "text", hint = "First name:", value = "Ada" },
      { key = "steps.1.type", kind = "secret", hint = "Resume from" } })
  t.same(args, { element = 'entry "$${x}"', value = "${first_name}", steps = { { type = "${secret}" } } })
  t.same(known:of { key = "", kind = "path", hint = "x", value = "/tmp/report.txt" }, "${file}")
  t.same(known:shown "sent Ada", "sent ${first_name}")
  t.same(known:shown "Adamant", "Adamant")
  t.same(known:shown "report.txt - Notes", "${file.base} - Notes")
  t.same(known:shown "/tmp/report.txt ${y}", "${file} $${y}")
end)

t.done()
