--- The servers of `perigee agent --server` and `--servers`. The agent's own server mounts them, so that their calls pass the
-- policy and are in the audit log, like all others.

local crypto = require "sys.crypto"
local json   = require "sys.json"
local mcp    = require "sys.mcp"

local M = {}

-- src/cli/commands/serve.c. Specs may have secrets, which a command line would show to other users.
local VARIABLE = "PERIGEE_AGENT_SERVERS"

local PATIENCE = 180  -- seconds for an answer, if a server's spec has no limit: programs take long to start


--- Returns a name for the server of a command: what is remembered of one program is not for another.
---@param spec sys.mcp.Spec
---@return string
function M.name(spec)
  local digest = crypto.sha256(table.concat({ spec.command, table.unpack(spec.args or {}) }, "\0"))
  local program = spec.command:match "[^/]*$":gsub("[^%w_-]", "_"):sub(1, 16)
  return ("%s-%s"):format(program, crypto.hex(digest):sub(1, 4))
end


--- Reads the servers of a file.
---@param path string
---@return table<string, sys.mcp.Spec>? specs
---@return string? err
---@return string? code
function M.read(path)
  local specs, err, code = mcp.servers(path)
  if specs and next(specs) == nil then return nil, path .. " has no servers. Add one to mcpServers.", "no_server" end
  return specs, err, code
end


--- Lets the agent's server mount these. Without them it mounts those that its arguments name. In either case it lists nothing
--- before the servers have answered.
---@param own {command: string, args: string[]}  the agent's server; it is changed
---@param specs? table<string, sys.mcp.Spec>
---@param asks? boolean  true: the agent can show the servers' questions to the user
function M.add(own, specs, asks)
  local copies, names = {}, {}
  for name, spec in pairs(specs or {}) do
    local copy = {}
    for key, value in pairs(spec) do copy[key] = value end
    copy.timeout, copy.asks = copy.timeout or PATIENCE, asks
    own.timeout = math.max(own.timeout or 0, 2 * copy.timeout)   -- it may have to start the server for a call
    copies[name], names[#names + 1] = copy, name
  end
  table.sort(names)
  own.env = { [VARIABLE] = specs and json.encode(copies) or "" }
  own.mounted = specs and names
end


--- Splits the name of a tool of a mounted server. A rule of lib/mounts may have given it a name without the server's.
---@param name string
---@param servers string[]
---@return string tool
---@return string? server
function M.split(name, servers)
  local of
  for _, server in ipairs(servers) do
    local longer = not of or #server > #of
    if longer and name:sub(1, #server + 1) == server:gsub("[^%w_.%-]", "_") .. "_" then of = server end
  end
  return of and #name > #of + 1 and name:sub(#of + 2) or name, of
end


return M
