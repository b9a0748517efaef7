--- The user's running engines, and their consoles (docs/console.md).

local console = require "sys.console"
local mcp     = require "sys.mcp"
local task    = require "sys.task"

local M = {}

M.KEPT = "kept"   -- the command of the engine that stays for calls

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
  return ("%d (%s, %s)"):format(status.pid, M.role(status), status.desktop)
end


--- Says what an engine is for: "serve", or "stays for calls" for the one that `perigee call` starts (docs/console.md).
---@param status {command?: string}
---@return string
function M.role(status) return status.command == M.KEPT and "stays for calls" or status.command or "?" end


--- The engines that are meant if no process id is given: those of the wanted commands, otherwise those that the user started.
local function meant(statuses, wanted)
  local first, second = {}, {}
  for _, status in ipairs(statuses) do
    if wanted and wanted[status.command] then first[#first + 1] = status end
    if status.command ~= M.KEPT then second[#second + 1] = status end
  end
  return #first > 0 and first or #second > 0 and second or statuses
end


--- Finds the engine of this process id, or the only one that is meant if none is given.
---@param pid? integer
---@param io perigee.IO
---@param wanted? table<string, true>  commands whose engines are preferred
---@return {pid: integer, socket: string}? place
---@return string? err
---@return string? code
local function pick(pid, io, wanted)
  local places, by_pid = console.engines(), {}
  for _, place in ipairs(places) do
    if place.pid == pid or pid == nil and #places == 1 then return place end
    by_pid[place.pid] = place
  end
  if #places == 0 then
    return nil, "no engine of this user is running. `perigee serve` or `perigee service run` starts one", "not_running"
  end
  local names, statuses = {}, M.look(io)
  if not pid then
    statuses = meant(statuses, wanted)
    if #statuses == 1 then return by_pid[statuses[1].pid] end
  end
  for i, status in ipairs(statuses) do names[i] = named(status) end
  if pid then
    return nil, ("no engine of this user is process %d. Running: %s"):format(pid, table.concat(names, ", ")), "usage"
  end
  return nil, ("%d engines are running. Name one by its process id: %s"):format(#names, table.concat(names, ", ")), "usage"
end


--- Connects to the engine of this process id.
---@param pid? integer  nil means the only engine, except one that stays for calls
---@param io perigee.IO
---@param more? table  further fields of the client's sys.mcp.Spec
---@param wanted? table<string, true>  commands whose engines are preferred, if none is named
---@return sys.mcp.Client? client
---@return integer|string? pid  or, without a client, the message
---@return string? code
function M.attach(pid, io, more, wanted)
  local place, err, code = pick(pid, io, wanted)
  if not place then return nil, err, code end
  local client
  client, err, code = connect(place, io, more)
  if not client then return nil, M.trouble(place.pid, err, code), code end
  return client, place.pid
end


--- Returns the engine of this process id, or the only one if none is given. All engines count.
---@param pid? integer
---@param io perigee.IO
---@return integer? pid
---@return string? err
---@return string? code
function M.one(pid, io)
  local places = console.engines()
  if not pid and #places > 1 then
    local names = {}
    for i, status in ipairs(M.look(io)) do names[i] = named(status) end
    return nil, ("%d engines are running. Name one by its process id: %s"):format(#names, table.concat(names, ", ")), "usage"
  end
  local place, err, code = pick(pid, io)
  return place and place.pid, err, code
end


--- True if an engine of this process id can be reached.
---@param pid integer
---@return boolean
function M.runs(pid)
  for _, place in ipairs(console.engines()) do
    if place.pid == pid then return true end
  end
  return false
end


return M
