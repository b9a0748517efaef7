--- The applications whose elements callers wanted to see lately, and those that took too long to show them.

local state = require "sys.state"
local time  = require "sys.time"

local M = {}

local RECENT = 600   -- seconds for which a caller's interest in an application lasts
local SPARED = 60    -- seconds for which an application that was too slow is not looked at, unless the caller asks for it


--- By process: seconds of time.monotonic().
---@param name "asked_at"|"slow"
---@return table<integer, number>
local function times(name)
  local mine = state.open "elements"
  mine[name] = mine[name] or {}
  return mine[name]
end


local function is_within(at, seconds) return at ~= nil and time.monotonic() - at < seconds end


--- Notes that a caller wants to see the application's elements.
---@param pid integer
function M.note(pid)
  local asked = times "asked_at"
  for each, at in pairs(asked) do
    if not is_within(at, RECENT) then asked[each] = nil end
  end
  asked[pid] = time.monotonic()
end


--- True if the elements of this application, or without one those of any, were wanted lately.
---@param pid? integer
---@return boolean
function M.is_recent(pid)
  local asked = times "asked_at"
  if pid then return is_within(asked[pid], RECENT) end
  for _, at in pairs(asked) do
    if is_within(at, RECENT) then return true end
  end
  return false
end


---@param pid integer
---@param late boolean  true: it took too long now
function M.note_answer(pid, late) times "slow"[pid] = late and time.monotonic() or nil end


---@param pid integer
---@return boolean
function M.is_spared(pid) return is_within(times "slow"[pid], SPARED) end


return M
