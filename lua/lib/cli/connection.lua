--- The server that a command line names: a name of mcpServers, a URL, or a command after "--".

local form       = require "cli.form"
local log        = require "sys.log"
local mcp        = require "sys.mcp"
local nearest    = require "nearest"
local oauth      = require "oauth"
local own_server = require "cli.own_server"
local status     = require "cli.status"
local variables  = require "cli.variables"

local need, usage = status.need, status.usage

local M = {}


--- Returns the servers of the configuration; none, and why, if there is no such file.
---@param config string  the file
---@return table<string, table> specs
---@return string? why
function M.known(config)
  local specs, err, code = mcp.servers(config)
  if not specs and code == "not_found" then return {}, config .. " does not exist" end
  return need(specs, err, code)
end


---@param specs table<string, table>
---@return string[]
function M.names(specs)
  local names = {}
  for name in pairs(specs) do names[#names + 1] = name end
  table.sort(names)
  return names
end


--- Returns the spec of the server that the command line names, or of the command behind "--".
local function spec_of(args, io)
  local server = args.server
  if #args.command > 0 then
    return { command = args.command[1], args = { table.unpack(args.command, 2) } }
  end
  if not server then usage("which server? Give a name of %s, a URL, or -- and a command", io.config) end
  if server:find "^https?://" or server:find "^unix:" then return { url = server } end
  local specs, why = M.known(io.config)
  if specs[server] then return specs[server] end
  local names = M.names(specs)
  local question = nearest.question(server, names, "; ")
  usage("there is no server %q%s %s. A URL begins with http:// or https://, a command stands after --", server,
    question ~= "" and question or ":", why or io.config .. " has " .. (#names > 0 and table.concat(names, ", ") or "none"))
end


--- Reads a bearer token, given with or without the word Bearer.
local function token_of(given)
  local token = given:gsub("^[Bb][Ee][Aa][Rr][Ee][Rr] ", "")
  if not token:find "^[\33-\126]+$" then usage "--token is empty, or has characters that no token has (blanks, say)" end
  return token
end


local function has_authorization(spec)
  for name in pairs(spec.headers or {}) do
    if name:lower() == "authorization" then return true end
  end
  return false
end


local function add_login(args, spec, io)
  if args.token then spec.token = token_of(args.token) end
  if args.ca_file then spec.ca_file = args.ca_file end
  for _, line in ipairs(args.header) do
    local name, value = line:match "^%s*([^:%s]+)%s*:%s*(.-)%s*$"
    if not name then usage("--header %q is not written as \"Name: value\"", line) end
    spec.headers = spec.headers or {}
    spec.headers[name] = value
  end
  if not spec.token and not has_authorization(spec) then spec.token = own_server.token(spec.url, io) end
  oauth.equip(spec, { interactive = io.interactive })
end


--- Adds to a server's spec what the command line says about the connection.
---@param spec sys.mcp.Spec
---@param args table
---@param io perigee.IO
---@return sys.mcp.Spec
function M.equipped(spec, args, io)
  if spec.url and args.env and #args.env > 0 then usage "--env is for servers that are started by a command" end
  local ok, err = variables.add(args, spec)
  if not ok then usage("%s", err) end
  if spec.url then
    add_login(args, spec, io)
  elseif args.token or args.ca_file or #args.header > 0 then
    usage "--token, --ca-file and --header are for servers with a URL"
  end
  spec.timeout = args.timeout or spec.timeout
  if args.era ~= "auto" then spec.era = args.era or spec.era end
  spec.log = function(line)
    if args.verbose then log.info(line) end
  end
  if args.verbose then spec.log_level = "debug" end -- modern servers send log messages only if they are asked to
  if args.yes then
    spec.elicit = function(ask)
      if ask.url then log.warn("the server asks you to open " .. ask.url) end
      return true
    end
  elseif io.interactive then
    spec.elicit = form.ask
  end
  return spec
end


--- Connects to the server that the command line names, and returns the client; ends with a message if that fails.
---@param args table
---@param io perigee.IO
---@param more? table  further fields of the client's spec
function M.open(args, io, more)
  local spec = M.equipped(spec_of(args, io), args, io)
  spec.mount = true   -- it is started even in a dry run, as mounted servers are
  for key, value in pairs(more or {}) do spec[key] = value end
  return need(mcp.connect(spec))
end


return M
