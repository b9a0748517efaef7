--- Files that name MCP servers, in the form of Claude Desktop's:
--
--     {"mcpServers": {"NAME": {"command": "...", "args": ["..."], "env": {"K": "V"}, "cwd": "..."},
--                     "NAME": {"type": "http", "url": "https://...", "headers": {"K": "V"}, "ca_file": "...",
--                              "oauth": {"authServerMetadataUrl": "https://..."}}}}
--
-- Comments are skipped, and a comma behind the last member. VS Code calls the object "servers", Zed "context_servers"; other
-- names of "url" and "http" are taken as well. Either entry may have "timeout" (seconds for an answer) and "era". In the strings,
-- "${NAME}" stands for a variable of our environment and "${NAME:-text}" for it or else the text, as Claude Code has it; others
-- write "${env:NAME}". "~" begins a path in the home. Members of other programs ("autoApprove", ...) are ignored. An entry that
-- cannot be used is kept and says why; the others are not hurt by it.

local edited_json = require "edited_json"
local env         = require "sys.env"
local files       = require "sys.files"
local json        = require "sys.json"
local text        = require "sys.text"

local M = {}

local EXPECTED = 'it has no object "mcpServers". Expected {"mcpServers": {"NAME": {"command": "...", "args": [...]}}}'
local LONGEST_TIMEOUT = 86400   -- seconds

local ERAS = { auto = true, legacy = true, modern = true }

--- The names of the URL: Gemini CLI's, ours, Windsurf's, goose's.
local URL_KEYS = { "httpUrl", "url", "serverUrl", "uri" }

local TYPES = { http = "http", ["streamable-http"] = "http", streamableHttp = "http", streamable_http = "http", remote = "http",
  stdio = "stdio", ["local"] = "stdio" }

local OURS = { "args", "ca_file", "command", "cwd", "disabled", "env", "era", "headers", "timeout", "type", "url" }
local KNOWN = { name = true, tools = true, trust = true, enabled = true, roots = true, envFile = true, uri = true }
for _, key in ipairs(OURS) do KNOWN[key] = true end

--- Variables that an editor answers, by their beginnings.
local EDITORS = { { "input:", "asks for" }, { "workspaceFolder", "knows" }, { "command:", "knows" }, { "config:", "knows" } }


--- Ends the reading of an entry.
local function wrong(code, message, ...) error({ code = code, text = message:format(...) }, 0) end


--- A member; nil if it is missing or null, which many serializers write for one that is not set.
local function given(object, key)
  local value = object[key]
  if value == json.null then return nil end
  return value
end


local function is_object(value) return type(value) == "table" and not json.is_array(value) end


--- The beginning of a text, for a message.
local function cut(value, most) return (value:sub(1, most):gsub("\0.*", "")) end


-- --- ${NAME} ------------------------------------------------------------------------------

