--- sys.app, the part that is Lua: the user's browser, and events of applications.

local browser = require "browser"
local events  = require "sys.events"
local letters = require "letters"
local options = require "events.options"
local source  = require "events.source"

local M = {}

local WHERE = "sys.app.events"
local NAMES = { "opened", "closed", "activated", "lost", "found" }


--- Hands a URL to the user's application for it; for https that is the browser. It does not see how the application handles it.
---@param url string  "https://example.com/"; any scheme
---@return true? ok
---@return string? err
---@return string? code  "not_a_url", "no_display", "not_found" (the program that opens URLs), "failed" (that program reported it)
function M.open_url(url)
  if type(url) ~= "string" then error("sys.app.open_url: expected a string, not a " .. type(url), 2) end
  if not url:find "^%a[%w+.-]*:%S+$" then
    return nil, "the text is not a URL. Begin it with a scheme, for example https://", "not_a_url"
  end
  return browser.open(url)
end


---@class sys.app.EventOptions
---@field what? string|string[]  only these: "opened" (its first window), "closed" (its process has ended), "activated" (it has
---                              the keyboard; without an application: none has it), "lost" and "found" (the desktop)
---@field app? string            only of the application with this name or id; case is ignored
---@field capacity? integer      events that are kept until they are taken (default: 1000, maximum: 100000)

---@class sys.app.Event
---@field what string
---@field at number        the time, as sys.time.monotonic() counts
---@field app? sys.app.App

--- Reports events of applications from now on: a loop takes them, or fn is called for each.
---@param wanted? sys.app.EventOptions
---@param fn? fun(event: sys.app.Event)
---@return events.Source|Handle|nil source
---@return string? err
---@return string? code
function M.events(wanted, fn)
  local given = options.check(WHERE, wanted, { what = "string table", app = "string", capacity = "number" })
  local names = options.names(WHERE, given.what, NAMES)
  local app = given.app and letters.fold(given.app)
  local function fits(event)
    if names and not names[event.what] then return nil end
    if event.about ~= "apps" or not app then return event end
    return event.app and (letters.fold(event.app.name) == app or letters.fold(event.app.id) == app) and event or nil
  end
  local function open() return events.watch({ "apps" }, given.capacity) end
  return source.new(WHERE, "apps " .. (given.capacity or ""), open, fits, fn)
end


return M
