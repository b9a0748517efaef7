--- Keeps the streams of a service while its file is saved, so that no event is lost between the end of the old code and the
--- start of the new one.
---
-- Streams that the old code closes are kept open, with the events that wait in them. New code that opens a stream of the same
--- kind gets the kept one. Streams that it does not open are closed.

local state = require "sys.state"
local task  = require "sys.task"

local M = {}


local function handovers() return state.open "events.handover" end


--- Begins to keep the streams of this owner.
---@param owner string  as sys.task.owner() returns it
function M.begin(owner) handovers()[owner] = handovers()[owner] or {} end


---@param owner string
---@return boolean
function M.runs(owner) return handovers()[owner] ~= nil end


--- Closes the streams that were not taken.
---@param owner string
function M.finish(owner)
  local mine = handovers()[owner]
  handovers()[owner] = nil
  for _, streams in pairs(mine or {}) do
    for _, stream in ipairs(streams) do stream:close() end
  end
end


--- Closes a stream, or keeps it for the next one of its kind.
---@param owner string?
---@param kind string
---@param stream table
function M.close(owner, kind, stream)
  local mine = owner and handovers()[owner]
  if not mine then return stream:close() end
  mine[kind] = mine[kind] or {}
  table.insert(mine[kind], stream)
end


--- Returns a stream of this kind that was kept for the running task.
---@param kind string
---@return table?
function M.take(kind)
  local owner = task.owner()
  local mine = owner and handovers()[owner]
  local stream = mine and mine[kind] and table.remove(mine[kind], 1)
  if stream then stream:again() end
  return stream
end


return M
