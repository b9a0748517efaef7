--- The subject of an approval: not one call, but all calls that a person would regard as the same.

local address   = require "policy.address"
local arguments = require "policy.arguments"
local coverage  = require "policy.coverage"
local crypto    = require "sys.crypto"
local declared  = require "policy.declared"
local json      = require "sys.json"
local policy    = require "sys.policy"
local quoting   = require "desktop.quoting"

local M = {}

local SHOWN = 100   -- characters of a name

---@class policy.Capability
---@field key string    the same for all calls that it covers
---@field state string  an approval ends when it is another one: that of the tool's file or definition, if it is for the tool
---@field call string   this call alone: the name of what it calls, and its arguments
---@field wider string[] keys of others that cover it: an approval for a directory covers all that is in it
---@field what string   for people: "open_application of xterm"
---@field covers string for people: all that an answer for longer allows
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


--- The file that an argument leads to. nil: not known, such as a relative path, which tools read in different directories.
local function real_of(path)
  local real = policy.real(path)
  if path:find "^[/~]" or real == policy.real(path, ".") then return real end
end


local function is_url(text)
  return text:find "^%a[%w+.-]*://" ~= nil and not text:find "^[Ff][Ii][Ll][Ee]:"
end


--- The file that an argument leads to. false: it names none; nil: it cannot be told.
local function named_by(text, key, kind)
  if kind == "nothing" then return false end
  if declared.PATHS[kind] then
    if text == "" or is_url(text) then return false end
    local path = address.path(text)
    return path and policy.real(path) or nil
  end
  local by_name = kind == nil and declared.PATHS[declared.GUESSED[key]] and text ~= ""
  local path = arguments.path_of(text)
  if not path and by_name then path = text end
  if path == nil and text:find "://" then path = false end   -- an address of another kind
  if not path then return path end
  return real_of(path)
end


