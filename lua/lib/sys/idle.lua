--- sys.idle: for how long keyboard and pointer have rested, and when they rest and are used again.

local events  = require "sys.events"
local options = require "events.options"
local rest    = require "events.rest"
local source  = require "events.source"

local M = {}

local WHERE = "sys.idle.events"


--- For how long keyboard and pointer have not been used. What scripts and tools send counts as use, because the system does not
--- part it from a person's.
---@return number? seconds
---@return string? err
---@return string? code  "not_supported", "no_display", "timeout"
function M.seconds() return events.idle() end


---@class sys.idle.Event
---@field what "idle"|"active"
---@field at number       when it was noticed, as sys.time.monotonic() counts
---@field seconds number  for how long they have rested, or had

--- When keyboard and pointer have rested for so long, and when they are used again, in turns. A rest that has begun before
--- counts from its beginning.
---@param wanted {after: number}  seconds, 1 or more
---@param fn? fun(event: sys.idle.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code  as of seconds()
function M.events(wanted, fn)
  local given = options.check(WHERE, wanted, { after = "number" })
  if not given.after or given.after < 1 or given.after > 86400 then
    error(WHERE .. ": pass after: 1 to 86400 seconds", 2)
  end
  local function open() return rest.open(given.after) end
  return source.new(WHERE, "idle " .. given.after, open, function(event) return event end, fn)
end


return M
