--- An application's windows as the window system reports them, even while the application does not answer.

local hands  = require "elements.read.hands"
local window = require "sys.window"

local M = {}


--- The windows by ID; nil if they could not be read. An empty table means that there are none.
---@param pid integer
---@return table<integer, sys.window.Window>?
function M.now(pid)
  local list = window.list { pid = pid }
  if not list then return nil end
  local by_id = {}
  for _, each in ipairs(list) do by_id[each.id] = each end
  return by_id
end


local function lacking(some, others)
  for id, each in pairs(some or {}) do
    if others and not others[id] then return each end
  end
end


--- A window that was not there before; nil also if either list could not be read.
---@param before? table<integer, sys.window.Window>  the result of now()
---@param after? table<integer, sys.window.Window>
---@return sys.window.Window?
function M.opened(before, after) return lacking(after, before) end


--- A window that is no longer there.
---@param before? table<integer, sys.window.Window>
---@param after? table<integer, sys.window.Window>
---@return sys.window.Window?
function M.closed(before, after) return lacking(before, after) end


--- Gives the keyboard focus to the window of an element, unless it has it.
---@param node elements.Node
---@return any ok
---@return string? err
---@return string? code
function M.focus(node)
  local list, err, code = window.list { pid = node.pid }
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    if each.id == node.window and not each.focused then return hands.raise(node, each) end
  end
  return true
end


return M
