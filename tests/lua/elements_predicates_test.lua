#!/usr/bin/env tests/lua/run
--- Predicates on elements: what one element tells of itself, and what a look may have left out.
local facts    = require "elements.check.facts"
local selector = require "elements.find.selector"
local t        = require "check"
local views    = require "elements.check.views"

local function node(role, more)
  local made = { role = role, native = role, name = "", value = "", states = {}, abilities = {}, down = {} }
  for key, value in pairs(more or {}) do made[key] = value end
  return made
end

local function holds(condition, of, wanted) return (facts.CONDITIONS[condition](of, wanted)) end

local function lacks(line, snapshot) return views.may_lack(snapshot, assert(selector.read(line))) end


t.case("a box that is mixed is neither checked nor unchecked", function()
  local mixed = node("checkbox", { states = { mixed = true } })
  t.same({ holds("checked", mixed), holds("unchecked", mixed) }, { false, false })
end)

t.case("a toggle that is down is checked", function()
  t.same(holds("checked", node("toggle", { states = { pressed = true } })), true)
  t.same(holds("unchecked", node("toggle")), true)
end)

t.case("a state that an element does not have is unknown", function()
  t.same({ holds("checked", node "label"), holds("expanded", node "button"), holds("selected", node "entry") }, {})
end)

t.case("a number is compared as a number", function()
  local spin = node("spin", { number = 0.5, value = "0.50", abilities = { count = true } })
  t.same({ holds("value", spin, "0.5"), holds("value", spin, "0.50"), holds("value", spin, "0.51") }, { true, true, false })
end)

t.case("an empty cell does not hold the number 0", function()
  local cell = node("cell", { number = 0, abilities = { count = true } })
  t.same({ holds("value", cell, "0"), holds("value", cell, "") }, { false, true })
  t.same(holds("value", node("cell", { number = 0, value = "0", abilities = { count = true } }), "0.0"), true)
end)

t.case("a combo box that is called by its label holds the option that is chosen", function()
  local menu = node("menu", { down = { node("menuitem", { name = "S" }), node("menuitem", { name = "M", states = { selected = true } }) } })
  local box = node("combobox", { name = "Size", down = { menu } })
  t.same({ holds("value", box, "M"), holds("value", box, "Size") }, { true, false })
end)

t.case("a text that differs in white space only is told so", function()
  local entry = node("entry", { value = "Ada ", abilities = { write = true } })
  local yes, evidence = facts.CONDITIONS.value(entry, "Ada")
  t.same({ yes, evidence }, { false, 'entry holds "Ada", which differs in white space' })
end)

t.case("a combo box that can be typed in holds what its field holds", function()
  local field = node("entry", { value = "Serif", abilities = { write = true } })
  t.same(holds("value", node("combobox", { down = { field } }), "Serif"), true)
  t.same(holds("value", node("combobox", { value = "Sans", down = { field } }), "Sans"), true)
end)

t.case("an empty field does not hold its name", function()
  t.same(holds("value", node("entry", { name = "Name", abilities = { write = true } }), "Name"), false)
  t.same(holds("value", node("label", { name = "Ready" }), "Ready"), true)
end)

t.case("a look that was cut in a sheet lacks no dialog, but it may lack cells", function()
  local sheet = { nodes = { node "window", node("table", { children = 2147483647, states = { virtual = true } }) }, cut = true }
  t.same({ lacks("dialog", sheet), lacks("cell", sheet), lacks('"Save"', sheet) }, { false, true, true })
  sheet.late = true
  t.same(lacks("dialog", sheet), true)
end)

t.case("a look that was cut in a list may lack anything", function()
  t.same(lacks("dialog", { nodes = { node "window", node("list", { children = 1000 }) }, cut = true }), true)
end)

t.case("a window that tells nothing of what is in it may lack a button, and no dialog", function()
  local bare = { nodes = { node "window" }, cut = false }
  t.same({ lacks("button", bare), lacks("dialog", bare) }, { true, false })
end)

t.done()
