--- sys.clipboard, the part that is Lua: events of the clipboard.

local events = require "sys.events"
local source = require "events.source"

local M = {}


---@class sys.clipboard.Event
---@field what "changed"|"lost"|"found"
---@field at number  the time, as sys.time.monotonic() counts

--- Reports from now on each time the clipboard gets other content, or loses it. sys.clipboard.read() returns the content.
---@param fn? fun(event: sys.clipboard.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code
function M.events(fn)
  return source.new("sys.clipboard.events", "clipboard", function() return events.watch { "clipboard" } end,
    function(event) return event end, fn)
end


return M
