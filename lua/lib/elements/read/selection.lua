--- The selection in the field with the keyboard focus, and the length of its text: some actions change nothing else that the
--- interface shows.

local element = require "sys.element"
local words   = require "elements.read.words"

local M = {}

---@class elements.Selection
---@field node elements.Node
---@field length integer
---@field from integer
---@field to integer       equal to `from`: nothing is selected


local function read(node)
  local text = element.text(node.id, { from = 0, to = 0 })
  if not text then return nil end
  local from, to = text.selected_from or 0, text.selected_to or 0
  return { node = node, length = text.length, from = from, to = to > from and to or from }
end


--- The selection in a snapshot; nil: no readable field has the focus.
---@param snapshot elements.Snapshot
---@return elements.Selection?
function M.of(snapshot)
  for _, node in ipairs(snapshot.nodes) do
    if node.states.focused and node.abilities.read and node.role ~= "password" then return read(node) end
  end
end


--- The change since then, in words; nil: there is none.
---@param before elements.Selection
---@return string?
function M.change(before)
  local now = read(before.node)
  if not now then return nil end
  local called = words.called(before.node)
  if now.length ~= before.length then return ("%s holds %d characters now"):format(called, now.length) end
  if now.from == before.from and now.to == before.to then return nil end
  if now.to == now.from then return ("nothing is selected in %s now"):format(called) end
  return ("%d characters are selected in %s now"):format(now.to - now.from, called)
end


return M
