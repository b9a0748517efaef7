--- sys.events, the part that is Lua: a recording.

local events     = require "sys.events"
local options_of = require "events.options"
local presses    = require "events.presses"
local stream     = require "events.stream"

local M = {}

local KNOWN = { rests = "boolean" }
local STOPPED = "the user stopped the recording with Ctrl+Alt+Esc"


--- True for the keys by which the user stops input, whatever else is held.
local function stops(event)
  return event.what == "pressed" and event.key ~= nil and event.key:find "^ctrl%+alt%+.*escape$" ~= nil
end


local function checked(options)
  local known = options_of.check("sys.events.input", options, KNOWN)
  return known
end


--- Records: reports every key and button that anybody presses from now on, and leaves them to the applications. It is the
--- effect `record` of the policy. It ends with the task that called this, when the stream is closed, and when the user presses
--- Ctrl+Alt+Esc, after which nothing is reported. An engine makes one recording at a time.
---
--- Moves of the pointer are not reported. With `rests` its place is, where it is at the beginning and each time that it came to
--- rest: on X11 alone. Input that Perigee sends is reported as that of others. Passwords are typed by keys as well: on a Mac
--- alone the system hides those.
---@param purpose string  what it is for, in words for the user
---@param options? {rests?: boolean}
---@return sys.events.Stream? stream  with events of keys and buttons, of rests, and of the desktop that is lost and found
---@return string? err
---@return string? code  "denied", "not_approved", "not_supported" (Wayland, a display server without the RECORD extension, a
---                      dry run), "busy", "permission_denied_access" (macOS), "no_display", "timeout"; later of its next()
---                      "stopped"
function M.input(purpose, options)
  local wants = checked(options)
  local raw, err, code = events.presses(purpose)
  if not raw then return nil, err, code end
  local after, stopped
  local function pull(seconds)
    local event = after
    after = nil
    while not event do
      if stopped then return nil, STOPPED, "stopped" end
      local given, why, what = raw:next(seconds)
      if not given then return nil, why, what end
      raw:take()
      if given.what ~= "rests" or wants.rests then event, after = presses.named(given) end
    end
    if stops(event) then
      stopped = true
      raw:close()
    end
    return event
  end
  return stream.new(pull, function() raw:close() end, function() return raw:dropped() end)
end


return M
