--- Keeps a Mac awake by caffeinate, which comes with macOS, and locks it by its keyboard shortcut.

local input   = require "sys.input"
local process = require "sys.process"
local time    = require "sys.time"

local M = {}

local LOCKED, STEP = 10, 0.2   -- seconds until it has to be locked, and between two looks


---@class awake.macos.Hold: awake.Hold
---@field child sys.process.Child
local Hold = {}
Hold.__index = Hold

function Hold:watch()
  repeat local _, _, code = self.child:wait(3600) until code ~= "timeout"
end

function Hold:close() self.child:close() end

Hold.__close = Hold.close


---@param display boolean
---@return awake.Hold? hold
---@return string? err
---@return string? code
function M.hold(_, display)
  local child, err, code = process.start { "caffeinate", display and "-di" or "-i" }
  if child then return setmetatable({ child = child }, Hold) end
  if require("refused").is(code) then return nil, err, code end
  return nil, ("Cannot start caffeinate, which keeps a Mac awake: %s."):format(err), "no_awake"
end


--- True if the console is locked, as the I/O registry has it.
local function is_locked()
  local done = process.run { "ioreg", "-n", "Root", "-d1" }
  return done ~= nil and done.stdout:find '"IOConsoleLocked" = Yes' ~= nil
end


---@return true? locked
---@return string? err
---@return string? code
function M.lock()
  local done, err, code = input.keys "ctrl+command+q"   -- "Lock Screen" of the Apple menu
  if not done then return nil, err, code end
  local ends = time.monotonic() + LOCKED
  while not is_locked() do
    if time.monotonic() > ends then
      return nil, ("This Mac was sent Control-Command-Q, and is not locked after %d s. Another program may have the keys.")
        :format(LOCKED), "timeout"
    end
    time.sleep(STEP)
  end
  return true
end


return M
