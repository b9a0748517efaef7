--- The selector of a macro's step for an element: the first of these that means no other element of its window.
--
--   button "Save"                        role and name; only the role for one without a name
--   button "Save" in dialog "Save As"    in its dialog
--   button "Add" in listitem "Pear"      in its row, or in what has a name around it
--   entry near "Name:"                   beside a label
--   button "Close" nth 2                 by its place, which counts as long as the number of matches does
--
-- A name that changes with what an element holds is not used: that of a box is what is chosen in it.

local find      = require "elements.find.search"
local identity  = require "macros.identity"
local quoting   = require "desktop.quoting"
local selectors = require "elements.find.selector"
local words     = require "elements.read.words"

local M = {}

local NAME = 80      -- characters of a name that are compared as a whole
local MOST = 200     -- matches among which a place is counted
local LABELS = 8     -- that are tried
local ROWS = words.set "listitem row treeitem"
local DIALOGS = words.set "dialog alert"
local FIELDS = words.set "entry text password combobox spin"


--- How a selector says which element is meant, the surest first.
---@alias macros.Way "name"|"role"|"dialog"|"row"|"group"|"near"|"index"


-- --- parts -------------------------------------------------------------------------------------------------

--- The part of a selector for a name: the whole one, or the beginning of a long one.
---@param name string
---@return string
function M.named(name)
  local short = name:match "^(.-)…$"
  if not short and utf8.len(name) and utf8.len(name) > NAME then short = name:sub(1, utf8.offset(name, NAME + 1) - 1) end
  return short and "text*=" .. quoting.quote(short) or quoting.quote(name)
end


--- The name of an element that stays, whatever it holds; "": it has none.
---@param node elements.Node
---@return string
function M.lasting_name(node)
  if node.label and node.label ~= "" then return node.label end
  local name = words.own_name(node)
  if FIELDS[node.role] and (node.role == "combobox" and node.value == "" or name == words.clean(node.value)) then return "" end
  return name
end


local function plain_of(node, nameless)
  local name = nameless and "" or M.lasting_name(node)
  return name == "" and node.role or ("%s %s"):format(node.role, M.named(name)), name ~= ""
end


--- The nearest element around a node for which this holds, below its window.
local function around(node, holds)
  local at = node.up
  while at and not holds(at) do at = at.up end
  return at
end


local function is_dialog(node) return DIALOGS[node.role] == true end
local function is_row(node) return ROWS[node.role] and M.lasting_name(node) ~= "" end

--- True for a container with a name that does not name the document, as the window's title does.
local function is_named(node)
  local title = node.top and words.own_name(node.top) or ""
  local name = M.lasting_name(node)
  return node ~= node.top and not is_dialog(node) and not ROWS[node.role] and name ~= "" and not title:find(name, 1, true)
end


--- The labels that may say which element is meant: its own, those that may be, those beside it, and the texts of its row.
local function labels_of(node, snapshot)
  local list = { table.unpack(node.maybe or {}) }
  for _, label in ipairs { node.beside or "", node.label or "" } do
    if label ~= "" then table.insert(list, 1, label) end
  end
  local row = around(node, function(each) return ROWS[each.role] == true end)
  for _, each in ipairs(snapshot.nodes) do
    local at = each.up
    while row and at and at ~= row do at = at.up end
    local is_near = at ~= nil and at == row or each.role == "label" and each.up == node.up
    local name = is_near and each ~= node and words.own_name(each) or ""
    if name ~= "" and words.fold(name) ~= "" and #list < LABELS then list[#list + 1] = name end
  end
  return list
end


-- --- trying --------------------------------------------------------------------------------------------------

--- True if a line means this element and no other.
local function means(line, node, snapshot)
  local selector = selectors.parse(line)
  if not selector then return false end
  local nodes = identity.matches(snapshot, selector)
  if not nodes then return false end
  if selector.near and not selector.index then return find.one(snapshot, selector, true) == node end
  return #nodes == 1 and nodes[1] == node
end


--- The place of a node among those that a line matches.
local function place_of(line, node, snapshot)
  local selector = selectors.parse(line)
  for at = 1, selector and MOST or 0 do
    selector.index = at
    local found = find.all(snapshot, selector)
    if not found or not found[1] then return nil end
    if found[1] == node then return at end
  end
end


--- The selectors that may mean the node, the surest first.
local function candidates_of(node, snapshot, nameless)
  local plain, has_name = plain_of(node, nameless)
  local list = { { plain, has_name and "name" or "role" } }
  local function add(outer, way)
    if outer then list[#list + 1] = { ("%s in %s"):format(plain, (plain_of(outer))), way } end
  end
  add(around(node, is_dialog), "dialog")
  add(around(node, is_row), "row")
  add(around(node, is_named), "group")
  for _, label in ipairs(node.bounds and labels_of(node, snapshot) or {}) do
    list[#list + 1] = { ("%s near %s"):format(plain, quoting.quote(label)), "near" }
  end
  return list
end


--- Returns the selector for a node.
---@param snapshot elements.Snapshot  the part that is in its window
---@param node elements.Node
---@param options? {nameless?: boolean}  nameless: its name is what is to be read of it
---@return string? line      nil: nothing tells it from others
---@return boolean? counted  it is told by its place among equal ones, and only while their number stays
---@return integer? count    how many these are
---@return macros.Way? way
function M.of(snapshot, node, options)
  local candidates = candidates_of(node, snapshot, options and options.nameless)
  for _, each in ipairs(candidates) do
    if means(each[1], node, snapshot) then return each[1], false, nil, each[2] end
  end
  local at = place_of(candidates[1][1], node, snapshot)
  if not at then return nil end
  local line = ("%s nth %d"):format(candidates[1][1], at)
  return line, true, identity.count(snapshot, selectors.parse(line)), "index"
end


return M
