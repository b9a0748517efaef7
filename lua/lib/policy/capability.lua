--- The subject of an approval: not one call, but all calls that a person would regard as the same.

local json    = require "sys.json"
local policy  = require "sys.policy"
local quoting = require "desktop.quoting"

local M = {}

local PATHS = { "path", "cwd", "folder", "directory", "file", "files", "image_path" }
local DIRECTORIES = { cwd = true, folder = true, directory = true }   -- those of PATHS that name a directory
local SHOWN = 100   -- characters of a name

---@class policy.Capability
---@field key string    the same for all calls that it covers
---@field call string   this call alone: the name of what it calls, and its arguments
---@field wider string[] keys of others that cover it: an approval for a directory covers all that is in it
---@field what string   for people: "open_application of xterm"
---@field who string    for people: "the client claude-code"


---@param caller table
---@return string
function M.who(caller)
  local name = caller.name and quoting.quote(caller.name, SHOWN)
  if caller.kind == "terminal" then return "a command in a terminal" end
  if caller.kind == "script" then return "a script" end
  if caller.kind == "engine" then return "a tool file, by itself," end
  if caller.kind == "agent" then return "perigee agent" end
  if caller.kind == "client" then return name and "the client " .. name or "a client" end
  if caller.kind == "oauth" then
    return ("%s, who is logged in%s"):format(quoting.quote(caller.subject or "", SHOWN), name and " with " .. name or "")
  end
  return name and ("the HTTP client %s"):format(name) or "an HTTP client"
end


--- The directory that contains both paths, compared by whole names.
local function shared(a, b)
  while a ~= "/" and b ~= a and b:sub(1, #a + 1) ~= a .. "/" do a = a:match "^(.+)/[^/]*$" or "/" end
  return a
end


--- The directory that contains all paths of the arguments. nil: there are none; false: it is not known.
local function folder_of(args)
  local common
  for _, key in ipairs(PATHS) do
    local given = args[key]
    for _, path in ipairs(type(given) == "table" and given or { given }) do
      local real = type(path) == "string" and path ~= "" and policy.real(path)
      if not real then return false end
      if not DIRECTORIES[key] then real = real:match "^(.+)/[^/]*$" or "/" end
      common = common and shared(common, real) or real
    end
  end
  return common
end


local function host_of(args)
  if args.url == nil then return nil end
  return type(args.url) == "string" and args.url:match "^%a[%w+.-]*://[^/?#]*" or false
end


-- Each scope returns its text for people, and its complete key for comparing. nil: the call has nothing of this kind. false: it
-- is not known, and an approval is for these arguments alone.
local SCOPES = {}

function SCOPES.tool(facts)
  if facts.uri then return "reading " .. quoting.quote(facts.uri, SHOWN), facts.uri end
  -- A user who approved a foreign tool read that file, not the next one of the same name.
  if facts.subject.trust == "foreign" then
    return "the foreign tool " .. quoting.plain(facts.subject.name), ("%s as %s"):format(facts.subject.name, facts.subject.state)
  end
  local kind = facts.subject.kind ~= "tool" and facts.subject.kind .. " " or ""
  return kind .. quoting.plain(facts.subject.name), kind .. facts.subject.name
end

function SCOPES.app(facts)
  local list, keys = {}, {}
  local apps = facts:apps()
  if not apps then return false end
  for i, each in ipairs(apps) do list[i], keys[i] = quoting.quote(each[1], SHOWN), each[1] end
  if #list == 0 then return nil end
  table.sort(keys)
  return "in " .. table.concat(list, ", "), json.encode(keys)
end

function SCOPES.folder(facts)
  local folder = folder_of(facts.args)
  return folder and "in " .. quoting.quote(folder, SHOWN), folder
end

function SCOPES.host(facts)
  local host = host_of(facts.args)
  return host and "at " .. quoting.quote(host, SHOWN), host
end

function SCOPES.call(facts)
  local all = json.encode(facts.args)
  local shown = SCOPES.tool(facts) .. (next(facts.args) and " with these arguments" or "")
  return shown, (facts.uri or facts.subject.name) .. " " .. all
end


--- The directories that contain a directory, the nearest first.
local function above(folder)
  local list = {}
  while folder and folder ~= "/" do
    folder = folder:match "^(.+)/[^/]*$" or "/"
    list[#list + 1] = folder
  end
  return list
end


--- The parts of a capability. If a call has nothing that the rule's scopes use, for example no path, its tool is the scope.
---@return string[] parts  text for people
---@return table<string, string> keys
---@return string? folder
local function scopes_of(rule, facts)
  local parts, keys, folder, some = {}, {}, nil, false
  for _, name in ipairs(rule.per) do
    local shown, key = SCOPES[name](facts)
    local unknown = shown == false
    if unknown then shown, key = SCOPES.call(facts) end
    keys[name], some = key or "", some or key ~= nil
    if name == "folder" and not unknown then folder = key end
    if shown and not (name == "tool" and rule.capability) then parts[#parts + 1] = shown end
  end
  if not some then parts[1], keys.tool = SCOPES.tool(facts) end
  return parts, keys, folder
end


---@param rule policy.Rule
---@param facts policy.Facts
---@return policy.Capability
function M.of(rule, facts)
  local parts, keys, folder = scopes_of(rule, facts)
  if rule.capability then table.insert(parts, 1, rule.capability) end
  local caller = facts.caller
  local function key()
    return json.encode { rule.reason, rule.capability or "", keys, caller.kind, caller.name or "", caller.subject or "" }
  end
  local made = { key = key(), call = (facts.uri or facts.subject.name) .. " " .. json.encode(facts.args), wider = {},
    what = table.concat(parts, " "), who = M.who(caller) }
  for _, each in ipairs(folder and above(folder) or {}) do
    keys.folder = each
    made.wider[#made.wider + 1] = key()
  end
  return made
end


return M
