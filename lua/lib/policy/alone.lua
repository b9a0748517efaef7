--- The desktop while the user is asked something by this process: no tool acts on it, so that none can answer.

local desktop = require "sys.desktop"
local env     = require "sys.env"
local policy  = require "sys.policy"
local time    = require "sys.time"

local M = {}

local LOOK = 0.05   -- seconds between two looks whether a question is still open


--- True if there is a desktop on which a tool could act.
local function is_here()
  if env.get "PERIGEE_DESKTOP" == "fake" then return false end
  return env.platform == "macos" or (env.get "DISPLAY" or env.get "WAYLAND_DISPLAY") ~= nil
end


--- Calls the function while the desktop is held, if there is one.
---@param fn fun(): ...
---@return boolean asked  false: it was not called, because an action on the desktop goes on for too long
---@return any ...  what it returned, or nil, message, code
function M.during(fn)
  if not is_here() then return true, fn() end
  local asked = false
  local found = table.pack(desktop.hold(function()
    asked = true
    require("policy.effect.typed").let_go()
    return fn()
  end))
  if not asked and found[3] == "not_supported" then return true, fn() end
  return asked, table.unpack(found, 1, found.n)
end


local ours = setmetatable({}, { __mode = "k" })

--- Notes that a program shows the question itself, and so waits for none.
---@param argv table  that it is run with
function M.shows(argv) ours[argv] = true end


--- Waits until no question of a Perigee process is open on this desktop. The call's clock is stopped meanwhile.
---@param argv any  the first argument of the function that waits
function M.wait(argv)
  if argv ~= nil and ours[argv] or not is_here() or not desktop.held() then return end
  local held_clock <close> = policy.pause()
  while desktop.held() do time.sleep(LOOK) end
end


return M
