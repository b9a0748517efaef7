--- Mains, battery and sleep on macOS: another process of this program, which has a run loop, writes what IOKit reports.

local engine  = require "sys.engine"
local json    = require "sys.json"
local process = require "sys.process"

local M = {}

local BEGIN, LONG = 10, 3600   -- seconds: to wait for the first line; to wait at a time without a limit


---@param program string[]
---@return sys.process.Child?
---@return string?
---@return string?
local function start(program)
  local spec = table.move(program, 1, #program, 1, { shared = true })
  local child, err, code = process.start(spec)
  if child then return child end
  if require("refused").is(code) then return nil, err, code end
  return nil, ("Cannot start the process that hears of power: %s."):format(err), "no_power"
end


--- Reads a line, and the state in it if it has one.
local function read(child, seconds)
  local line, err, code = child:read_line(seconds)
  if not line then return nil, err, code end
  local told = json.decode(line)
  if type(told) ~= "table" or type(told.what) ~= "string" then return nil, "a line of it is not an event", "lost" end
  if told.what ~= "state" then return { what = told.what } end
  told.what = nil
  return { what = "state", state = told }
end


local function begin(child)
  local first, err, code = read(child, BEGIN)
  if first and first.state then return first.state end
  return nil, ("macOS does not tell of the power supply (%s)."):format(err or "another line came first"),
    code == "timeout" and code or "no_power"
end


---@class power.macos.Session: power.Session
---@field child sys.process.Child
local Session = {}
Session.__index = Session


function Session:next(seconds)
  local told, err, code
  repeat
    told, err, code = read(self.child, seconds and math.max(seconds, 0.001) or LONG)
  until told or seconds or code ~= "timeout"
  if told then return told end
  return nil, err, code == "timeout" and code or "lost"
end


function Session:dropped() return 0 end   -- unread lines wait in the pipe

function Session:close() self.child:close() end


--- Returns a backend whose helper is started by these arguments.
---@param program string[]
---@return power.Backend
function M.new(program)
  local backend = {}

  function backend.state()
    local child <close>, err, code = start(program)
    if not child then return nil, err, code end
    return begin(child)
  end

  function backend.open()
    local child, err, code = start(program)
    if not child then return nil, err, code end
    local state, why, what = begin(child)
    if state then return setmetatable({ child = child }, Session), state end
    child:close()
    return nil, why, what
  end

  return backend
end


local usual = M.new { engine.program(), "--power" }

M.state, M.open = usual.state, usual.open


return M
