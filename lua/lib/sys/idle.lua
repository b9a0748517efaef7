--- sys.idle: how long keyboard and pointer have been idle, and events when that changes.

local events  = require "sys.events"
local options = require "events.options"
local rest    = require "events.rest"
local source  = require "events.source"

local M = {}

local WHERE = "sys.idle.events"


--- Returns how long keyboard and pointer have not been used. Input that scripts and tools send counts as use, because the
--- system does not distinguish it from the user's.
---@return number? seconds
---@return string? err
---@return string? code  "not_supported", "no_display", "timeout"
function M.seconds() return events.idle() end


---@class sys.idle.Event
---@field what "idle"|"active"
---@field at number       when it was noticed, as sys.time.monotonic() counts
---@field seconds number  how long they have been idle, or had been

--- Reports when keyboard and pointer have been idle for so long, and when they are used again, in turns. Time that they were
--- idle before the call counts.
---@param wanted {after: number}  seconds, 1 or more
---@param fn? fun(event: sys.idle.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  as seconds()
function M.events(wanted, fn)
  local given = options.check(WHERE, wanted, { after = "number" })
  if not given.after or given.after < 1 or given.after > 86400 then
    error(WHERE .. ": pass after: 1 to 86400 seconds", 2)
  end
  local function open() return rest.open(given.after) end
  return source.new(WHERE, "idle " .. given.after, open, function(event) return event end, fn)
end


return M
