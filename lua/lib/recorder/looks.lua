--- The latest look at each application. It is renewed when something in the application changed, and not while it costs more than
--- a part of the time.

local target = require "elements.find.target"
local time   = require "sys.time"

local M = {}

local REST = 2   -- times as long as a look took, no other one of that application follows

---@class recorder.LooksOf
---@field snapshot? elements.Snapshot
---@field last? elements.Snapshot  the one before
---@field changed boolean
---@field ended number
---@field took number

---@class recorder.Looks
---@field private entries table<integer, recorder.LooksOf>
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
  local last = entry.snapshot
  entry.snapshot = target.look { pid = place.pid, started = place.started }
  entry.last = last or entry.last
  entry.ended = time.monotonic()
  entry.took = entry.ended - begun
  if entry.snapshot then entry.snapshot.at, entry.snapshot.ended = begun, entry.ended end
  return entry.snapshot
end


--- The latest look at an application that ended before a time.
---@param pid integer
---@param at number
---@return elements.Snapshot?
function Looks:before(pid, at)
  local entry = self.entries[pid]
  for _, snapshot in ipairs(entry and { entry.snapshot or entry.last, entry.snapshot and entry.last } or {}) do
    if snapshot.ended <= at then return snapshot end
  end
end


return M
