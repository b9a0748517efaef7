#!/usr/bin/env tests/lua/run
--- elements: names from labels, refs, finding, outlines, differences, verdicts. On interfaces made up here.
local budget    = require "elements.read.budget"
local closing   = require "elements.dialogs.press"
local diff      = require "elements.read.diff"
local find      = require "elements.find.search"
local judge     = require "elements.read.judge"
local looks     = require "testing.interface"
local outline   = require "elements.read.outline"
local refs      = require "elements.read.refs"
local selector  = require "elements.find.selector"
local snapshots = require "elements.read.snapshot"
local watches   = require "elements.act.watch"
local t         = require "check"
local words     = require "elements.read.words"

local pids = 100

--- Each case has an application of its own.
local function application()
  pids = pids + 1
  local look, ids = { pid = pids, started = 1 }, pids * 1000
  return function(rows)
    local tree = looks.tree(rows)
    for _, node in ipairs(tree.nodes) do
      node.id, node.parent = node.id + ids, node.parent and node.parent + ids
    end
    return snapshots.of(tree, look)
  end
end

local function box(x, y, width, height) return { x = x, y = y, width = width or 80, height = height or 24 } end

local function lines(snapshot, options) return (outline.lines(outline.roots(snapshot), options)) end

--- Without the refs, which count up through all cases.
local function plain(list)
  local out = {}
  for i, line in ipairs(list) do out[i] = line:gsub("e%d+ ", "", 1) end
  return out
end

local function one(snapshot, line) return find.one(snapshot, assert(selector.read(line))) end


-- --- labels ---------------------------------------------------------------------------------

t.case("the text of a button names no other one, and a button in another names that", function()
  local s = application() { { 0, "window", "w" }, { 1, "button", "GtkMenuButton", bounds = box(0, 0) },
    { 2, "button", "Basic", bounds = box(2, 0) }, { 3, "group", "" }, { 4, "label", "Basic", bounds = box(5, 0, 40) },
    { 1, "button", "GtkMenuButton", bounds = box(90, 0) }, { 2, "button", "GtkMenuButton", bounds = box(92, 0) } }
  t.same({ s.nodes[2].label, s.nodes[6].label or false, s.nodes[7].label or false }, { "Basic", false, false })
  t.same(plain(lines(s)), { 'window "w" active', ' button "Basic"', " button" })
end)

t.case("a field without a name is called by the label to its left, or above it", function()
  local s = application() { { 0, "window", "w" },
    { 1, "label", "Name:", bounds = box(0, 0) }, { 1, "entry", "", bounds = box(90, 0) },
    { 1, "label", "Notes", bounds = box(0, 40) }, { 1, "text", "", bounds = box(0, 66, 300, 100) },
    { 1, "entry", "", bounds = box(600, 300) } }
  t.same({ s.nodes[3].label, s.nodes[5].label, s.nodes[6].label }, { "Name", "Notes" })
  t.same(s.nodes[2].names, s.nodes[3])
end)

t.case("a text is not named by the warning above it", function()   -- as mousepad's was for root
  local warning = "Warning: you are using the root account. You may harm your system."
  local s = application() { { 0, "window", "w" }, { 1, "label", warning, bounds = box(0, 0, 300) },
    { 1, "text", "", bounds = box(0, 26, 300, 300) } }
  t.same(s.nodes[3].label, nil)
  t.same(s.nodes[2].names, nil, "it stays in the outline")
end)

t.case("an element in a page of tabs is not named by a label above the tabs", function()
  local s = application() { { 0, "window", "w" }, { 1, "label", "Notes", bounds = box(0, 0, 300) },
    { 1, "tablist", "" }, { 2, "tab", "Page" }, { 3, "text", "", bounds = box(0, 26, 300, 300) },
    { 3, "label", "City:", bounds = box(0, 400) }, { 3, "entry", "", bounds = box(90, 400) } }
  t.same({ s.nodes[5].label or false, s.nodes[7].label }, { false, "City" })
end)

t.case("a label goes to the nearest, and is not taken twice", function()
  local s = application() { { 0, "window", "w" },
    { 1, "label", "Password:", bounds = box(0, 36) }, { 1, "password", "", bounds = box(90, 36) },
    { 1, "list", "Languages", bounds = box(300, 40, 300, 100) }, { 1, "entry", "", bounds = box(90, 66) } }
  t.same({ s.nodes[3].label, s.nodes[5].label }, { "Password" })
end)

