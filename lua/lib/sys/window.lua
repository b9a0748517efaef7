--- sys.window, the part that is Lua: the focused window, and events of windows.

local app_names = require "app_names"
local events    = require "sys.events"
local letters   = require "letters"
local options   = require "events.options"
local source    = require "events.source"
local window    = require "sys.window"

local M = {}

local WHERE = "sys.window.events"
local NAMES = { "opened", "closed", "titled", "moved", "changed", "focused", "lost", "found" }


--- Returns the window that has the keyboard focus.
---@param wanted? sys.window.Options
---@return sys.window.Window? window
---@return string? err
---@return string? code  "window_not_found": no window has the keyboard focus
function M.focused(wanted)
  local windows, err, code = window.list { timeout = wanted and wanted.timeout, all_kinds = true }
  if not windows then return nil, err, code end
  for _, each in ipairs(windows) do
    if each.focused then return each end
  end
  return nil, "no window has the keyboard focus", "window_not_found"
end


---@class sys.window.EventOptions
---@field what? string|string[]  only these: "opened", "closed", "titled", "moved" (or resized), "changed" (minimized and so on),
---                              "focused" (without a window: none has the keyboard), "lost" and "found" (the desktop)
---@field app? string            only windows of the application with this name, ID or class; case is ignored
---@field title? string          only windows whose title contains this text; case is ignored
---@field capacity? integer      events that are kept until they are taken (default: 1000, maximum: 100000)

---@class sys.window.Event
---@field what string
---@field at number               the time, as sys.time.monotonic() counts
---@field window? sys.window.Window  the window at that time; "closed": as it was last seen
---@field before? table           "moved": its frame before

--- Reports events of windows from now on, in the order in which the system reports them: a loop takes them, or fn is called for
--- each. Panels, menus and tooltips have no events.
---@param wanted? sys.window.EventOptions
---@param fn? fun(event: sys.window.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code
function M.events(wanted, fn)
  local given = options.check(WHERE, wanted, { what = "string table", app = "string", title = "string", capacity = "number" })
  local names = options.names(WHERE, given.what, NAMES)
  local is_of_app, title = given.app and app_names.test(given.app), given.title and letters.fold(given.title)
  local function fits(event)
    if names and not names[event.what] then return nil end
    if event.about ~= "windows" or not (is_of_app or title) then return event end
    local about = event.window
    if not about or is_of_app and not is_of_app(about)
      or title and not letters.fold(about.title):find(title, 1, true) then
      return nil
    end
    return event
  end
  local function open() return events.watch({ "windows" }, given.capacity) end
  return source.new(WHERE, "windows " .. (given.capacity or ""), open, fits, fn)
end


return M
