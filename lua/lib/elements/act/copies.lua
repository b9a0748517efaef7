--- Copies to the clipboard as the effect of an action. "Copy" changes nothing else.

local clipboard = require "sys.clipboard"
local windows   = require "elements.read.windows"

local M = {}

local ASKS = 0.3   -- seconds for an answer: it takes less than a thousandth, unless another call holds the clipboard


--- A mark before the action; nil: the system does not report copies.
---@return integer?
function M.mark()
  local told = clipboard.changes { timeout = ASKS }
  return told and told.next
end


local function ask(mark, place)
  local id
  for each in pairs(windows.now(place.pid) or {}) do id = each end
  return clipboard.changes { since = mark, window = id, timeout = ASKS }
end


--- Makes the function that asks, once, whether an application has copied something since.
---@param mark? integer
---@param place {pid: integer}
---@return fun(): "own"|"other"|nil by  other: it may have been another application than that of the place
function M.since(mark, place)
  local told
  return function()
    told = told or mark and ask(mark, place) or { changed = false }
    return told.changed and (told.own and "own" or "other") or nil
  end
end


return M
