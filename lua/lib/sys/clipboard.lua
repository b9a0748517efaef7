--- sys.clipboard, the part that is Lua: when something is copied.

local events = require "sys.events"
local source = require "events.source"

local M = {}


---@class sys.clipboard.Event
---@field what "changed"|"lost"|"found"
---@field at number  when, as sys.time.monotonic() counts

--- From now on, each time the clipboard has another content, or none. What it is, sys.clipboard.read() tells.
---@param fn? fun(event: sys.clipboard.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code
function M.events(fn)
  return source.new("sys.clipboard.events", "clipboard", function() return events.watch { "clipboard" } end,
    function(event) return event end, fn)
end


return M
