--- sys.display, the part that is Lua: displays that come, go and change.

local display = require "sys.display"
local events  = require "sys.events"
local source  = require "events.source"

local M = {}


---@class sys.display.Event
---@field what "changed"|"lost"|"found"
---@field at number        when, as sys.time.monotonic() counts
---@field displays? sys.display.Display[]  "changed": all, as they are now
---@field added? sys.display.Display[]
---@field removed? sys.display.Display[]   as they were last

local function by_id(list)
  local of = {}
  for _, each in ipairs(list or {}) do of[each.id] = each end
  return of
end


local function missing_in(list, other)
  local of, found = by_id(other), {}
  for _, each in ipairs(list or {}) do
    if not of[each.id] then found[#found + 1] = each end
  end
  return found
end


--- From now on, each change of which displays there are, of where they are, how large they are or what panels leave of them.
---@param fn? fun(event: sys.display.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code
function M.events(fn)
  local known
  local function open()
    local stream, err, code = events.watch { "displays" }
    return stream, err, code
  end
  known = display.list()
  return source.new("sys.display.events", "displays", open, function(event)
    if event.what ~= "changed" then return event end
    local now = display.list() or known
    event.displays, event.added, event.removed = now, missing_in(now, known), missing_in(known, now)
    known = now
    return event
  end, fn)
end


return M
