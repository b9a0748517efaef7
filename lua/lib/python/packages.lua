--- Large packages, which take seconds to import: a second set of processes has them in memory.
--
-- Code that names one runs there once those processes are ready. They are made after the first run that imported one, in the
-- background, and end when nobody has used them for long: that run and those before they are ready import for themselves.

local frames  = require "python.frames"
local json    = require "sys.json"
local log     = require "sys.log"
local process = require "python.process"
local state   = require "sys.state"
local task    = require "sys.task"
local time    = require "sys.time"

local M = {}

local NAMES = { "numpy", "pandas", "matplotlib", "scipy", "seaborn", "sklearn", "statsmodels" }   -- or that import these
local KEPT, PATIENCE, AGAIN = 540, 300, 600   -- seconds: until they may have ended; to import; after a failure

--- When the processes were used and made last.
---@return {used: number?, begun: number?}
local function kept() return state.open "python.packages" end


--- True if the code names a large package, and processes with them are ready.
---@param code string
---@return boolean
function M.ready(code)
  local mine = kept()
  if not mine.used or time.monotonic() - mine.used > KEPT then return false end
  for _, name in ipairs(NAMES) do
    if code:find("%f[%w_]" .. name .. "%f[^%w_]") then return true end
  end
  return false
end


--- An empty run, whose end says that its process had them.
local function begin()
  local job = json.encode { code = "", seconds = PATIENCE, output = 1000 }
  local function on_frames(bytes)
    for kind in frames.each(bytes) do
      if kind == frames.DONE then kept().used, kept().begun = time.monotonic(), nil end
    end
  end
  local _, _, err = process.run("", { job = job, seconds = PATIENCE, heavy = true, on_frames = on_frames })
  if kept().begun then log.info("numpy and others are imported by each run:", err or "their process has ended") end
end


--- A run ended that imported one. Makes the processes for the next, or notes that they are used.
---@param heavy boolean  it was one of theirs
---@param lost boolean   its process could not be made
function M.used(heavy, lost)
  local mine = kept()
  if heavy then
    mine.used = not lost and time.monotonic() or nil
  elseif not mine.begun or time.monotonic() - mine.begun > AGAIN then
    mine.begun = time.monotonic()
    task.apart("packages of Python", begin)
  end
end


return M
