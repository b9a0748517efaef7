--- sys.element: reading, acting, events. On the fake desktop, whose elements are always the same, and on the macOS backend
--- that is simulated by it, which has them by AX's names.
local element = require "sys.element"
local t       = require "check"
local world   = require "world"

local LONG = 60   -- seconds; only against hanging

local settings = require("settings").open()
if not settings then return end

local NAMES = world.is_sim
  and { tree = "ax walk", entry = "AXTextField", actions = { "confirm", "showMenu" }, pressed = "ax action press" }
  or { tree = "fake", entry = "text", actions = { "activate" }, pressed = "fake do click" }

local function read(options)
  options = options or {}
  options.pid = options.root and 0 or settings.pid
  options.bounds, options.values, options.actions = true, true, true
  return assert(element.tree(options))
end

local function find(role, name)
  for i, node in ipairs(read().nodes) do
    if node.role == role and (not name or node.name == name) then return node, i end
  end
end

t.case("a tree has all that is known of each element", function()
  local tree = read()
  t.same(tree.cut, false)
  t.same(tree.route, NAMES.tree)
  local entry = find "entry"
  t.same({ entry.name, entry.value, entry.native, entry.depth, entry.index }, { "", "Ada", NAMES.entry, 1, 1 })
  t.same(entry.bounds, { x = 200, y = 128, width = 200, height = 24 })
  t.same(entry.actions, NAMES.actions)
  t.same(entry.states, { enabled = true, shown = true, focusable = true, focused = true, editable = true })
  t.same(entry.abilities, { act = true, read = true, write = true, focus = true })
  t.same(entry.number, nil)
  local spin = find "spin"
  t.same({ spin.number, spin.least, spin.most, spin.step, spin.value }, { 12, 6, 72, 1, "12" })
  t.same(find("password").value, "", "a password was read")
end)

t.case("an element that is not shown is listed only on request", function()
  if world.is_sim then t.skip "a pop-up button has no list there while it is closed" end
  t.same(find("listitem", "Monospace"), nil)
  local found
  for _, node in ipairs(read { hidden = true }.nodes) do found = found or node.name == "Monospace" and node end
  t.same(found.states.shown, nil)
  t.same(found.bounds, nil)
end)

