#!/usr/bin/env tests/lua/run
--- elements: labels of forms, judged as a reader does. forms.txt has the forms, and for each field the label that a reader
--- gives it.
local find      = require "elements.find.search"
local fs        = require "sys.fs"
local looks     = require "testing.interface"
local selector  = require "elements.find.selector"
local snapshots = require "elements.read.snapshot"
local t         = require "check"
local words     = require "elements.read.words"

local RIGHT = 0.98   -- part of the fields that have to be named; the others are unnamed, and none is named wrongly
local FORMS = 60     -- at least
local NAMED = 0.5    -- part of the fields that are named while parts of their form are scrolled away

local pids = 5000

---@class Form
---@field title string
---@field wanted table<integer, string>  "none", "unsure", or '"' and the label, by the place of the field
---@field look elements.Snapshot

local function look(rows)
  local tree = looks.tree(rows)
  pids = pids + 1
  for i, node in ipairs(tree.nodes) do
    if rows[i].scrolled then node.bounds, node.states.shown = nil, false end
    node.id, node.parent = node.id + pids * 1000, node.parent and node.parent + pids * 1000
  end
  return snapshots.of(tree, { pid = pids, started = 1 })
end


local function row_of(indent, role, rest)
  local x, y, width, height = rest:match " (%-?%d+),(%-?%d+),(%d+),(%d+)"
  return { #indent, role, rest:match '^ "(.-)" [%-%d=]' or "", native = role, value = rest:match ' ="(.-)" ' or "",
    bounds = { x = tonumber(x), y = tonumber(y), width = tonumber(width), height = tonumber(height) } }
end


