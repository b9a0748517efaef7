--- The input method that is active, which makes other text of typed keys: IBus and Fcitx on Linux.

local env     = require "sys.env"
local process = require "sys.process"
local state   = require "sys.state"
local time    = require "sys.time"

local M = {}

local PATIENCE = 2  -- seconds for an answer
local AGAIN = 2     -- seconds after which one that does not run is looked for again


--- What a program prints, or nil.
---@param argv string[]
---@return string? line
local function ask(argv)
  local done = process.run { argv[1], argv[2], timeout = PATIENCE, max_output = 4096 }
  return done and done.code == 0 and done.stdout:match "^%s*(.-)%s*$" or nil
end


--- An engine called "xkb:..." is a keyboard layout: it passes keys on.
---@param engine string
local function ibus(engine)
  return engine ~= "" and not engine:find "^xkb:" and engine or nil
end


--- It prints 2 while it makes text of keys.
---@param program string
---@return string? name
---@return boolean runs
local function fcitx(program)
  local answer = process.exists(program) and ask { program }
  if answer ~= "2" then return nil, answer == "1" or answer == "0" end
  local name = ask { program, "-n" }
  return name and name ~= "" and name or "Fcitx", true
end


--- Its name, or nil when keys arrive as they are.
---@return string? name
function M.active()
  local display = env.get "DISPLAY"
  if not display or display == "" then return nil end
  local kept = state.open "input_method"
  if kept.absent and time.monotonic() < kept.absent + AGAIN then return nil end
  local engine = process.exists "ibus" and ask { "ibus", "engine" } or nil
  local name, runs = engine and ibus(engine), engine ~= nil
  if not runs then name, runs = fcitx "fcitx5-remote" end
  if not runs then name, runs = fcitx "fcitx-remote" end
  kept.absent = not runs and time.monotonic() or nil
  return name
end


return M
