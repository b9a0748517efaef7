--- sys.display, the part that is Lua: the display of a window, and events of displays.

local display = require "sys.display"
local events  = require "sys.events"
local source  = require "events.source"

local M = {}


local function overlap(a, b)
  local width = math.min(a.x + a.width, b.x + b.width) - math.max(a.x, b.x)
  local height = math.min(a.y + a.height, b.y + b.height) - math.max(a.y, b.y)
  return math.max(width, 0) * math.max(height, 0)
end


--- Returns the display that most of a rectangle is on, for example of a window's frame; the main one if it is outside of all.
---@param rect sys.window.Rect
---@param options? sys.display.Options
---@return sys.display.Display? display
---@return string? err
---@return string? code
function M.of(rect, options)
  local displays, err, code = display.list(options)
  if not displays then return nil, err, code end
  local best, most = displays[1], 0
  for _, each in ipairs(displays) do
    local shared = overlap(each.bounds, rect)
    if shared > most then best, most = each, shared end
  end
  return best
end


---@class sys.display.Event
---@field what "changed"|"lost"|"found"
---@field at number        the time, as sys.time.monotonic() counts
---@field displays? sys.display.Display[]  "changed": all displays, as they are now
---@field added? sys.display.Display[]
---@field removed? sys.display.Display[]   as they were last seen

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


--- Reports from now on each change of the displays: a new or lost one, another place or size, or other space that panels leave.
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
