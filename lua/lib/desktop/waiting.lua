--- Waiting for what is seen on the desktop: told by it where it can tell, looked at where it cannot.

local names  = require "desktop.names"
local screen = require "sys.screen"
local time   = require "sys.time"
local window = require "sys.window"

local M = {}

local STRETCH  = 30     -- seconds of one wait; then it is looked again all the same
local INTERVAL = 0.1    -- seconds between two looks at pixels
local LONGEST  = 1024   -- pixels of such a look


local function holds(text, part)
  return text:lower():find(part:lower(), 1, true) ~= nil
end


--- Is this the window that is meant: by its resource name, or by words of its title or its application's name?
---@param w sys.window.Window
---@param words string
---@return boolean
function M.is_meant(w, words)
  local parsed = names.parse(words)
  if parsed then return parsed.kind == "window" and w.id == parsed.id and w.pid == parsed.pid end
  return holds(w.title, words) or holds(w.app, words)
end


---@class desktop.Waited
---@field met boolean           it was seen
---@field seconds number        that it took
---@field windows sys.window.Window[]  as they were seen last
---@field found? any            what look() gave

--- Waits until look(windows) gives something other than nil and false, for at most so many seconds. Popups and panels are
--- among the windows. It must stay so for `calm` seconds: while a window manager puts its frame around a window, that is
--- not there for a moment.
---@param look fun(windows: sys.window.Window[]): any
---@param seconds number
---@param calm number
---@return desktop.Waited? waited
---@return string? err
---@return string? code
function M.for_windows(look, seconds, calm)
  local began, since = time.monotonic(), nil
  local mark, err, code = window.changed()
  while mark do
    local windows
    windows, err, code = window.list { all_kinds = true }
    if not windows then return nil, err, code end
    local found, now = look(windows), time.monotonic()
    since = found and (since or now) or nil
    if found and now - since >= calm or now - began >= seconds then
      return { met = found and true or false, seconds = now - began, windows = windows, found = found or nil }
    end
    local left = since and since + calm - now or STRETCH
    mark, err, code = window.changed(mark, { wait = math.max(math.min(seconds - (now - began), left), 0) })
  end
  return nil, err, code
end


--- Waits until a picture stays the same for a while.
---@param what sys.screen.Capture  of a window, a region or a display
---@param calm number     seconds without a change
---@param seconds number  to wait at most
---@return {met: boolean, seconds: number, calm: number}? waited  calm: how long it has been the same at the end
---@return string? err
---@return string? code
function M.for_stillness(what, calm, seconds)
  local began, since, changed = time.monotonic(), nil, time.monotonic()
  while true do
    what.marks, what.bytes, what.longest, what.since = true, false, LONGEST, since
    local picture, err, code = screen.capture(what)
    if not picture then return nil, err, code end
    local now = time.monotonic()
    if not since or not picture.changes or #picture.changes > 0 then changed = now end
    since = picture.marks
    if now - changed >= calm then return { met = true, seconds = now - began, calm = now - changed } end
    if now - began >= seconds then return { met = false, seconds = now - began, calm = now - changed } end
    time.sleep(math.min(INTERVAL, calm))
  end
end


return M