--- The value of a variable; nil: it is not set.
local function value_of(name, lookup)
  if name == "pathSeparator" or name == "/" then return "/" end
  for _, editors in ipairs(EDITORS) do
    if name:sub(1, #editors[1]) == editors[1] then
      wrong("no_variable", "${%s} is for an editor, which %s its value. Write the value itself, or ${NAME} with an "
        .. "environment variable", cut(name, 100), editors[2])
    end
  end
  return name == "userHome" and lookup "HOME" or lookup(name)
end


local function expanded(value, lookup)
  local parts, at = {}, 1
  while true do
    local dollar = value:find("${", at, true)
    parts[#parts + 1] = value:sub(at, (dollar or 0) - 1)
    if not dollar then return table.concat(parts) end
    local close = value:find("}", dollar, true)
    if not close then wrong("bad_entry", '"${%s" has no closing brace', cut(value:sub(dollar + 2), 60)) end
    local inner = value:sub(dollar + 2, close - 1):gsub("^env:", "")   -- VS Code, Cursor and Windsurf write ${env:NAME}
    local colon = inner:find(":-", 1, true)
    local name = inner:sub(1, (colon or 0) - 1)
    local found = value_of(name, lookup) or colon and inner:sub(colon + 2)
    if not found then
      wrong("no_variable", "the environment variable %s is not set. Set it, or write ${%s:-default}", cut(name, 100),
        cut(name, 100))
    end
    parts[#parts + 1], at = found, close + 1
  end
end


-- --- one entry ----------------------------------------------------------------------------

local function string_of(value, what, lookup)
  if type(value) ~= "string" or value:find("\0", 1, true) then wrong("bad_entry", "%s is not a string", what) end
  return expanded(value, lookup)
end


--- A path or URL that may be missing. "~" at its beginning is the home.
local function path_of(entry, key, lookup)
  local value = given(entry, key)
  if value == nil then return nil end
  local path = string_of(value, ('"%s"'):format(key), lookup)
  return path:find "^~%f[/\0]" and lookup "HOME" and lookup "HOME" .. path:sub(2) or path
end


local function args_of(entry, lookup)
  local args, list = given(entry, "args"), {}
  for i, value in ipairs(args or {}) do list[i] = string_of(value, 'a value in "args"', lookup) end
  return list
end


--- Returns the keys of an object in the order of their bytes: which of several faults is told does not change.
local function keys_of(object)
  local keys = {}
  for key in pairs(object) do keys[#keys + 1] = key end
  table.sort(keys)
  return keys
end


--- The names and values of "env" or "headers".
local function pairs_of(entry, key, lookup)
  local object, values = given(entry, key), {}
  if object ~= nil and not is_object(object) then wrong("bad_entry", '"%s" is not an object', key) end
  for _, name in ipairs(keys_of(object or {})) do
    if name == "" or name:find "[=\0]" then
      wrong("bad_entry", '"%s" cannot be a name in "%s"', cut(name, 100), key)
    end
    values[name] = string_of(object[name], ('a value in "%s"'):format(key), lookup)
  end
  return values
end


local function url_key(entry)
  for _, key in ipairs(URL_KEYS) do
    if given(entry, key) ~= nil then return key end
  end
end


--- The entry's type in one spelling; nil: it says none.
local function type_of(entry)
  local kind = given(entry, "type")
  if type(kind) ~= "string" then kind = given(entry, "transport") end
  return type(kind) == "string" and (TYPES[kind] or kind) or nil
end


local function is_http(entry)
  return url_key(entry) ~= nil and given(entry, "command") == nil and (type_of(entry) or "http") == "http"
end


local function check_usable(entry)
  if not is_object(entry) then wrong("bad_entry", "the entry is not an object") end
  if entry.disabled == true then wrong("disabled", 'the entry has "disabled": true') end
  if entry.enabled == false then wrong("disabled", 'the entry has "enabled": false') end
  if is_http(entry) then return end
  local kind, key = type_of(entry), url_key(entry) or "url"
  if (kind or "stdio") == "stdio" and (given(entry, key) == nil or given(entry, "command") ~= nil) then return end
  local url = type(entry[key]) == "string" and entry[key] or "no url"
  wrong("not_supported", 'the server uses %s (%s), which is not supported. Use a "command" (stdio) or a "url" of type "http"',
    cut(kind or "http", 40), cut(url, 200))
end


--- The key of ours that is nearest to this one: one letter may be wrong, and one more for every three.
local function nearest(key)
  local bytes = key:gsub("[\x80-\xFF]", function(c) return utf8.char(c:byte()) end)
  local best, least = nil, #key < 2 and 0 or math.min(#key // 3 + 1, 3)
  for _, own in ipairs(OURS) do
    local apart = key:lower() == own and 0 or text.distance(bytes, own, least)
    if apart and apart <= least and (not best or apart < least) then best, least = own, apart end
  end
  return best
end


--- Checks the keys: one that nobody knows but that is nearly one of ours would do nothing, in silence. Others are for other
--- clients ("autoApprove", "description", ...).
local function check_keys(entry)
  for _, key in ipairs(keys_of(entry)) do
    local own = not KNOWN[key] and nearest(key)
    if own then wrong("bad_entry", "unknown key \"%s\" (did you mean '%s'?)", cut(key, 60), own) end
  end
end


local function timeout_of(entry)
  local timeout = given(entry, "timeout")
  if timeout == nil then return nil end
  if type(timeout) ~= "number" or not (timeout > 0 and timeout <= LONGEST_TIMEOUT) then
    wrong("bad_entry", '"timeout" must be a number of seconds, more than 0 and at most 86400')
  end
  return timeout + 0.0
end


local function era_of(entry)
  local era = given(entry, "era")
  if era ~= nil and not ERAS[era] then
    wrong("bad_entry", '"era" must be "auto", "legacy" (initialize) or "modern" (2026-07-28)')
  end
  return era
end


--- Adds what starts the server.
local function add_command(spec, entry, lookup)
  local args = given(entry, "args")
  if given(entry, "command") == nil then
    wrong("bad_entry", 'the entry has neither a "command" nor a "url". Add the one that starts or reaches the server')
  end
  if args ~= nil and not json.is_array(args) then wrong("bad_entry", '"args" is not an array') end
  spec.command = path_of(entry, "command", lookup)
  if spec.command == "" then wrong("bad_entry", '"command" is empty') end
  spec.args = args_of(entry, lookup)
  spec.env = pairs_of(entry, "env", lookup)
  spec.cwd = path_of(entry, "cwd", lookup)
end


--- Adds what reaches the server. "oauth" may say where the authorization server's metadata is, for a server that does not say
--- it right; the name is Claude Code's.
local function add_url(spec, entry, lookup)
  local key = url_key(entry)
  spec.url = string_of(entry[key], ('"%s"'):format(key), lookup)
  spec.headers = pairs_of(entry, "headers", lookup)
  spec.ca_file = path_of(entry, "ca_file", lookup)
  local oauth = given(entry, "oauth")
  if oauth ~= nil and not is_object(oauth) then wrong("bad_entry", '"oauth" is not an object') end
  spec.login_metadata = oauth and path_of(oauth, "authServerMetadataUrl", lookup)
end


local function read_entry(entry, lookup)
  check_usable(entry)
  check_keys(entry)
  local spec = { timeout = timeout_of(entry), era = era_of(entry) }
  local add = is_http(entry) and add_url or add_command
  add(spec, entry, lookup)
  return spec
end


--- Returns the spec of a server, or one that says why there is none.
local function spec_of(name, entry, lookup)
  local ok, result = pcall(read_entry, entry, lookup)
  if ok then return result end
  if type(result) ~= "table" or not result.code then error(result, 0) end
  return { problem = ('server "%s": %s'):format(name:sub(1, 60), result.text), problem_code = result.code }
end


-- --- the file -----------------------------------------------------------------------------

--- Reads the text of a file.
---@param source string
---@param lookup? fun(name: string): string?  returns the value of a variable; default: of the environment
---@return table<string, sys.mcp.Spec>? servers
---@return string? err
---@return string? code  "bad_file"
function M.parse(source, lookup)
  local root, err = edited_json.decode(source)
  if err then return nil, err, "bad_file" end
  local servers
  for _, key in ipairs { "mcpServers", "servers", "context_servers" } do
    if servers == nil and is_object(root) then servers = given(root, key) end
  end
  if not is_object(servers) then return nil, EXPECTED, "bad_file" end
  local specs = {}
  for name, entry in pairs(servers) do specs[name] = spec_of(name, entry, lookup or env.value) end
  return specs
end


--- Reads a file, which no other user may be able to change.
---@param path string  "~" at its beginning is the home
---@return table<string, sys.mcp.Spec>? servers
---@return string? err
---@return string? code  "not_found", "insecure", "too_large", ..., or "bad_file"
function M.read(path)
  local source, real, code = files.trusted(path)
  if not source then return nil, real, code end
  local specs, err
  specs, err, code = M.parse(source)
  if not specs then return nil, ("%s: %s"):format(real:sub(1, 200), err), code end
  return specs
end


return M
