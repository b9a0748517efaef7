--- Does the work of `perigee inspect`: connects to a server, and shows what it says and lists.

local connection = require "cli.connection"
local json       = require "sys.json"
local mcp        = require "sys.mcp"
local process    = require "sys.process"
local show       = require "cli.mcp"
local status     = require "cli.status"
local task       = require "sys.task"

local M = {}

local TOGETHER = 16   -- the limit of servers that are asked at the same time

--- The programs that run a script, by the ending of its name.
local RUNNERS = { py = { "python3" }, js = { "node" }, mjs = { "node" }, lua = { "perigee", "run" } }


--- Sums up a server for JSON: what it says about itself, and its lists.
---@param client sys.mcp.Client
---@param found table<string, table[]>  its lists
---@return table
local function summary(client, found)
  local row = { server = client.server, era = client.era, version = client.version, capabilities = client.capabilities,
    instructions = client.instructions }
  for kind, items in pairs(found) do row[kind] = json.array(items) end
  return json.object(row, { "server", "era", "version", "capabilities", "instructions", "tools", "prompts", "resources",
    "templates" })
end


---@param client sys.mcp.Client
---@param found table<string, table[]>
---@param io perigee.IO
local function print_summary(client, found, io)
  show.print_info(client, io)
  for _, items in pairs(found) do
    if #items > 0 then
      io:print ""
      break
    end
  end
  show.print_lists(found, io)
end


-- --- the server -----------------------------------------------------------------------------

local function is_path(word) return word:find "/" or word:find "%.%w+$" end


--- Inspects one server of a configuration. Returns its row for JSON, or nil and why.
---@param print_it fun(client: sys.mcp.Client, found: table<string, table[]>)
local function inspect_one(name, spec, args, io, print_it)
  local row, err, code = status.caught(function()
    local client <close> = status.need(mcp.connect(connection.equipped(spec, args, io)))
    local found = show.lists(client)
    print_it(client, found)
    return summary(client, found)
  end)
  if not row then return nil, err, code end
  row.name = name
  return row
end


--- Inspects every server of a client's configuration, all at the same time, and prints each when it has answered. One that
--- fails does not end the others.
local function inspect_all(specs, args, io)
  local rows, failed, first = json.array {}, 0, true
  local names = connection.names(specs)
  task.map(names, function(name, i)
    local row, err, code = inspect_one(name, specs[name], args, io, function(client, found)
      if args.json then return end
      if not first then io:print "" end
      first = false
      io:print(name .. ":")
      print_summary(client, found, io)
    end)
    rows[i] = row or { name = name, error = { message = err, code = code } }
    if row then return end
    failed = failed + 1
    io:complain(("%s: %s"):format(name, err))
  end, TOGETHER)
  if args.json then io:json(rows) end
  return failed > 0 and status.FAILED or 0
end


--- Returns the command that starts the server of this file.
local function command_of(path, io)
  local runner = RUNNERS[path:match "%.(%w+)$"]
  if not runner then return { path:find "/" and path or "./" .. path } end
  local command = table.move(runner, 1, #runner, 1, {})
  if command[1] == "perigee" then command[1] = io.program end
  if not process.exists(command[1]) then
    status.stop(status.FAILED, "%s is started by %s, which is not installed", path, command[1])
  end
  command[#command + 1] = path
  return command
end


function M.run(args, io)
  local named = #args.command == 0 and args.server
  if named and is_path(named) and not named:find "^%w+:" and not connection.known(io.config)[named] then
    local text, err, code = io:read(named)
    if not text and code ~= "too_large" then status.usage("%s", err) end
    if named:find "%.json[c5]?$" then
      return inspect_all(status.need(mcp.servers(named)), args, io)
    end
    if named:find "%.toml$" or named:find "%.ya?ml$" then
      status.stop(status.USAGE, "%s is not JSON, so its servers are not read. Name the command of one: "
        .. "perigee inspect -- COMMAND", named)
    end
    args.command = command_of(named, io)
  end
  local client <close> = connection.open(args, io)
  local found = show.lists(client)
  if args.json then io:json(summary(client, found)) else print_summary(client, found, io) end
  return 0
end


return M
