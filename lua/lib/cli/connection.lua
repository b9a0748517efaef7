--- The server that a command line names: a name of mcpServers, a URL, or a command after "--".

local log    = require "sys.log"
local mcp    = require "sys.mcp"
local oauth  = require "oauth"
local status = require "cli.status"

local need, stop, usage = status.need, status.stop, status.usage

local M = {}


--- The servers of the configuration; none and why where there is no such file.
---@param options cli.mcp.Options
---@return table<string, table> specs
---@return string? why
function M.known(options)
  local specs, err, code = mcp.servers(options.config)
  if not specs and code == "not_found" then return {}, options.config .. " does not exist" end
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


--- The spec of what stands where SERVER stands; takes the word off unless a command was given.
local function spec_of(options, words)
  if #options.command > 0 then
    return { command = options.command[1], args = { table.unpack(options.command, 2) } }
  end
  local server = table.remove(words, 1)
  if not server then usage("which server? a name of %s, a URL, or -- and a command", options.config) end
  if server:find "^https?://" or server:find "^unix:" then return { url = server } end
  local specs, why = M.known(options)
  if specs[server] then return specs[server] end
  local names = M.names(specs)
  local near = options.nearest(server, names)
  stop(status.USAGE, "there is no server %q%s %s. A URL begins with http:// or https://, a command stands after --", server,
    near ~= "" and near or ":", why or options.config .. " has " .. (#names > 0 and table.concat(names, ", ") or "none"))
end


local function add_login(options, spec)
  if options.token then spec.token = options.token end
  if options.ca_file then spec.ca_file = options.ca_file end
  for _, line in ipairs(options.headers) do
    local name, value = line:match "^%s*([^:%s]+)%s*:%s*(.-)%s*$"
    if not name then usage("--header %q is not written as \"Name: value\"", line) end
    spec.headers = spec.headers or {}
    spec.headers[name] = value
  end
  oauth.equip(spec, { interactive = options.interactive })
end


--- A client of the server that the first of `words` names; ends with a message where there is none.
---@param options cli.mcp.Options
---@param words string[]  loses the server's word
---@param more? table  what else the client is made with
function M.open(options, words, more)
  local spec = spec_of(options, words)
  if spec.url then
    add_login(options, spec)
  elseif options.token or options.ca_file or #options.headers > 0 then
    usage "--token, --ca-file and --header are for servers with a URL"
  end
  spec.timeout = options.timeout or spec.timeout
  spec.era = options.era or spec.era
  spec.log = function(line)
    if options.verbose then log.info(line) end
  end
  if options.yes then
    spec.elicit = function(ask)
      if ask.url then log.warn("the server asks you to open " .. ask.url) end
      return true
    end
  end
  for key, value in pairs(more or {}) do spec[key] = value end
  return need(mcp.connect(spec))
end


return M
