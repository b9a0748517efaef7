#!/usr/bin/env tests/lua/run
--- The element under a point, in trees that are made up here.
local hit       = require "elements.find.hit"
local looks     = require "testing.interface"
local rect      = require "rect"
local snapshots = require "elements.read.snapshot"
local t         = require "check"

local function box(x, y, width, height) return { x = x, y = y, width = width or 80, height = height or 24 } end

local function shown(rows) return snapshots.of(looks.tree(rows), { pid = 7, started = 70 }) end

local function smallest(s, x, y) return (hit.smallest(s.nodes, x, y) or { name = "none" }).name end

local function control(s, i) return hit.control(s.nodes[i]).name end


t.case("the smallest box at the point is taken, and of two as large the later one", function()
  local s = shown { { 0, "window", "w" }, { 1, "group", "bar", bounds = box(100, 100, 300, 40) },
    { 2, "button", "Save", bounds = box(110, 105) }, { 2, "group", "outer", bounds = box(200, 105) },
    { 3, "toggle", "inner", bounds = box(200, 105) } }
  t.same({ smallest(s, 120, 110), smallest(s, 220, 110), smallest(s, 395, 110), smallest(s, 5, 5) },
    { "Save", "inner", "bar", "none" })
end)

t.case("an element that is hidden, or scrolled away from the point, is not there", function()
  local s = shown { { 0, "window", "w" }, { 1, "scrollarea", "area", bounds = box(100, 100, 200, 100) },
    { 2, "button", "far", bounds = box(100, 300) }, { 1, "button", "hidden", bounds = box(100, 400), states = { shown = false } } }
  t.same({ smallest(s, 110, 310), smallest(s, 110, 410) }, { "w", "w" })
end)

t.case("the text in a button is for the button, and that of a page is for itself", function()
  local s = shown { { 0, "window", "w" }, { 1, "button", "Send" }, { 2, "group", "" }, { 3, "label", "Send now" },
    { 1, "document", "page" }, { 2, "label", "Terms" }, { 2, "listitem", "Pear" }, { 3, "label", "a pear" } }
  t.same({ control(s, 4), control(s, 6), control(s, 8), control(s, 2) }, { "Send", "Terms", "Pear", "Send" })
end)

t.case("an element in the page of a tab is not for the tab", function()
  local s = shown { { 0, "window", "w" }, { 1, "tab", "One" }, { 2, "group", "page" }, { 3, "label", "Text" } }
  t.same({ control(s, 3), control(s, 4) }, { "page", "Text" })
end)

t.case("an option of a closed combo box is the box's", function()
  local function with(states)
    return shown { { 0, "window", "w" }, { 1, "combobox", "Size", states = states }, { 2, "list", "" }, { 3, "listitem", "Small" } }
  end
  t.same({ control(with {}, 4), control(with { expanded = true }, 4) }, { "Size", "Small" })
end)

t.case("a rectangle without another", function()
  t.same(rect.without({ box(0, 0, 10, 10) }, box(20, 0, 5, 5)), { box(0, 0, 10, 10) })
  t.same(rect.without({ box(0, 0, 10, 10) }, box(-5, -5, 50, 50)), {})
  t.same(rect.without({ box(0, 0, 10, 10) }, box(2, 3, 4, 5)),
    { box(0, 0, 10, 3), box(0, 3, 2, 5), box(6, 3, 4, 5), box(0, 8, 10, 2) })
  t.same(rect.without({ box(0, 0, 10, 10), box(20, 0, 10, 10) }, box(5, 0, 20, 10)), { box(0, 0, 5, 10), box(25, 0, 5, 10) })
  t.same(rect.without({ box(0, 0, 10, 10) }, box(0, 0, 9.5, 10)), {}, "a sliver")
end)

t.case("a cell keeps its ref under another id, in its sheet alone", function()
  local function ref(id, name, sheet)
    local s = shown { { 0, "window", "w" }, { 1, "table", sheet, id = sheet == "One" and 500 or 600, children = 100000 },
      { 2, "cell", name, id = id } }
    return s.nodes[3].ref
  end
  local first = ref(900, "B7", "One")
  t.same({ ref(901, "B7", "One") == first, ref(900, "B7", "One") == first }, { true, true })
  t.same({ ref(902, "B8", "One") == first, ref(903, "B7", "Two") == first }, { false, false })
end)

t.case("two cells of one position in one look are two", function()
  local s = shown { { 0, "window", "w" }, { 1, "table", "T", id = 700, children = 9 }, { 2, "cell", "C1", id = 910 },
    { 2, "cell", "C1", id = 911 } }
  t.same(s.nodes[3].ref == s.nodes[4].ref, false)
end)

t.case("a popup shows the items that fill it, and nothing of what it covers", function()
  local s = shown { { 0, "window", "w" }, { 1, "menubar", "" }, { 2, "menu", "File" },
    { 3, "menuitem", "New", bounds = box(100, 130, 120, 25) }, { 3, "menuitem", "Open", bounds = box(100, 155, 120, 25) },
    { 1, "text", "covered", bounds = box(90, 120, 400, 300) } }
  local function names(frame)
    local found = {}
    for i, node in ipairs(hit.in_popup(s, { id = 99, frame = frame })) do found[i] = node.name end
    return found
  end
  t.same(names(box(98, 127, 124, 56)), { "New", "Open" })
  t.same(names(box(98, 127, 124, 40)), { "New", "Open" }, "the rest of a long menu is beyond the screen")
  t.same(names(box(98, 127, 300, 200)), {}, "the items do not fill it")
end)

t.done()
