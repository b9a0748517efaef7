--- The target of a step: the selector of an element, and the record by which it is known again.

local element_target = require "elements.find.target"
local identity       = require "macros.identity"
local selector       = require "macros.selector"
local selectors      = require "elements.find.selector"
local words          = require "elements.read.words"

local M = {}

local HELD = words.set "entry text password spin combobox"   -- their name may be what is in them

---@class recorder.Target
---@field line string          the selector
---@field counted boolean      it has a number among equal ones
---@field known macros.Known
---@field hint string          what the element is called
---@field role string
---@field row? {prefix: string, name: string}  what the selector has before the name of the row, and that
---@field id integer
---@field window integer

--- The row that ends a selector: `button "Add" in listitem "Pear"`. nil: its name cannot be written in place of another.
local function row_in(line)
  local prefix, name = line:match '^(.* in %a+ )"([^"\\]*)"$'
  return prefix and { prefix = prefix, name = name } or nil
end


--- Describes an element for a kind of step.
---@param kind string
---@param snapshot elements.Snapshot
---@param window_id integer
---@param node elements.Node
---@return recorder.Target?  nil: nothing tells it from others
function M.of(kind, snapshot, window_id, node)
  local own = node.window or window_id
  local part = element_target.in_window(snapshot, own)
  local line, counted, _, way = selector.of(part, node)
  if not line then return nil end
  local known = identity.record(kind, line, selectors.parse(line), node, part)
  if HELD[node.role] and known.name == words.clean(node.value) then known.name = nil end
  return { line = line, counted = counted or false, known = known, row = way == "row" and row_in(line) or nil,
    hint = selector.lasting_name(node), role = node.role, id = node.id, window = own }
end


return M
