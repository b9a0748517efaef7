--- The user's running engines, and their consoles (docs/console.md).

local console = require "sys.console"
local mcp     = require "sys.mcp"
local task    = require "sys.task"

local M = {}

local CONNECT  = 2    -- seconds until an engine that does not answer is given up
local TOGETHER = 32   -- engines that are asked at once


---@class cli.Engine: sys.mcp.Client
---@field pid integer

---@param place {pid: integer, socket: string}
---@param io perigee.IO
---@param more? table  further fields of the client's spec
---@return sys.mcp.Client? client
---@return string? err
---@return string? code
local function connect(place, io, more)
  local spec = { socket = place.socket, era = "modern", probe = false, client = "perigee " .. io.name, timeout = CONNECT }
  for key, value in pairs(more or {}) do spec[key] = value end
  local client, err, code = mcp.connect(spec)
  if not client then return nil, err, code end
  return client
end


--- Explains in words of the command line why a question to an engine failed.
---@param pid integer
---@param err string
---@param code string
---@return string
function M.trouble(pid, err, code)
  if code == "closed" or code == "not_running" then return ("the engine %d has ended"):format(pid) end
  if code == "timeout" then
    return ("the engine %d does not answer. It may hang; `kill %d` ends it"):format(pid, pid)
  end
  if code == "rpc_error" and err:find("not found", 1, true) then
    return ("the engine %d is another version of perigee and does not know this. Restart it"):format(pid)
  end
  return err
end


--- Calls a tool of the console and returns its structured result.
---@param client sys.mcp.Client
---@param pid integer
---@param tool string
---@param arguments? table
---@param options? sys.mcp.CallOptions
---@return table? result
---@return string? err
---@return string? code
function M.ask(client, pid, tool, arguments, options)
  local result, err, code = client:call(tool, arguments or {}, options)
  if not result then return nil, M.trouble(pid, err, code), code end
  if result.isError then return nil, result.text, "failed" end
  return result.structuredContent
end


--- Calls a tool of the console of every engine. Engines that ended meanwhile are left out.
---@param io perigee.IO
---@param tool string
---@param arguments table
---@return {pid: integer, result?: table, error?: string}[] answers  by process id
function M.tell(io, tool, arguments)
  local answers = {}
  task.map(console.engines(), function(place)
    local client <close>, err, code = connect(place, io, { timeout = 30 })
    local result
    if client then result, err, code = M.ask(client, place.pid, tool, arguments) end
    if result or code ~= "closed" and code ~= "not_running" then
      answers[#answers + 1] = { pid = place.pid, result = result, error = not result and err or nil }
    end
  end, TOGETHER)
  table.sort(answers, function(a, b) return a.pid < b.pid end)
  return answers
end


---@class cli.EngineStatus  the result of console_calls; for an engine that was not reached, only pid and error
---@field pid integer
---@field reached boolean
---@field error? string

--- Returns what every engine runs now, by process id. Engines that ended meanwhile are left out.
---@param io perigee.IO
---@return cli.EngineStatus[]
function M.look(io)
  local found = {}
  task.map(console.engines(), function(place)
    local client <close>, err, code = connect(place, io)
    local status
    if client then status, err, code = M.ask(client, place.pid, "console_calls") end
    if status then
      status.reached = true
      found[#found + 1] = status
    elseif code ~= "closed" and code ~= "not_running" then
      found[#found + 1] = { pid = place.pid, reached = false, error = err }
    end
  end, TOGETHER)
  table.sort(found, function(a, b) return a.pid < b.pid end)
  return found
end


--- The name of an engine in a message: "4711 (serve, x11:0)".
local function named(status)
  if not status.reached then return tostring(status.pid) end
  return ("%d (%s, %s)"):format(status.pid, status.command or "?", status.desktop)
end


--- Finds the engine of this process id, or the only one if none is given.
---@param pid? integer
---@param io perigee.IO
---@return {pid: integer, socket: string}? place
---@return string? err
---@return string? code
local function pick(pid, io)
  local places = console.engines()
  for _, place in ipairs(places) do
    if place.pid == pid or pid == nil and #places == 1 then return place end
  end
  if #places == 0 then return nil, "no engine of this user is running", "not_running" end
  local names = {}
  for i, status in ipairs(M.look(io)) do names[i] = named(status) end
  if pid then
    return nil, ("no engine of this user is process %d. Running: %s"):format(pid, table.concat(names, ", ")), "usage"
  end
  return nil, ("%d engines are running. Name one by its process id: %s"):format(#names, table.concat(names, ", ")), "usage"
end


--- Connects to the engine of this process id.
---@param pid? integer  nil means the only engine
---@param io perigee.IO
---@param more? table  further fields of the client's sys.mcp.Spec
---@return sys.mcp.Client? client
---@return integer|string? pid  or, without a client, the message
---@return string? code
function M.attach(pid, io, more)
  local place, err, code = pick(pid, io)
  if not place then return nil, err, code end
  local client
  client, err, code = connect(place, io, more)
  if not client then return nil, M.trouble(place.pid, err, code), code end
  return client, place.pid
end


return M
