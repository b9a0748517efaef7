-- Keeps the windows that open at a place of the display, for examples/demo/video. It goes on until it is ended.
--
--   perigee run examples/demo/place.lua X Y WIDTH HEIGHT
--
-- An office moves its window again after it has opened it, so a window that moved by itself is put back, a few times.

local perigee = require "perigee"
local time    = require "sys.time"
local window  = require "sys.window"

local MOST = 5   -- times that a window is put at its place

local x, y, width, height = table.unpack(perigee.args)
local frame = { x = tonumber(x), y = tonumber(y), width = tonumber(width), height = tonumber(height) }
local placed = {}   -- how often, by window

local function is_there(shown)
  return shown.frame.x == frame.x and shown.frame.y == frame.y and shown.frame.width == frame.width
end


assert(window.events({ what = { "opened", "moved", "changed" } }, function(event)
  local shown = event.window
  local times = placed[shown.id] or 0
  if shown.app == "XTerm" or shown.kind ~= "normal" or times == MOST or is_there(shown) then return end
  placed[shown.id] = times + 1
  if shown.maximized then window.restore(shown) end
  local ok, err = window.place(shown, frame)
  if not ok then print(err) end
end))
print "ready"
while true do time.sleep(3600) end
