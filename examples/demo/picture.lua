-- A screenshot of the desktop once nothing moves on it any more, with its frontmost window maximized.
--
--   perigee run examples/demo/picture.lua FILE.png

local fs      = require "sys.fs"
local perigee = require "perigee"
local screen  = require "sys.screen"
local time    = require "sys.time"

local STILL, LIMIT = 3, 20 -- seconds without a change; seconds in all

local path = perigee.args[1]
if not path then
  print "usage: perigee run picture.lua FILE.png"
  return 2
end
local window = tools.list_windows {}.windows[1]
if window then tools.maximize_window { window = window.name } end

local last, since = nil, time.monotonic()
local started = since
while time.monotonic() - since < STILL and time.monotonic() - started < LIMIT do
  local picture = assert(screen.capture { bytes = true })
  if picture.bytes ~= last then last, since = picture.bytes, time.monotonic() end
  time.sleep(0.2)
end
assert(screen.capture { path = path:sub(1, 1) == "/" and path or assert(fs.resolve(path)) })
