--- sys.app, the part that is Lua: the user's browser, and events of applications.

local app       = require "sys.app"
local app_names = require "app_names"
local browser   = require "browser"
local events    = require "sys.events"
local letters   = require "letters"
local options   = require "events.options"
local source    = require "events.source"
local window    = require "sys.window"

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


local function labels(apps)
  local list = {}
  for i, each in ipairs(apps) do
    list[i] = ("%s (%sPID %d)"):format(each.name, each.id ~= "" and each.id .. ", " or "", each.pid)
  end
  return table.concat(list, "; ")
end


local function keep(apps, test)
  local kept = {}
  for _, each in ipairs(apps) do
    if test(each) then kept[#kept + 1] = each end
  end
  return kept
end


--- Finds the running application that is meant: the one with this name or ID, otherwise the one that has windows of this
--- class, otherwise the only one whose name begins with it. Case is ignored.
---@param text string  "Calculator", "org.gnome.Calculator" or "gnome-calculator"
---@param wanted? sys.app.Options
---@return sys.app.App? app
---@return string? err
---@return string? code  "app_not_found", "app_ambiguous": the message lists the candidates
function M.find(text, wanted)
  if type(text) ~= "string" or text == "" then error("sys.app.find: expected the name of an application", 2) end
  local apps, err, code = app.list { timeout = wanted and wanted.timeout }
  if not apps then return nil, err, code end
  local name = letters.fold(text)
  local found = keep(apps, function(each) return app_names.names_app(each, name) end)
  if #found == 0 then
    local windows
    windows, err, code = window.list { app = text, timeout = wanted and wanted.timeout, all_kinds = true }
    if not windows then return nil, err, code end
    local pids = {}
    for _, each in ipairs(windows) do pids[each.pid] = true end
    found = keep(apps, function(each) return pids[each.pid] end)
  end
  if #found == 0 then found = keep(apps, function(each) return app_names.begins(each, name) end) end
  if #found == 1 then return found[1] end
  if #found > 1 then
    return nil, ("%q matches %d applications: %s. Use the ID of one of them"):format(text, #found, labels(found)), "app_ambiguous"
  end
  return nil, ("no running application is called %q. %s"):format(text, #apps == 0 and "No application is running"
    or "Running: " .. labels(apps)), "app_not_found"
end


---@class sys.app.EventOptions
---@field what? string|string[]  only these: "opened" (its first window), "closed" (its process has ended), "activated" (it has
---                              the keyboard; without an application: none has it), "lost" and "found" (the desktop)
---@field app? string            only of the application with this name, ID or class of windows; case is ignored
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
  local wanted_app, classes = given.app and letters.fold(given.app), {}
  --- The class is that of its windows, which are gone when it has closed.
  local function is_meant(each)
    if app_names.names_app(each, wanted_app) then return true end
    if classes[each.pid] == nil then
      for _, shown in ipairs(window.list { pid = each.pid, all_kinds = true } or {}) do
        classes[each.pid] = letters.fold(shown.app) == wanted_app or letters.fold(shown.instance) == wanted_app
          or classes[each.pid] or false
      end
    end
    return classes[each.pid]
  end
  for _, each in ipairs(wanted_app and app.list() or {}) do is_meant(each) end
  local function fits(event)
    if names and not names[event.what] then return nil end
    if event.about ~= "apps" or not wanted_app then return event end
    return event.app and is_meant(event.app) and event or nil
  end
  local function open() return events.watch({ "apps" }, given.capacity) end
  return source.new(WHERE, "apps " .. (given.capacity or ""), open, fits, fn)
end


return M
