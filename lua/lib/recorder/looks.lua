--- The latest look at each application. It is renewed when something in the application changed, and not while it costs more than
--- a part of the time.

local target = require "elements.find.target"
local time   = require "sys.time"

local M = {}

local REST = 2   -- times as long as a look took, no other one of that application follows

---@class recorder.Looks
---@field private entries table<integer, {snapshot?: elements.Snapshot, changed: boolean, ended: number, took: number}>
local Looks = {}
Looks.__index = Looks

---@return recorder.Looks
function M.new() return setmetatable({ entries = {} }, Looks) end


--- Something changed in the application.
---@param pid integer
function Looks:change(pid)
  if self.entries[pid] then self.entries[pid].changed = true end
end


--- The elements of an application.
---@param place {pid: integer, started: integer}
---@param now? boolean  true: even if a look was only just taken
---@return elements.Snapshot? snapshot  nil: it tells of none
---@return boolean? stale  true: something changed since, and it is too early for another look
function Looks:of(place, now)
  local entry = self.entries[place.pid]
  if entry and not entry.changed then return entry.snapshot end
  local begun = time.monotonic()
  if entry and not now and begun < entry.ended + REST * entry.took then return entry.snapshot, true end
  entry = entry or { took = 0 }
  self.entries[place.pid] = entry
  entry.changed = false
  entry.snapshot = target.look { pid = place.pid, started = place.started }
  entry.ended = time.monotonic()
  entry.took = entry.ended - begun
  if entry.snapshot then entry.snapshot.at = begun end
  return entry.snapshot
end


return M
