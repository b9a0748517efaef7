--- What a service listens to while its file is saved: nothing that happens is lost between the end of the old code and the
--- beginning of the new one.
--
-- Streams that the old code closes are kept with what waits in them, and still get more; the new code that opens one of the same
-- kind gets it. What it does not open is closed.

local state = require "sys.state"
local task  = require "sys.task"

local M = {}


local function handovers() return state.open "events.handover" end


--- The streams of this owner are kept from now on.
---@param owner string  as sys.task.owner() names it
function M.begin(owner) handovers()[owner] = handovers()[owner] or {} end


---@param owner string
---@return boolean
function M.runs(owner) return handovers()[owner] ~= nil end


--- Those that nobody took are closed.
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


--- One of this kind that was kept for the running task.
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