--- The paths that the arguments name, whatever these are called, and at any depth. nil: one of them cannot be told.
local function paths_in(facts)
  local list, is_known = {}, true
  declared.each(facts:kinds(), facts:placed(), function(text, key, kind)
    local real = named_by(text, key, kind)
    if real == nil then is_known = false end
    list[#list + 1] = real and { real, (kind or declared.GUESSED[key]) == "folder" } or nil
  end)
  return is_known and list or nil
end


--- The paths that a call or an effect is about, each with whether it names a directory. nil: not known.
local function paths_of(facts)
  if not facts.effect then return paths_in(facts) end
  local paths, list = facts:fact "paths", {}
  if paths == nil then return nil end
  for i, path in ipairs(paths or {}) do list[i] = { path, facts.how == "make_folder" } end
  return list
end


--- The directory that contains all of them. nil: there are none; false: it is not known.
local function folder_of(facts)
  local common
  local paths = paths_of(facts)
  for _, each in ipairs(paths or {}) do
    local folder = each[2] and each[1] or each[1]:match "^(.+)/[^/]*$" or "/"
    common = common and shared(common, folder) or folder
  end
  if not paths then return false end
  return common
end


--- The addresses in the arguments.
local function urls_in(facts)
  local list = {}
  declared.each(facts:kinds(), facts.args, function(text, _, kind)
    local is_address = text:find "^%s*%a[%w+.-]*://" and not text:lower():find "^%s*file:"
    if is_address and kind ~= "nothing" then list[#list + 1] = text end
  end)
  return list
end


--- The one origin of all addresses that a call or an effect is about. nil: there are none; false: they have several, or it cannot
--- be told.
local function host_of(facts)
  local urls = facts.effect and (facts:fact "url" or {}) or urls_in(facts)
  local found
  for _, url in ipairs(urls) do
    local origin = address.host_of(url) and url:match "^%a[%w+.-]*://[^/?#]*"
    if not origin or found and origin:lower() ~= found then return false end
    found = origin:lower()
  end
  if facts.effect then return found end
  local only   -- with those that are named without a scheme
  for _, host in ipairs(facts:hosts()) do
    if not host or only and host ~= only then return false end
    only = host
  end
  return found or only
end


--- This call, or this effect, alone.
local function call_of(facts)
  if not facts.effect then return (facts.uri or facts.subject.name) .. " " .. json.encode(facts.args) end
  local sentence = require "policy.effect.sentence"
  return ("%s %s %s %s"):format(facts.subject.name, facts.effect, facts.how, assert(json.encode {
    sentence.of(facts), facts.effect == "mail" and sentence.details(facts), facts:fact "text" or "", facts:fact "argv" or {},
    facts:fact "paths" or {}, facts:fact "url" or "", facts:fact "words" or "" }))
end


-- --- the state of what is approved ------------------------------------------------------------

--- Text that is another one once a mounted server says something else of its tool, or is another program: a user approved what
--- was there then. "" for what is not of others.
local function definition_of(subject)
  if not subject.mounted then return "" end
  local text = policy.definition(subject.kind, subject.uri or subject.name) or ""
  return ("%s %s"):format(crypto.hex(assert(crypto.sha256(text))), require("gateway.identity").of(subject.toolset) or "")
end


--- The state of a subject's file, or of its definition.
---@param subject table
---@return string
function M.state_of(subject)
  -- A user who approved a foreign tool read that file and what it requires, not the next ones of the same names. Which lib files
  -- it requires is known only while it runs: any of the user's counts.
  if subject.trust == "foreign" then
    return ("%s %s"):format(subject.state or "", crypto.hex(assert(crypto.sha256(policy.libs_state()))))
  end
  return definition_of(subject)
end


--- Text that is another one once a program, or a script among its arguments, was written anew.
local function content_of(facts)
  if facts.effect then return table.concat(facts:fact "stamps" or {}, " ") end
  local program = facts.subject.name == "open_application" and facts.args.application
  return type(program) == "string" and program:find("/", 1, true) and policy.stamp(program) or ""
end


-- --- scopes --------------------------------------------------------------------------------------

-- Each scope returns its text for people, and its complete key for comparing. nil: the call has nothing of this kind. false: it
-- is not known, and an approval is for these arguments alone.
local SCOPES = {}

function SCOPES.tool(facts)
  if facts.effect then
    return require("policy.effect.sentence").of(facts), ("%s %s"):format(facts.subject.name, facts.effect)
  end
  if facts.uri then return "reading " .. quoting.quote(facts.uri, SHOWN), facts.uri end
  if facts.subject.trust == "foreign" then
    return "the foreign tool " .. quoting.plain(facts.subject.name), facts.subject.name .. " as foreign"
  end
  local kind = facts.subject.kind ~= "tool" and facts.subject.kind .. " " or ""
  local shown, key = kind .. quoting.plain(facts.subject.name), kind .. facts.subject.name
  if not facts.subject.mounted then return shown, key end
  return ("%s of the server %s"):format(shown, quoting.quote(facts.subject.toolset, SHOWN)),
    ("%s %s"):format(key, facts.subject.toolset)
end

function SCOPES.app(facts)
  local list, keys = {}, {}
  local apps = facts:apps()
  if not apps then return false end
  for _, each in ipairs(apps) do   -- a call may name one application several times
    if not keys[each[1]] then list[#list + 1], keys[#keys + 1], keys[each[1]] = quoting.quote(each[1], SHOWN), each[1], true end
  end
  if #list == 0 then return nil end
  table.sort(keys)
  local all = table.move(keys, 1, #keys, 1, {})
  all[#all + 1] = content_of(facts)
  return "in " .. table.concat(list, ", "), json.encode(all)
end

function SCOPES.folder(facts)
  local folder = folder_of(facts)
  return folder and "in " .. quoting.quote(folder, SHOWN), folder
end

function SCOPES.host(facts)
  local host = host_of(facts)
  return host and "at " .. quoting.quote(host, SHOWN), host
end

function SCOPES.call(facts)
  if facts.effect then
    local said = require("policy.effect.sentence").of(facts)
    return said, ("%s %s %s"):format(call_of(facts), M.state_of(facts.subject), content_of(facts))
  end
  local all = ("%s %s %s"):format(json.encode(facts.args), M.state_of(facts.subject), content_of(facts))
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


---@class policy.Scopes
---@field parts string[]  text for people
---@field keys table<string, string>
---@field shown table<string, string>  by scope
---@field folder? string
---@field alone boolean   it is this call alone

--- The parts of a capability. If a call has nothing that the rule's scopes use, for example no path, its tool is the scope.
---@return policy.Scopes
local function scopes_of(rule, facts)
  local its, some = { parts = {}, keys = {}, shown = {}, alone = false }, false
  for _, name in ipairs(rule.per) do
    local shown, key = SCOPES[name](facts)
    local unknown = shown == false
    if unknown then shown, key = SCOPES.call(facts) end
    its.keys[name], some = key or "", some or key ~= nil
    if unknown or name == "call" then its.alone, its.shown.call = true, shown else its.shown[name] = shown end
    if name == "folder" and not unknown then its.folder = key end
    if shown and not (name == "tool" and rule.capability) then its.parts[#its.parts + 1] = shown end
  end
  if not some then
    its.parts[1], its.keys.tool = SCOPES.tool(facts)
    its.shown.tool = its.parts[1]
  end
  return its
end


---@param rule policy.Rule
---@param facts policy.Facts
---@return policy.Capability
function M.of(rule, facts)
  local its = scopes_of(rule, facts)
  if rule.capability then table.insert(its.parts, 1, rule.capability) end
  local caller, who = facts.caller, M.who(facts.caller)
  local function key()
    local about = rule.capability and { rule.capability } or rule.reason   -- rules of one capability are answered together
    return json.encode { coverage.deed(facts), about, its.keys, caller.kind, caller.name or "", caller.subject or "" }
  end
  local made = { key = key(), state = its.keys.tool and M.state_of(facts.subject) or "", call = call_of(facts), wider = {},
    what = table.concat(its.parts, " "), who = who,
    covers = coverage.of(rule, facts, its.shown, its.alone) }
  for _, each in ipairs(its.folder and above(its.folder) or {}) do
    its.keys.folder = each
    made.wider[#made.wider + 1] = key()
  end
  return made
end


return M