t.case("a label beside something with a name stays a label", function()
  local s = application() { { 0, "window", "w" }, { 1, "label", "Folder:", bounds = box(0, 0) },
    { 1, "button", "Browse...", bounds = box(90, 0) }, { 1, "entry", "", bounds = box(180, 0) } }
  t.same({ s.nodes[3].label, s.nodes[3].beside, s.nodes[4].label, s.nodes[2].names }, { nil, "Folder" })
end)

t.case("the text of a button is no element of its own", function()
  local s = application() { { 0, "window", "w" }, { 1, "button", "7" }, { 2, "label", "7", bounds = box(0, 0) },
    { 1, "entry", "", bounds = box(90, 0) } }
  t.same(s.nodes[4].label, nil)
  t.same(plain(lines(s)), { 'window "w" active', ' button "7"', " entry" })
end)

t.case("a row is called by the text in it", function()
  local s = application() { { 0, "window", "w" }, { 1, "list", "Places" }, { 2, "listitem", "" }, { 3, "group", "" },
    { 4, "label", "Home" }, { 4, "label", "/root" }, { 2, "listitem", "", states = { selected = true } }, { 2, "listitem", "" },
    { 1, "group", "", number = 24, value = "24" } }
  t.same(plain(lines(s)), { 'window "w" active', ' list "Places"', '  listitem "Home"', '   label "/root"', "  listitem selected" })
  t.same(one(s, 'listitem "home"'), s.nodes[3])
end)

t.case("a button in a button of the same name is the one that is meant", function()
  local s = application() { { 0, "window", "w" }, { 1, "button", "Menu" }, { 2, "button", "Menu" } }
  t.same(plain(lines(s)), { 'window "w" active', ' button "Menu"' })
  t.same(one(s, 'button "Menu"'), s.nodes[3])
end)

t.case("the title of a frame names nothing in it", function()
  local s = application() { { 0, "window", "w" }, { 1, "group", "Inset" }, { 2, "label", "Inset", bounds = box(0, 0) },
    { 2, "table", "", bounds = box(0, 26, 300, 100) } }
  t.same(s.nodes[4].label, nil)
  t.same(plain(lines(s)), { 'window "w" active', ' group "Inset"', "  table" })
end)

t.case("names of classes are not taken for names", function()
  local s = application() { { 0, "window", "w" }, { 1, "button", "GtkMenuButton" }, { 1, "label", "a\u{FFFC}\n\27[31mb" },
    { 1, "button", "7 7" }, { 1, "button", "Save all Save all" }, { 1, "button", "7 8" }, { 1, "button", "_Add World Add World" } }
  t.same(words.name(s.nodes[2]), "")
  t.same(words.name(s.nodes[3]), "a [31mb")
  t.same({ words.name(s.nodes[4]), words.name(s.nodes[5]), words.name(s.nodes[6]), words.name(s.nodes[7]) },
    { "7", "Save all", "7 8", "Add World" }, "said twice")
end)

