--- An application's windows as the window system tells of them, also while the application does not answer.

local window = require "sys.window"

local M = {}


--- By id; nil when they could not be read, which is not the same as none.
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


--- One that was not there before; nil also when one of both could not be read.
---@param before? table<integer, sys.window.Window>  of now()
---@param after? table<integer, sys.window.Window>
---@return sys.window.Window?
function M.opened(before, after) return lacking(after, before) end


--- One that is not there any more.
---@param before? table<integer, sys.window.Window>
---@param after? table<integer, sys.window.Window>
---@return sys.window.Window?
function M.closed(before, after) return lacking(before, after) end


--- Gives the keyboard to the window of an element, unless it has it.
---@param node elements.Node
---@return any ok
---@return string? err
---@return string? code
function M.focus(node)
  local list, err, code = window.list { pid = node.pid }
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    if each.id == node.window and not each.focused then return window.focus(each) end
  end
  return true
end


return M
