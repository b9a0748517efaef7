#!/usr/bin/env tests/lua/run
--- elements.selector: one line or a table, the same selector.
local quoting  = require "desktop.quoting"
local selector = require "elements.find.selector"
local t        = require "check"

local function parsed(line)
  local found, err, code = selector.read(line)
  if not found then
    t.same(code, "bad_argument")
    return nil, err
  end
  found.roles = nil
  return found
end

local LINES = {
  { "e12", { ref = "e12" } },
  { 'button "Save"', { role = "button", text = "Save" } },
  { "button 'It\\'s'", { role = "button", text = "It's" } },
  { 'entry "C:\\\\" in window "a\\\\\\"b"', { role = "entry", text = "C:\\", within = { role = "window", text = 'a\\"b' } } },
  { "button in group in e5", { role = "button", within = { role = "group", within = { ref = "e5" } } } },
  { "button /a\\\\/", { role = "button", regex = "a\\\\" } },
  { 'entry near "Name:"', { role = "entry", near = "Name:" } },
  { 'button "Save" in dialog "Save As"', { role = "button", text = "Save", within = { role = "dialog", text = "Save As" } } },
  { 'button in group in window "x"', { role = "button", within = { role = "group", within = { role = "window", text = "x" } } } },
  { 'text*="part"', { contains = "part" } },
  { 'text~="^a\\."', { regex = "^a." } },
  { "/^a\\.b/", { regex = "^a\\.b" } },
  { "button text=/x/", { role = "button", regex = "x" } },
  { "checkbox checked", { role = "checkbox", states = { checked = true } } },
  { "checkbox not checked off", { role = "checkbox", states = { checked = false, enabled = false } } },
  { "unchecked", { states = { checked = false } } },
  { "listitem nth 2", { role = "listitem", index = 2 } },
  { "menu item Save As...", { role = "menuitem", text = "Save As..." } },
  { "Save As", { text = "Save As" } },
  { '"button"', { text = "button" } },
  { "role:AXButton", { role = "AXButton" } },
  { "text:Save", { text = "Save" } },
  { "text_contains: x y ", { contains = "x y" } },
}

for _, case in ipairs(LINES) do
  t.case(case[1], function()
    local found, err = parsed(case[1])
    if found and found.within then
      found.within.roles = nil
      if found.within.within then found.within.within.roles = nil end
    end
    t.same(found, case[2], err)
  end)
end

t.case("text in quotes, as answers show it, names the same text", function()
  local parts = { '"', "\\", "'", "a", " ", "/" }
  for number = 0, 6 ^ 4 - 1 do
    local outside, left = "", number
    for _ = 1, 4 do outside, left = outside .. parts[left % 6 + 1], left // 6 end
    t.same(parsed("button " .. quoting.quote(outside)).text, quoting.plain(outside))
  end
end)

local WRONG = {
  { 'buton "Save"', "did you mean button" },
  { 'button "Save', "quotation mark" },
  { 'button "a" "b"', "two of the same kind" },
  { 'role="knob"', "is not a role" },
  { "nth 0", "number from 1" },
  { "button not", "needs a state" },
  { "colour=\"red\"", 'before =' },
  { "text=", "nothing behind" },
  { "", "is empty" }, { '""', "is empty" }, { "\0", "is empty" }, { "\u{200b}", "is empty" },
  { "button in e5 checked", "which is one element already" },
  { "/abc", "without a second" },
}

for _, case in ipairs(WRONG) do
  t.case(("%q is refused"):format(case[1]), function()
    local found, err = parsed(case[1])
    t.same(found, nil)
    t.has(err, case[2])
  end)
end

t.case("a table is the same selector", function()
  local found = parsed { role = "button", text_contains = "Sa", states = { "enabled", "not checked" }, index = 3,
    within = 'dialog "x"' }
  t.same(found.states, { enabled = true, checked = false })
  t.same(selector.describe(found), 'button text*="Sa" enabled not checked nth 3 in dialog "x"')
  t.has(select(2, parsed { rol = "button" }), "no rol")
  t.has(select(2, parsed { states = { "chequered" } }), "not a state")
end)

t.case("a line and the parameters beside it make one selector", function()
  local found = assert(selector.join('button "Save"', { within = "dialog", index = 2 }))
  t.same(selector.describe(found), 'button "Save" nth 2 in dialog')
end)

t.case("roles have the names that other systems give them", function()
  t.same(selector.read("AXTextField").roles, { entry = true })
  t.same(selector.read("push button").roles, { button = true })
  t.same(selector.read("role:page_tab").roles, { tab = true })
  t.same(selector.read("option").roles, { listitem = true, menuitem = true })
end)

t.done()
