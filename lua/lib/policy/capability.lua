--- What an approval is about: not one call, but all that a person would take for the same.

local json    = require "sys.json"
local policy  = require "sys.policy"
local quoting = require "desktop.quoting"

local M = {}

local PATHS = { "path", "cwd", "folder", "directory", "file", "files", "image_path" }
local SHOWN = 100   -- characters of a name

---@class policy.Capability
---@field key string    the same for all calls that it covers
---@field wider string[] keys of those that cover it, too: an approval for a directory is one for what is in it
---@field what string   for people: "open_application of xterm"
---@field who string    for people: "the client claude-code"


---@param caller table
---@return string
function M.who(caller)
  local name = caller.name and quoting.quote(caller.name, SHOWN)
  if caller.kind == "terminal" then return "a command in a terminal" end
  if caller.kind == "script" then return "a script" end
  if caller.kind == "agent" then return "perigee agent" end
  if caller.kind == "client" then return name and "the client " .. name or "a client" end
  if caller.kind == "oauth" then
    return ("%s, who is logged in%s"):format(quoting.quote(caller.subject or "", SHOWN), name and " with " .. name or "")
  end
  return name and ("the HTTP client %s"):format(name) or "an HTTP client"
end


local function folder_of(args)
  for _, key in ipairs(PATHS) do
    local path = args[key]
    if type(path) == "table" then path = path[1] end
    if type(path) == "string" and path ~= "" then
      local real = policy.real(path)
      if real and (key == "cwd" or key == "folder" or key == "directory") then return real end
      return real and (real:match "^(.+)/[^/]*$" or "/")
    end
  end
end


local function host_of(args)
  return type(args.url) == "string" and args.url:match "^%a[%w+.-]*://[^/?#]*" or nil
end


local SCOPES = {}

function SCOPES.tool(facts)
  if facts.uri then return "reading " .. quoting.quote(facts.uri, SHOWN) end
  local kind = facts.subject.kind ~= "tool" and facts.subject.kind .. " " or ""
  return kind .. facts.subject.name
end

function SCOPES.app(facts)
  local list = {}
  for i, each in ipairs(facts:apps() or {}) do list[i] = quoting.quote(each[1], SHOWN) end
  return #list > 0 and "in " .. table.concat(list, ", ") or nil
end

function SCOPES.folder(facts)
  local folder = folder_of(facts.args)
  return folder and "in " .. quoting.quote(folder, SHOWN) or nil
end

function SCOPES.host(facts)
  local host = host_of(facts.args)
  return host and "at " .. quoting.quote(host, SHOWN) or nil
end

function SCOPES.call(facts)
  return ("%s with %s"):format(SCOPES.tool(facts), quoting.quote(json.encode(facts.args), 3 * SHOWN))
end


--- The directories that a directory is in, the nearest first.
local function above(folder)
  local list = {}
  while folder and folder ~= "/" do
    folder = folder:match "^(.+)/[^/]*$" or "/"
    list[#list + 1] = folder
  end
  return list
end


---@param rule policy.Rule
---@param facts policy.Facts
---@return policy.Capability
function M.of(rule, facts)
  local parts, keys, at = {}, {}, nil
  for _, name in ipairs(rule.per) do
    local part = SCOPES[name](facts)
    keys[#keys + 1] = name .. "=" .. (name == "call" and json.encode(facts.args) or part or "?")
    if name == "folder" then at = #keys end
    if part and not (name == "tool" and rule.capability) then parts[#parts + 1] = part end
  end
  if rule.capability then table.insert(parts, 1, rule.capability) end
  local caller = facts.caller
  local function key()
    return json.encode { rule.reason, rule.capability or "", keys, caller.kind, caller.name or "", caller.subject or "" }
  end
  local made = { key = key(), wider = {}, what = table.concat(parts, " "), who = M.who(caller) }
  for _, folder in ipairs(at and above(folder_of(facts.args)) or {}) do
    keys[at] = "folder=in " .. quoting.quote(folder, SHOWN)
    made.wider[#made.wider + 1] = key()
  end
  return made
end


return M
