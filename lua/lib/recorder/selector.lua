--- A selector that means one element, and means it again later: role and name, in its dialog, in its row, near a label; a number
--- among equal ones comes last.

local find      = require "elements.find.search"
local identity  = require "macros.identity"
local selectors = require "elements.find.selector"
local words     = require "elements.read.words"

local M = {}

local LONG = 100   -- bytes of a name that is part of a selector, at most

local ROWS = words.set "listitem row treeitem"
local DIALOGS = words.set "dialog alert"
local FIELDS = words.set "entry text password spin"   -- what is in them may become their name


--- The text in quotes, as selectors have it.
local function quoted(text) return '"' .. text:gsub('[\\"]', "\\%0") .. '"' end


local function is_short(text) return text ~= "" and #text <= LONG and words.fold(text) ~= "" end


--- The name of an element that stays: that of a field or a combo box may be what is in it.
local function lasting_name(node)
  local name = words.own_name(node)
  local held = FIELDS[node.role] or node.role == "combobox"
  if held and name == words.clean(node.value) then name = "" end
  if name == "" then name = node.label or "" end
  return is_short(name) and name or ""
end


--- The nearest of what an element is in that has one of these roles, and its name.
local function around(node, roles)
  local at = node.up
  while at and not roles[at.role] do at = at.up end
  return at, at and words.own_name(at) or ""
end


--- The names by which a row can be told: its own, or those in it.
local function names_of_row(row, snapshot, node)
  local list = {}
  if is_short(words.own_name(row)) then list[1] = words.own_name(row) end
  for _, each in ipairs(snapshot.nodes) do
    local at = each
    while at and at ~= row do at = at.up end
    local name = at and each ~= row and each ~= node and words.own_name(each) or ""
    if is_short(name) and #list < 4 then list[#list + 1] = name end
  end
  return list
end


--- The lines to try, best first.
local function candidates(snapshot, node)
  local name, list = lasting_name(node), {}
  local base = name ~= "" and ("%s %s"):format(node.role, quoted(name)) or node.role
  local function add(line) list[#list + 1] = line end
  add(base)
  local dialog, title = around(node, DIALOGS)
  if dialog and is_short(title) then add(("%s in %s %s"):format(base, dialog.role, quoted(title))) end
  local row = around(node, ROWS)
  for _, text in ipairs(row and names_of_row(row, snapshot, node) or {}) do
    if text == words.own_name(row) then add(("%s in %s %s"):format(base, row.role, quoted(text))) end
    add(("%s near %s"):format(base, quoted(text)))
  end
  for _, label in ipairs { node.label or "", node.beside or "" } do
    if is_short(label) then add(("%s near %s"):format(base, quoted(label))) end
  end
  return list, base
end


--- True if the line means this element alone.
local function means(snapshot, line, node)
  local selector = selectors.parse(line)
  if not selector then return false end
  local nodes = identity.matches(snapshot, selector)
  if nodes and #nodes == 1 then return nodes[1] == node end
  return selector.near ~= nil and nodes ~= nil and #nodes > 1 and find.one(snapshot, selector, true) == node
end


--- The line with the place of the element among those that it matches.
local function numbered(snapshot, base, node)
  local selector = selectors.parse(base)
  local hits = selector and find.all(snapshot, selector) or {}
  for i = 1, #hits do
    local line = ("%s nth %d"):format(base, i)
    if means(snapshot, line, node) then return line end
  end
end


--- A selector for the element.
---@param snapshot elements.Snapshot  the part of it that is in the element's window
---@param node elements.Node
---@return string? line     nil: nothing tells it from others
---@return boolean? counted  it is told by its place among equal ones, and only while their number stays
function M.of(snapshot, node)
  local lines, base = candidates(snapshot, node)
  for _, line in ipairs(lines) do
    if means(snapshot, line, node) then return line, false end
  end
  local line = numbered(snapshot, base, node)
  if line then return line, true end
end


--- A name for a parameter that holds what is written into the element.
---@param node elements.Node
---@return string
function M.name(node) return lasting_name(node) end


return M
