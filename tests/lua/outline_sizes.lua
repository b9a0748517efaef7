--- Texts for models as tests/clients/tokens_test.py counts them: {"elements", "outline", "diffs": {...}} as JSON.
local diff      = require "elements.read.diff"
local impress   = require "impress"
local json      = require "sys.json"
local looks     = require "testing.interface"
local outline   = require "elements.read.outline"
local snapshots = require "elements.read.snapshot"

local function look(rows) return snapshots.of(looks.tree(rows), { pid = 7, started = 70 }) end

--- The same elements with others behind them.
local function with(more)
  local rows = table.move(impress, 1, #impress, 1, {})
  return look(table.move(more, 1, #more, #rows + 1, rows))
end


--- A file dialog as GTK's: 2 fields, 30 files with a size each, a menu of places, two buttons.
local function dialog()
  local rows = { { 0, "dialog", "Open" }, { 1, "entry", "Name" }, { 1, "combobox", "All files" }, { 1, "table", "Files" } }
  for i = 1, 30 do
    rows[#rows + 1] = { 2, "cell", ("report %d.odp"):format(i) }
    rows[#rows + 1] = { 2, "cell", ("%d kB"):format(i * 17) }
  end
  for i = 1, 9 do rows[#rows + 1] = { 1, "listitem", "Place " .. i } end
  return table.move({ { 1, "button", "Cancel" }, { 1, "button", "Open" } }, 1, 2, #rows + 1, rows)
end


local function menu()
  local rows = { { 0, "menu", "Format" } }
  for i = 1, 36 do rows[#rows + 1] = { 1, "menuitem", ("Paragraph style number %d..."):format(i) } end
  return rows
end


--- Labels that hold hardly a letter: each sign is a token.
local function signs()
  local rows = { { 0, "dialog", "$#@!~^&*()_+{}|:<>?" } }
  for i = 1, 4 do rows[#rows + 1] = { 1, "label", ("{[<%d>]}~^#*+=|;:,.-_!?&%%$"):format(i) } end
  for i = 1, 4 do rows[#rows + 1] = { 1, "label", ("😀🎉👩‍👩‍👧‍👦🚀%d"):format(i) } end
  return rows
end


--- Every button is switched off.
local function all_off()
  local rows = {}
  for i, row in ipairs(impress) do
    rows[i] = {}
    for key, value in pairs(row) do rows[i][key] = value end
    if row[2] == "button" then rows[i].states = { enabled = false } end
  end
  return look(rows)
end


local before = look(impress)

local function changes(after) return table.concat(diff.lines(diff.changes(before, after)), "\n") end

print(json.encode { elements = #before.nodes, outline = table.concat(outline.lines(outline.roots(before)), "\n"),
  diffs = { dialog = changes(with(dialog())), menu = changes(with(menu())), off = changes(all_off()),
    signs = changes(with(signs())) } })
