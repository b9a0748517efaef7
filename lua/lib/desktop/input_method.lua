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
local function fcitx(program)
  if not process.exists(program) or ask { program } ~= "2" then return nil end
  local name = ask { program, "-n" }
  return name and name ~= "" and name or "Fcitx"
end


--- Its name, or nil when keys arrive as they are.
---@return string? name
function M.active()
  local display = env.get "DISPLAY"
  if not display or display == "" then return nil end
  local kept = state.open "input_method"
  if kept.absent and time.monotonic() < kept.absent + AGAIN then return nil end
  local engine = process.exists "ibus" and ask { "ibus", "engine" }
  local name = engine and ibus(engine) or fcitx "fcitx5-remote" or fcitx "fcitx-remote"
  kept.absent = not engine and not name and time.monotonic() or nil
  return name
end


return M
