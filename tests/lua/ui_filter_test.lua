#!/usr/bin/env tests/lua/run
--- ui.filter: which items of a list have all words that are typed, in which order, and how a row is written.
local filter = require "ui.filter"
local t      = require "check"

local ITEMS = { "Campfire", { text = "Firefox", subtext = "Web browser" }, "Mail", { text = "Größe", subtext = "FIRE-wall" },
  "C++ notes", "50% off" }

--- The matches for what is typed, by their text.
local function found(typed)
  local names = {}
  for i, entry in ipairs(filter.matches(filter.entries(ITEMS, 1), typed)) do
    names[i] = type(entry.item) == "table" and entry.item.text or entry.item
  end
  return table.concat(names, ", ")
end

t.case("without words all items are there, as they were", function()
  for _, typed in ipairs { "", "  " } do t.same(found(typed), "Campfire, Firefox, Mail, Größe, C++ notes, 50% off") end
end)

t.case("words are found in any order and any case, in text and subtext", function()
  t.same(found "FIREFOX", "Firefox")
  t.same(found "brow fire", "Firefox")
  t.same(found "GRÖSSE", "Größe")
  t.same(found "wall größe", "Größe")
  t.same(found "fire mail", "")
end)

t.case("beginnings come first, then beginnings of words, then the rest", function()
  t.same(found "fire", "Firefox, Größe, Campfire")
  t.same(found "f", "Firefox, Größe, Campfire, 50% off")
end)

t.case("text with signs is text, not a pattern", function()
  t.same(found "c++", "C++ notes")
  t.same(found "0%", "50% off")
  t.same(found "%a", "")
  t.same(found "fire-w", "Größe")
end)

t.case("a row is one line of text, its smaller line and its number", function()
  local entries = filter.entries({ 'a\n"b"\0', { text = "c", subtext = "d\te" } }, 7)
  t.same(filter.rows(entries), [=[{"rows":[["a \"b\" ","",7],["c","d e",8]],"select":0}]=])
  t.same(filter.rows {}, '{"rows":[]}')
end)

t.case("a long line is cut, at a character", function()
  local line = filter.line(("é"):rep(1000))
  t.ok(#line <= 303 and utf8.len(line) ~= nil and line:sub(-3) == "…", line)
end)

t.done()