t.case("an application above its windows is left out", function()
  local s = application() { { 0, "application", "Editor", states = { shown = false } }, { 1, "window", "w" }, { 2, "button", "Save" } }
  t.same(#s.nodes, 2)
  t.same(s.nodes[2].top, s.nodes[1])
  t.same(#outline.roots(s), 1)
end)


-- --- refs -----------------------------------------------------------------------------------

local ROWS = { { 0, "window", "w" }, { 1, "button", "Save", bounds = box(0, 0) }, { 1, "button", "Open", bounds = box(90, 0) } }

t.case("an element keeps its ref", function()
  local app = application()
  local before, after = app(ROWS), app(ROWS)
  t.same(after.nodes[2].ref, before.nodes[2].ref)
  t.ok(before.nodes[3].ref ~= before.nodes[2].ref)
end)

--- The same rows after an application made its elements anew.
local function renewed(rows, offset)
  local copy = {}
  for i, row in ipairs(rows) do
    copy[i] = { row[1], row[2], row[3], bounds = row.bounds, states = row.states }
  end
  local tree = looks.tree(copy)
  for _, node in ipairs(tree.nodes) do
    node.id, node.parent = node.id + offset, node.parent and node.parent + offset
  end
  return snapshots.of(tree, { pid = pids, started = 1 })
end

t.case("one that was made anew in its place keeps its ref, too", function()
  local before = application()(ROWS)
  local after = renewed(ROWS, pids * 1000 + 500)
  t.ok(after.nodes[2].id ~= before.nodes[2].id)
  t.same(after.nodes[2].ref, before.nodes[2].ref)
end)

t.case("one that moved is found by its name; one of several is not guessed", function()
  local before = application()(ROWS)
  local record = refs.find(before.nodes[3].ref)
  local kept = refs.copy(record)
  local moved = renewed({ { 0, "window", "w" }, { 1, "group", "" }, { 2, "button", "Open", bounds = box(5, 5) } }, pids * 1000 + 500)
  t.same(refs.locate(kept, moved), moved.nodes[3])
  local two = renewed({ { 0, "window", "w" }, { 1, "group", "" }, { 2, "button", "Open", bounds = box(5, 5) },
    { 2, "button", "Open", bounds = box(5, 50) } }, pids * 1000 + 600)
  t.same({ refs.locate(kept, two) }, { nil, "unsure", { two.nodes[3], two.nodes[4] } })
  local there = renewed({ { 0, "window", "w" }, { 1, "group", "" }, { 2, "button", "Open", bounds = box(5, 5) },
    { 2, "button", "Open", bounds = box(90, 0) } }, pids * 1000 + 700)
  t.same({ refs.locate(kept, there) }, { nil, "gone" }, "those were listed under other refs, also the one in its place")
  t.same({ refs.locate(kept, renewed({ { 0, "window", "w" } }, pids * 1000 + 800)) }, { nil, "gone" })
end)

--- Rows whose buttons are called the same, as a list of people has.
local function people(...)
  local rows = { { 0, "window", "w" } }
  for i, name in ipairs { ... } do
    rows[#rows + 1] = { 1, "row", "", bounds = box(0, i * 30), index = i - 1 }
    rows[#rows + 1] = { 2, "label", name, bounds = box(0, i * 30) }
    rows[#rows + 1] = { 2, "button", "Delete", bounds = box(100, i * 30), index = 1 }
  end
  return rows
end

t.case("no other button of the same name is taken for one that is gone", function()
  local before = application()(people("Alice", "Bob", "Carol"))
  local alice = refs.copy(refs.find(before.nodes[4].ref))
  local fewer = renewed(people("Bob", "Carol"), pids * 1000 + 900)
  t.same({ refs.locate(alice, fewer) }, { nil, "unsure", { fewer.nodes[4], fewer.nodes[7] } })
  local again = application()(people("Alice", "Bob", "Carol"))
  local bob = refs.copy(refs.find(again.nodes[7].ref))
  alice = refs.copy(refs.find(again.nodes[4].ref))
  local others = renewed(people("Bob", "Carol", "Dan"), pids * 1000 + 950)
  t.same({ refs.locate(alice, others) }, { nil, "unsure", { others.nodes[4], others.nodes[7], others.nodes[10] } },
    "as many as before")
  t.same(refs.locate(bob, others), others.nodes[4], "what is written beside it tells")
end)

t.case("an element that was renamed is not pressed by its old ref, unless only a number in its name changed", function()
  local app = application()
  local record = refs.copy(refs.find(app({ { 0, "window", "w" }, { 1, "button", "Cancel", bounds = box(0, 0) } }).nodes[2].ref))
  local renamed = app { { 0, "window", "w" }, { 1, "button", "Erase everything", bounds = box(0, 0) } }
  t.same({ refs.locate(record, renamed, true) }, { nil, "renamed", { renamed.nodes[2] } })
  t.same(refs.locate(record, renamed), renamed.nodes[2], "to be looked at it will do")
  local inbox = refs.copy(refs.find(app({ { 0, "window", "w" }, { 1, "tab", "Inbox (3)", bounds = box(0, 0) } }).nodes[2].ref))
  local more = app { { 0, "window", "w" }, { 1, "tab", "Inbox (12)", bounds = box(0, 0) } }
  t.same(refs.locate(inbox, more, true), more.nodes[2])
end)

t.case("an id with another role, or another name in another place, is not the same element", function()
  local app = application()
  local before = app(ROWS)
  local record = refs.find(before.nodes[2].ref)
  local kept = refs.copy(record)
  local other = app { { 0, "window", "w" }, { 1, "link", "Save", bounds = box(0, 0) } }
  t.same({ refs.locate(kept, other) }, { nil, "gone" })
  local renamed = app { { 0, "window", "w" }, { 1, "button", "Saved", bounds = box(0, 0) } }
  t.same(refs.locate(kept, renamed), renamed.nodes[2], "only the name is new")
  local strange = app { { 0, "window", "w" }, { 1, "button", "Delete", bounds = box(300, 0), index = 7 } }
  t.same({ refs.locate(kept, strange) }, { nil, "gone" })
end)


-- --- finding ----------------------------------------------------------------------------------

local FORM = { { 0, "window", "Editor" },
  { 1, "label", "Name:", bounds = box(0, 0) }, { 1, "entry", "", value = "Ada", bounds = box(90, 0) },
  { 1, "button", "Save", bounds = box(0, 40) }, { 1, "button", "save", bounds = box(90, 40) },
  { 1, "button", "Save all", bounds = box(180, 40) }, { 1, "checkbox", "Wrap", states = { checked = true }, bounds = box(0, 80) },
  { 1, "group", "More" }, { 2, "button", "Save", states = { enabled = false }, bounds = box(0, 120) },
  { 2, "menuitem", "Save As…", states = { shown = false } }, { 1, "label", "Save", bounds = box(0, 160) } }

t.case("a selector finds the element that is meant", function()
  local s = application()(FORM)
  t.same(one(s, 'button "Save"'), s.nodes[4], "letters' case as given, and on")
  t.same(one(s, 'button "SAVE ALL"'), s.nodes[6], "any case")
  t.same(one(s, 'button "Save" in group "More"'), s.nodes[9])
  t.same(one(s, 'entry near "Name:"'), s.nodes[3])
  t.same(one(s, 'entry "Name"'), s.nodes[3], "by its label")
  t.same(one(s, '"Ada"'), s.nodes[3], "by its value")
  t.same(one(s, 'menuitem "Save As..."'), s.nodes[10], "three points are one sign")
  t.same(one(s, "checkbox checked"), s.nodes[7])
  t.same(one(s, "button nth 2"), s.nodes[5])
  t.same(one(s, "/^Wr/"), s.nodes[7])
  t.same(select(2, find.one(s, { text = "save", roles = { button = true }, near = { x = 100, y = 50 } })), nil)
end)

t.case("an element in one that has a ref", function()
  local s, other = application()(FORM), application()(FORM)
  local more = s.nodes[8].ref
  t.same(one(s, 'button "Save" in ' .. more), s.nodes[9])
  t.same(one(s, 'menuitem "Save As…" in group in ' .. s.nodes[1].ref), s.nodes[10])
  t.same(select(2, one(s, 'button "Save all" in ' .. more)), ('No element matches button "Save all" in %s.'):format(more))
  t.match(select(2, one(other, 'button "Save" in ' .. more)), more .. " is an element of another application")
  t.same(select(3, one(s, "button in e99999")), "element_not_found")
end)

t.case("a popover that has closed holds nothing that is shown", function()
  local tree = looks.tree { { 0, "window", "w", bounds = box(0, 0) }, { 1, "menu", "", bounds = false },
    { 2, "radioitem", "Fixed", bounds = box(9, 9) }, { 1, "button", "Mode", bounds = box(90, 0) } }
  tree.nodes[2].bounds, tree.nodes[2].children = nil, 1
  local seen = snapshots.of(tree, { pid = 1, started = 1 })
  t.same({ #seen.nodes, seen.nodes[2].name }, { 2, "Mode" })
  tree = looks.tree { { 0, "window", "w", bounds = box(0, 0) }, { 1, "menu", "", bounds = false },
    { 2, "radioitem", "Fixed", bounds = box(9, 9) } }
  tree.nodes[2].bounds, tree.nodes[2].children = nil, 1
  local all = snapshots.of(tree, { pid = 1, started = 1, hidden = true })
  t.same({ #all.nodes, all.nodes[3].states.shown }, { 3 })
end)

t.case("a menu bar without a place is drawn nowhere in a pane that has one, and neither are its menus", function()
  local function bar(native, place)
    return application() { { 0, "window", "w", bounds = box(0, 0) }, { 1, "group", "", native = native, bounds = place },
      { 2, "menubar", "", bounds = false }, { 3, "menu", "File", bounds = box(0, 44) } }
  end
  t.same(#bar("root pane", box(0, 44)).nodes, 2)
  t.same(#bar("panel", box(0, 44)).nodes, 4, "another pane")
  t.same(#bar("root pane", false).nodes, 4, "nothing of it has a place: the look was cut")
end)

t.case("near a label is the field that it names, of two labels neither", function()
  local s = application() { { 0, "window", "w" }, { 1, "label", "Locked:", bounds = box(0, 0) },
    { 1, "text", "", bounds = box(90, 0) }, { 1, "label", "Upper:", bounds = box(0, 30) }, { 1, "entry", "", bounds = box(90, 30) },
    { 1, "button", "Browse", bounds = box(190, 0) } }
  t.same(select(3, one(s, 'entry near "Locked:"')), "element_not_found")
  t.same(one(s, 'text near "Locked:"'), s.nodes[3])
  t.same(one(s, 'button near "Locked:"'), s.nodes[6], "what has no label of its own")
  local twice = application() { { 0, "window", "w" },
    { 1, "label", "Name:", bounds = box(0, 0) }, { 1, "entry", "", bounds = box(90, 0) },
    { 1, "label", "Name:", bounds = box(0, 300) }, { 1, "entry", "", bounds = box(90, 300) } }
  t.same(select(3, one(twice, 'entry near "Name:"')), "element_ambiguous")
  t.same(one(twice, 'entry near "Name:" nth 2'), twice.nodes[5])
end)

t.case("a selector that fits several, and one that fits none", function()
  local s = application()(FORM)
  local node, err, code, candidates = one(s, 'button text*="save"')
  t.same({ node, code, #candidates }, { nil, "element_ambiguous", 3 })
  t.has(err, "matches 3 elements")
  node, err, code = one(s, 'button "Quit"')
  t.same({ node, code }, { nil, "element_not_found" })
  t.has(err, 'No element matches button "Quit".')
  t.same(find.nearest(s, assert(selector.read 'button "Svae"'))[1], s.nodes[4])
  t.same(select(3, one(s, "button /(/")), "bad_argument")
end)

t.case("the whole name comes before its beginning, and that before a part", function()
  local s = application() { { 0, "window", "w" }, { 1, "button", "Do not save" }, { 1, "button", "Save all" }, { 1, "button", "Save" } }
  local names = {}
  for i, node in ipairs(assert(find.all(s, assert(selector.read 'text*="save"')))) do names[i] = node.name end
  t.same(names[3], "Do not save")
end)


-- --- outlines ---------------------------------------------------------------------------------

t.case("an outline leaves out what says nothing", function()
  local s = application()(FORM)
  t.same(plain(lines(s)), { 'window "Editor" active', ' entry "Name" ="Ada"', ' button "Save"', ' button "save"', ' button "Save all"',
    ' checkbox "Wrap" checked', ' group "More"', '  button "Save" off', ' label "Save"' })
end)

t.case("numbers of what is only up or down are told by its states, and a panel is not called like its window", function()
  local s = application() { { 0, "window", "Impress" }, { 1, "group", "Impress" },
    { 2, "button", "New", number = 0, value = "0" }, { 2, "button", "Select", number = 1, value = "1" },
    { 2, "toggle", "Snap", number = 1, value = "1", states = { checked = true } }, { 2, "slider", "Zoom", number = 0, value = "0" },
    { 2, "label", "", value = "Slide 1" } }
  t.same(plain(lines(s)), { 'window "Impress" active', ' button "New"', ' button "Select" =1', ' toggle "Snap" checked',
    ' slider "Zoom" =0', ' label ="Slide 1"' })
end)

t.case("empty cells of a sheet have no lines, and words in one are quoted", function()
  local s = application() { { 0, "window", "Calc" }, { 1, "table", "Sheet1" }, { 2, "cell", "A1", number = 0, value = "Fruit" },
    { 2, "cell", "B1", number = 3, value = "3" }, { 2, "cell", "C1", number = 0 }, { 2, "cell", "Total" } }
  t.same(plain(lines(s)), { 'window "Calc" active', ' table "Sheet1"', '  cell "A1" ="Fruit"', '  cell "B1" =3', '  cell "Total"' })
end)

t.case("depth, and long lists", function()
  local rows = { { 0, "window", "w" }, { 1, "list", "Rows", states = { virtual = true }, children = 0 } }
  for i = 1, 60 do rows[#rows + 1] = { 2, "listitem", "Row " .. i } end
  local s = application()(rows)
  s.nodes[2].children = 1000
  local shown, cut = outline.lines(outline.roots(s), { tokens = 300 })
  t.same(cut, true)
  t.match(shown[#shown], "%.%.%. %d+ more")
  t.same(plain(lines(s, { depth = 1 })), { 'window "w" active', ' list "Rows"', "  ... 60 children" })
end)

t.case("an outline keeps its budget", function()
  local rows = { { 0, "window", "w" } }
  for i = 1, 2000 do
    rows[#rows + 1] = { 1, "group", "Group " .. i }
    rows[#rows + 1] = { 2, "button", ("Button 日本語 %d"):format(i) }
  end
  local s = application()(rows)
  for _, tokens in ipairs { 200, 500, 1500 } do
    local shown, cut = outline.lines(outline.roots(s), { tokens = tokens })
    local sum = budget.total(shown)
    t.ok(sum <= tokens, ("%d tokens of %d"):format(sum, tokens))
    t.same(cut, true)
    t.has(shown[#shown], "more lines")
  end
end)

t.case("lines are cut from the first that may go on, and never at one that has to stay", function()
  local lines4 = { "aaa", "bbb", "ccc", "ddd" }   -- two tokens each
  local function cut(limit, first, last) return budget.cut(lines4, { limit = limit, first = first, last = last, rest = "%d" }) end
  t.same(cut(4, 1, 4), { "aaa", "bbb", "2" })
  t.same(cut(0, 1, 4), { "4" })
  t.same(cut(0, 2, 4), { "aaa", "3" })
  t.same(cut(6, 1, 4), { "aaa", "bbb", "ccc", "1" })
  t.same(cut(6, 1, 3), lines4, "the last line is no longer than the one that counts it")
end)

t.case("an application's text cannot pass for something else", function()
  local s = application() { { 0, "window", 'w"\n e1 button "Pay' }, { 1, "entry", "n", value = ("x"):rep(500) } }
  local shown = plain(lines(s))
  t.same(shown[1], 'window "w\\" e1 button \\"Pay" active')
  t.ok(#shown[2] < 160)
end)


-- --- differences ------------------------------------------------------------------------------

local function changed(app_rows, new_rows)
  local app = application()
  local before, after = app(app_rows), app(new_rows)
  local changes = diff.changes(before, after)
  return plain(diff.lines(changes)), changes, before, after
end

t.case("lines for elements that came, changed and went", function()
  t.same(changed(
    { { 0, "window", "w" }, { 1, "entry", "Name", value = "a" }, { 1, "checkbox", "Wrap" }, { 1, "label", "Ready" },
      { 1, "button", "Apply" } },
    { { 0, "window", "w" }, { 1, "entry", "Name", value = "b", states = { focused = true } },
      { 1, "checkbox", "Wrap", states = { checked = true } }, { 1, "label", "Saved" } }),
    { '~ entry "Name" ="b" focused', '~ checkbox "Wrap" checked', '~ label "Ready" -> "Saved"', '- button "Apply"' })
end)

t.case("nothing, and a focus that only left", function()
  t.same(changed(FORM, FORM), {})
  t.same(changed({ { 0, "window", "w" }, { 1, "entry", "n", states = { focused = true } } },
    { { 0, "window", "w" }, { 1, "entry", "n" } }), {})
end)

local function states(...)
  local set = {}
  for _, name in ipairs { ... } do set[name] = true end
  return set
end

t.case("a lost state is told unless another element has it now", function()
  local function items(...)
    local rows = { { 0, "window", "w" } }
    for i, set in ipairs { ... } do rows[i + 1] = { 1, "listitem", "i" .. i, states = set } end
    return rows
  end
  local on = states "selected"
  t.same(changed(items(on, on, {}), items({}, {}, {})), { '~ listitem "i1" not selected', '~ listitem "i2" not selected' })
  t.same(changed(items(on, {}, {}), items({}, on, {})), { '~ listitem "i2" selected' })
  local active, other = { 0, "dialog", "a", states = states "active" }, { 0, "dialog", "b", states = states "active" }
  t.same(changed({ active }, { { 0, "dialog", "a" } }), { '~ dialog "a" not active' })
  t.same(changed({ active }, { { 0, "dialog", "a" }, other }), { '+ dialog "b" active' })
  t.same(changed({ { 0, "window", "w" }, { 1, "checkbox", "c", states = states "mixed" } },
    { { 0, "window", "w" }, { 1, "checkbox", "c" } }), { '~ checkbox "c" unchecked' })
  t.same(changed({ { 0, "window", "w" }, { 1, "checkbox", "c", states = states "mixed" } },
    { { 0, "window", "w" }, { 1, "checkbox", "c", states = states "checked" } }), { '~ checkbox "c" checked' })
end)

t.case("an observation is told every state that was lost", function()
  local app = application()
  local before = app { { 0, "window", "w" }, { 1, "entry", "n", states = states("focused", "editable", "required") } }
  local after = app { { 0, "window", "w" }, { 1, "entry", "n" } }
  local list = diff.changes(before, after, true)
  t.same({ #list, (diff.line(list[1]):gsub("e%d+ ", "")) }, { 1, '~ entry "n" not focused not editable not required' })
  local back = diff.changes(after, before, true)
  t.same((diff.line(back[1]):gsub("e%d+ ", "")), '~ entry "n" focused editable required')
end)

t.case("a change behind what a line shows is told", function()
  local long = ("x"):rep(200)
  local list = changed({ { 0, "window", "w" }, { 1, "text", "t", value = long .. "a" } },
    { { 0, "window", "w" }, { 1, "text", "t", value = long .. "b" } })
  t.same(list, { '~ text "t" =…"' .. ("x"):rep(20) .. 'b"' })
end)

t.case("a dialog comes with what is in it; a large one is folded", function()
  local small, large = { { 0, "window", "w" }, { 0, "dialog", "Save As" }, { 1, "entry", "Name" }, { 1, "button", "Save" } },
    { { 0, "window", "w" }, { 0, "dialog", "Open" } }
  for i = 1, 60 do large[#large + 1] = { 1, "listitem", "File " .. i } end
  t.same(changed({ { 0, "window", "w" } }, small), { '+ dialog "Save As"', '+  entry "Name"', '+  button "Save"' })
  t.same(changed({ { 0, "window", "w" } }, large), { '+ dialog "Open": 60 items' })
end)

t.case("items that come to a menu are one line where they are many, and those that go always", function()
  local closed, open = { { 0, "window", "w" }, { 1, "menu", "File" } }, { { 0, "window", "w" }, { 1, "menu", "File" } }
  for i = 1, 40 do
    closed[#closed + 1] = { 2, "menuitem", "Item number " .. i, states = { shown = false } }
    open[#open + 1] = { 2, "menuitem", "Item number " .. i }
  end
  local app = application()
  local before, after = app(closed), app(open)
  local menu = before.nodes[2].ref
  t.same(diff.lines(diff.changes(before, after)), { ('+ 40 items of %s menu "File"'):format(menu) })
  t.same(diff.lines(diff.changes(after, before)), { ('- 40 items of %s menu "File"'):format(menu) })
end)

t.case("an element that a late look lacks is not taken for gone, or for new", function()
  local whole = { { 0, "window", "w" }, { 1, "checkbox", "Wrap" }, { 1, "entry", "Name", value = "a" }, { 1, "tab", "Two" } }
  local part = { { 0, "window", "w" }, { 1, "checkbox", "Wrap", states = { checked = true } }, { 1, "entry", "Name" } }
  local function told(before_late, after_late, before, after)
    local app = application()
    before, after = app(before), app(after)
    before.late, after.late = before_late, after_late
    t.same(diff.is_unsure(before, after), before_late or after_late or false)
    return plain(diff.lines(diff.changes(before, after)))
  end
  t.same(told(nil, nil, whole, part), { '~ checkbox "Wrap" checked', '~ entry "Name" =""', '- tab "Two"' })
  t.same(told(nil, true, whole, part), { '~ checkbox "Wrap" checked' })
  t.same(told(true, nil, part, whole), { '~ checkbox "Wrap" unchecked' })
  t.same(told(true, nil, whole, part), { '~ checkbox "Wrap" checked', '~ entry "Name" =""', '- tab "Two"' })
end)

t.case("a difference keeps its budget", function()
  local before, after = { { 0, "window", "w" } }, { { 0, "window", "w" } }
  for i = 1, 100 do
    before[#before + 1] = { 1, "label", "Before " .. i }
    after[#after + 1] = { 1, "label", "After " .. i }
  end
  local list = changed(before, after)
  t.match(list[#list], "%.%.%. %d+ more changes")
  t.ok(#table.concat(list, "\n") < 600)
end)


-- --- verdicts -----------------------------------------------------------------------------------

local function judged(rows, new_rows, at, restless)
  local app = application()
  local before, after = app(rows), app(new_rows)
  local node = before.nodes[at]
  local set = {}
  for _, i in ipairs(restless or {}) do set[before.nodes[i].id] = true end
  return judge.of({ press = true, node = node }, { now = after.by_id[node.id], changes = diff.changes(before, after) }, set).effect
end

local W, BOX = { 0, "window", "w" }, { 1, "checkbox", "Wrap", states = { checkable = true } }
local CHECKED = { 1, "checkbox", "Wrap", states = { checkable = true, checked = true } }
local READY, BUSY, FIELD = { 1, "label", "Ready" }, { 1, "label", "Busy" }, { 1, "entry", "" }
local BUTTON, FOCUSED = { 1, "button", "Go" }, { 1, "button", "Go", states = { focused = true } }

--- A page with news in a list.
local function page(name, item)
  return { W, BUTTON, { 1, "document", "p", native = "document web" }, { 2, "list", "" },
    { 3, "listitem", name, value = "news 46", states = item }, { 4, "label", "news 46" } }
end

local VERDICTS = {
  { "a check box that is checked now", { W, BOX, READY }, { W, CHECKED, READY }, "confirmed" },
  { "a check box that stays, beside something that changed", { W, BOX, READY }, { W, BOX, BUSY }, "partial" },
  { "a check box that stays", { W, BOX, READY }, { W, BOX, READY }, "none_seen" },
  { "a button, and a label that changed: a clock does, too", { W, BUTTON, READY }, { W, BUTTON, BUSY }, "partial" },
  { "a button, and a field that changed", { W, BUTTON, { 1, "entry", "n", value = "1" } }, { W, BUTTON, { 1, "entry", "n", value = "2" } },
    "confirmed" },
  { "a button, and a label that changes by itself", { W, BUTTON, READY }, { W, BUTTON, BUSY }, "none_seen", { 3 } },
  { "a button, and a dialog of another name: dialogs open by themselves, too", { W, BUTTON },
    { W, BUTTON, { 0, "dialog", "Updates" }, { 1, "button", "Later" } }, "partial" },
  { "a button, and a dialog of its name", { W, { 1, "button", "Settings" } },
    { W, { 1, "button", "Settings" }, { 0, "dialog", "Other settings" } }, "confirmed" },
  { "a button that announces a dialog, and one", { W, { 1, "button", "Browse..." } },
    { W, { 1, "button", "Browse..." }, { 0, "dialog", "Open" } }, "confirmed" },
  { "a button, and text beside a field that changed", { W, BUTTON, { 1, "label", "A:" }, FIELD }, { W, BUTTON, READY, FIELD }, "partial" },
  { "a button that only has the focus now", { W, BUTTON, READY }, { W, FOCUSED, READY }, "none_seen" },
  { "a button that went", { W, BUTTON, READY }, { W }, "confirmed" },
  { "a button, and an item of a page's list that lost its bullet", page "•", page "", "partial" },
  { "a button, and another name of an item that can be chosen", page("A", { focusable = true }), page("B", { focusable = true }),
    "confirmed" },
  { "a radio button that was on", { W, { 1, "radio", "A", states = { checked = true } } },
    { W, { 1, "radio", "A", states = { checked = true } } }, "none_seen" },
}

for _, case in ipairs(VERDICTS) do
  t.case(case[1] .. " is " .. case[4], function() t.same(judged(case[2], case[3], 2, case[5]), case[4]) end)
end

t.case("an element that only repeats the text of one in it is no match", function()   -- Chromium's groups, tabs with buttons
  local s = application() { { 0, "window", "w" }, { 1, "group", "", value = "START" }, { 2, "label", "START" },
    { 1, "tab", "Submit" }, { 2, "button", "Submit" } }
  t.same(one(s, '"START"'), s.nodes[3])
  t.same(one(s, '"Submit"'), s.nodes[5])
end)

t.case("an expression meets the ends of a name that a label gives", function()   -- items of a web page's list
  local s = application() { { 0, "window", "w" }, { 1, "list", "" }, { 2, "listitem", "" }, { 3, "label", "Suriname" } }
  t.same(one(s, "listitem /^Sur.*name$/"), s.nodes[3])
end)

t.case("a change that came before the action or late, by events or by looks, may have another cause", function()
  local function chance(watch)
    local change = { kind = "changed", node = { id = 7 }, name = true }
    watches.mark_chance({ pid = 1, restless = {}, answered = 10, earlier = watch.earlier or {}, events = watch.events or {},
      glanced = watch.glanced }, { change })
    return change.chance or false
  end
  local function at(seconds) return { { id = 7, kind = "value", at = seconds, detail = "" } } end
  t.same(chance { events = at(10.05) }, false)
  t.same(chance { events = at(10.3) }, true)
  t.same(chance { earlier = at(9.9), events = at(10.05) }, true)
  t.same(chance {}, false)
  t.same(chance { glanced = {} }, true)
  t.same(chance { glanced = { [7] = true } }, false)
end)

t.case("a value is confirmed only if it was read back", function()
  t.same(judge.text("a", "a", "b").effect, "confirmed")
  t.same(judge.text("a", "b", "b").effect, "none_seen")
  t.same(judge.text("ab", "a", "b").effect, "partial")
  t.same(judge.text("a", nil, nil).effect, "unknown")
end)

t.case("a dialog that is not in a tree that was cut is not called closed", function()
  local seen = application() { { 0, "window", "w" } }
  local dialog = { node = { id = -1, pid = seen.pid, role = "dialog", name = "Save" } }
  t.same(closing.judge(dialog, { snapshot = seen }).effect, "confirmed")
  seen.cut = true
  t.same(closing.judge(dialog, { snapshot = seen }).effect, "unknown")
end)

t.done()