t.case("limits cut, and say where", function()
  local tree = read { nodes = 4 }
  t.same({ #tree.nodes, tree.cut }, { 4, true })
  t.ok(tree.nodes[1].listed < tree.nodes[1].children)
end)

t.case("get marks elements that are gone, and keeps the order", function()
  local check = find "checkbox"
  local nodes = assert(element.get { 999999, check.id })
  t.same(nodes[1], { id = 999999, gone = true })
  t.same(nodes[2].name, check.name)
  t.same(assert(element.get {}), {})
end)

t.case("acting says that the application agreed, and reading shows the effect", function()
  local check = find "checkbox"
  t.same(element.act(check.id, { verb = "do", name = world.press }), { agreed = true, route = NAMES.pressed })
  t.same(element.get { check.id }[1].states.checked, nil)
  local entry = find "entry"
  t.ok(element.act(entry.id, { verb = "set_text", text = "日本語" }))
  t.same(element.text(entry.id, { from = 1, to = 2 }).text, "本")
  t.same(element.text(entry.id).length, 3)
  t.ok(element.act(find("slider").id, { verb = "set_number", number = 110 }))
  t.same(find("slider").number, 110)
  t.ok(element.act(find("tab", "Keys").id, { verb = "select" }))
  t.same(find("tab", "Keys").states.selected, true)
end)

t.case("the field with the keyboard is found, and read again in a range", function()
  local entry = find "entry"
  assert(element.act(entry.id, { verb = "set_text", text = "日本語 text" }))
  assert(element.act(entry.id, { verb = "focus" }))
  assert(element.act(entry.id, { verb = "caret", from = 8 }))
  local field = assert(element.field { before = 2, behind = 2 })
  t.same({ field.finding, field.id, field.pid, field.readable, field.length }, { "found", entry.id, settings.pid, true, 8 })
  t.same({ field.from, field.to, field.caret, field.before, field.behind, field.text }, { 8, 8, 8, "xt", "" })
  local again = assert(element.field { id = entry.id, again = true, from = 1, rest = 6, length = 8, before = 9, behind = 1 })
  t.same({ again.focused, again.text, again.before, again.behind }, { true, "本", "日", "語" })
  t.same(assert(element.field { present = true }).id, nil)
  assert(element.act(find("checkbox").id, { verb = "focus" }))
  t.ok(assert(element.field()).finding ~= "found")
  t.same(assert(element.field { id = entry.id }).finding, "unknown")
  t.same(assert(element.field { id = entry.id, again = true }).focused, false)
  t.same(assert(element.field { id = 999999 }).finding, "unknown")
  for _, wrong in ipairs { { from = -1 }, { before = 1 << 21 }, { above = 5000 }, { near = 1 }, { id = "1" } } do
    t.raises(function() element.field(wrong) end, next(wrong))
  end
end)

t.case("an element that is gone, and what it cannot do", function()
  t.same({ select(3, element.act(999999, { verb = "focus" })) }, { "element_gone" })
  t.same({ select(3, element.act(find("label").id, { verb = "set_number", number = 1 })) }, { "not_supported" })
  t.same({ select(3, element.tree { pid = 1 }) }, { "app_not_found" })
end)

t.case("an element is found by a point, and nothing beyond the window", function()
  local check = find "checkbox"
  t.same(element.at(settings.pid, check.bounds.x + 2, check.bounds.y + 2), check.id)
  t.same({ element.at(settings.pid, 5000, 5000) }, {})
end)

t.case("events tell what changed since", function()
  local before = assert(element.changes())
  t.same(before.events, {})
  local check = find "checkbox"
  assert(element.act(check.id, { verb = "do", name = world.press }))
  local now = assert(element.changes { since = before.next, wait = 5 })
  t.same({ now.events[1].kind, now.events[1].id, now.events[1].number }, { "state", check.id, before.next })
  t.same(now.missed, 0)
  t.same(assert(element.changes { since = now.next, pid = settings.pid, wait = 0.01 }).events, {})
end)

t.case("a loop takes events of elements, with their state by then", function()
  local check = find "checkbox"
  local all <close> = assert(element.events())
  local entries <close> = assert(element.events { role = "entry", what = { "value" } })
  local others <close> = assert(element.events { pid = settings.pid + 1 })
  local bare <close> = assert(element.events { what = "state", look = false })
  assert(element.act(check.id, { verb = "do", name = world.press }))
  local event = assert(all:next(LONG))
  t.same({ event.what, event.id, event.pid, event.element.name, event.element.states.checked },
    { "state", check.id, settings.pid, check.name, find("checkbox").states.checked })
  assert(element.act(find("entry").id, { verb = "set_text", text = "Lin" }))
  t.same(assert(entries:next(LONG)).element.value, "Lin")
  local told = assert(bare:next(LONG))
  t.same({ told.id, told.element }, { check.id, nil })
  t.same(select(3, others:next(0)), "timeout")
end)

t.case("wrong options of element.events are refused", function()
  t.raises(function() element.events { what = "clicked" } end, '"clicked" is none of its events: focus, value')
  t.raises(function() element.events { role = "knob" } end, '"knob" is none of its roles: ')
  t.raises(function() element.events { pdi = 1 } end, "unknown option 'pdi'; did you mean pid%?")
end)

t.case("misspelled and wrong options are refused", function()
  t.raises(function() element.tree { pid = 1, hiden = true } end, "did you mean 'hidden'")
  t.raises(function() element.tree {} end, "pass pid, or root")
  t.raises(function() element.tree { pid = 1, nodes = 1e9 } end, "nodes")
  t.raises(function() element.act(1, { verb = "press" }) end, "expected do, set_text")
  t.raises(function() element.act(1, { verb = "do" }) end, "name")
  t.raises(function() element.act(1, { verb = "focus", text = "x" }) end, "text")
  t.raises(function() element.act(1, { verb = "set_number", number = 0 / 0 }) end, "number")
  t.raises(function() element.act(0, { verb = "focus" }) end, "id of an element")
  t.raises(function() element.get { "x" } end, "list of ids")
  local many = {}
  for i = 1, 501 do many[i] = i end
  t.raises(function() element.get(many) end, "at most 500")
  t.raises(function() element.changes { wiat = 1 } end, "did you mean 'wait'")
end)

t.done()