---@return Form[]
local function read_forms()
  local forms = {}
  for line in t.ok(fs.read "tests/lua/forms.txt"):gmatch "[^\n]+" do
    local title, indent, role, rest = line:match "^form (.+)$", line:match "^( +)(%l+)(.*)$"
    local form = forms[#forms]
    if title then
      forms[#forms + 1] = { title = title, rows = { { 0, "window", title } }, wanted = {} }
    elseif indent then
      form.rows[#form.rows + 1] = row_of(indent, role, rest)
      form.wanted[#form.rows] = rest:match ' %-> (".*)"$' or rest:match " %-> (%l+)$"
    end
  end
  for _, form in ipairs(forms) do form.look = look(form.rows) end
  return forms
end


local forms = read_forms()

--- Calls `see` with each field: its form, its element and the label that it should have; nil: none, or it cannot be told.
local function each_field(see)
  for _, form in ipairs(forms) do
    for at, wanted in pairs(form.wanted) do see(form, form.look.nodes[at], wanted:match '^"(.*)' or nil, wanted) end
  end
end


local function told(form, node, what) return ("%s: %s %s: %s"):format(form.title, node.role, node.key:match "[^\n]*$", what) end


--- Finds the element. The second value is the message if there is none.
local function one(form, parts) return find.one(form.look, t.ok(selector.read(parts))) end


t.case("fields are named as a reader names them, and none wrongly", function()
  local right, all, wrong = 0, 0, {}
  each_field(function(form, node, label, wanted)
    all = all + 1
    if node.label == label and (wanted == "unsure") == (node.maybe ~= nil) then right = right + 1 end
    if node.label and node.label ~= label then wrong[#wrong + 1] = told(form, node, node.label) end
  end)
  t.same(wrong, {})
  t.ok(#forms >= FORMS and right >= all * RIGHT, ("%d of %d in %d forms"):format(right, all, #forms))
end)


--- A word of Hebrew on a page had all rows read from the right, and cells that only lay out a page kept their text for themselves.
t.case("each field of a page that a browser drew is named", function()
  local seen, got, want = 0, {}, {}
  each_field(function(form, node, label)
    if form.title:find "%(drawn by " then
      seen = seen + 1
      got[form.title .. node.id % 1000], want[form.title .. node.id % 1000] = node.label, label
    end
  end)
  t.same(got, want)
  t.ok(seen > 0)
end)


--- A row of a page's table: texts, and "*" for a field, with the name that it gets behind it. A browser gives text in a cell as a
--- label in it (Chromium), or as the cell's name alone (Firefox).
local function named_in_row(cells, has_labels)
  local rows, fields = { { 0, "window", "w" }, { 1, "document", "page", native = "document web" }, { 2, "table" }, { 3, "row" } }, {}
  for _, each in ipairs(cells) do
    local text, field = each:match "^([^*]*)(%*?)$"
    rows[#rows + 1] = { 4, "cell", text }
    if text ~= "" and has_labels then rows[#rows + 1] = { 5, "label", text } end
    if field == "*" then
      rows[#rows + 1] = { 5, "entry" }
      fields[#fields + 1] = #rows
    end
  end
  local nodes, names = look(rows).nodes, {}
  for i, at in ipairs(fields) do names[i] = nodes[at].label or "" end
  return names
end


--- None of these had a name, in both browsers.
t.case("a field in a cell of a page is named by the text in the cell before, if that stands alone", function()
  for _, row in ipairs {
    { { "City:", "*" }, { "City" } }, { { "First", "*", "Last", "*" }, { "First", "Last" } }, { { "", "City", "*" }, { "City" } },
    { { "*", "City" }, { "" } }, { { "Apples", "3 EUR", "*" }, { "" } }, { { "City", "", "*" }, { "" } },
    { { "A", "*", "*" }, { "A", "" } }, { { "-", "*" }, { "" } },
  } do
    for _, has_labels in ipairs { true, false } do
      t.same(named_in_row(row[1], has_labels), row[2], table.concat(row[1], "|"))
    end
  end
  t.same(named_in_row({ "A", "Zip*" }, true), { "Zip" }, "text in the field's own cell")
end)


--- The elements that a selector with each field's label finds and that are not the field; ambiguous ones are not found.
local function strays(key)
  local found, exact, asked = {}, 0, 0
  each_field(function(form, node, label)
    if label then
      local got = one(form, { role = node.role, [key] = label })
      asked, exact = asked + 1, exact + (got == node and 1 or 0)
      if got and got ~= node then found[#found + 1] = told(form, node, key .. " " .. label) end
    end
  end)
  return found, exact / asked
end


for _, key in ipairs { "text", "near" } do
  t.case(("%s finds the field of a label, or says that several may be meant"):format(key), function()
    local found, part = strays(key)
    t.same(found, {})
    t.ok(part >= 0.95, part)   -- units that are repeated are ambiguous
  end)
end


--- The form with all that begins beyond a point scrolled away: toolkits report no bounds of that.
local function scrolled(form, axis, from)
  local rows = {}
  for i, row in ipairs(form.rows) do
    local copy = {}
    for key, value in pairs(row) do copy[key] = value end
    if row.bounds and row.bounds[axis] >= from then copy.scrolled = true end
    rows[i] = copy
  end
  return look(rows)
end


--- Calls `see` with the form scrolled to each of its edges.
local function each_scrolled(form, see)
  for _, axis in ipairs { "x", "y" } do
    local edges = {}
    for _, row in ipairs(form.rows) do
      local from = row.bounds and row.bounds[axis] or 0
      if from > 0 and not edges[from] then see(scrolled(form, axis, from), ("%s from %d"):format(axis, from)) end
      edges[from] = true
    end
  end
end


--- The labels of a form's fields, and its fields by them.
local function labels_of(form)
  local by_label = {}
  for at, wanted in pairs(form.wanted) do
    local label = wanted:match '^"(.*)'
    if label then by_label[label] = by_label[label] or at end
  end
  return by_label
end


t.case("no field gets the label of another while a part of a form is scrolled away", function()
  local wrong, named, all = {}, 0, 0
  for _, form in ipairs(forms) do
    local owners = labels_of(form)
    each_scrolled(form, function(now, where)
      for at, wanted in pairs(form.wanted) do
        local label = now.nodes[at].label
        all, named = all + 1, named + (label and 1 or 0)
        if label and owners[label] and wanted ~= '"' .. label then
          wrong[#wrong + 1] = ("%s, %s"):format(told(form, now.nodes[at], label), where)
        end
      end
    end)
  end
  t.same(wrong, {})
  t.ok(named >= all * NAMED, ("%d of %d"):format(named, all))
end)


t.case("a label between two fields is told to be in doubt", function()
  local asked = 0
  for _, form in ipairs(forms) do
    for _, node in ipairs(form.look.nodes) do
      if node.rivals and #node.rivals == 2 and node.rivals[1].role == node.rivals[2].role then
        for _, key in ipairs { "text", "near" } do
          local got, err, code = one(form, { role = node.rivals[1].role, [key] = words.own_name(node) })
          t.same({ got, code }, { nil, "element_ambiguous" }, form.title)
          t.ok(err:find("the label", 1, true) and err:find("may belong to each", 1, true), err)
          asked = asked + 1
        end
      end
    end
  end
  t.ok(asked > 8, asked)
end)


t.case("fields with names of their own are near their label, too", function()
  local rows = { { 0, "window", "w" }, { 1, "label", "Category:", bounds = { x = 0, y = 8, width = 62, height = 17 } },
    { 1, "combobox", "Kind", value = "None", bounds = { x = 76, y = 0, width = 74, height = 34 } },
    { 1, "label", "Priority:", bounds = { x = 156, y = 8, width = 50, height = 17 } },
    { 1, "combobox", "Rank", value = "Medium", bounds = { x = 220, y = 0, width = 93, height = 34 } } }
  local form = { look = look(rows) }
  t.same(one(form, { role = "combobox", near = "Priority:" }), form.look.nodes[5])
  t.same(one(form, { role = "combobox", near = "Category" }), form.look.nodes[3])
end)


t.case("a tab that holds its page is not called by a label of a field, and one that holds its title is", function()
  local s = look { { 0, "window", "w" }, { 1, "tablist", "" },
    { 2, "tab", "" }, { 3, "label", "Balance:", bounds = { x = 0, y = 48, width = 60, height = 17 } },
    { 3, "entry", "", bounds = { x = 70, y = 40, width = 100, height = 34 } },
    { 2, "tab", "" }, { 3, "label", "Notes" }, { 3, "button", "Close" } }
  t.same({ words.name(s.nodes[3]), words.name(s.nodes[5]), words.name(s.nodes[6]) }, { "", "Balance", "Notes" })
end)


t.case("a label that heads a row is near all of its fields, and a unit finds its field", function()
  for _, form in ipairs(forms) do
    if form.title:find " interval$" then
      local _, err, code = one(form, { role = "spin", near = "Interval:" })
      t.same(code, "element_ambiguous", form.title)
      t.ok(err:find("heads them all", 1, true), err)
    elseif form.title:find " amounts$" then
      t.same(one(form, { role = "entry", text = "€" }).label, "Amount", form.title)
    end
  end
end)


t.done()
