--- Finds the names in a policy that nothing here has: a rule with such a name never fits, and says nothing about it.

local engine  = require "sys.engine"
local files   = require "sys.files"
local json    = require "sys.json"
local lists   = require "gateway.lists"
local mcp     = require "sys.mcp"
local names   = require "gateway.rules"
local nearest = require "nearest"
local policy  = require "sys.policy"

local M = {}

local EXAMPLE_KEYS = { "annotations", "app", "args", "caller", "effect", "from", "mounted", "prompt", "resource", "tool",
  "toolset", "trust", "via", "want" }


local function list_of(value) return type(value) == "table" and value or { value } end


local function has(list, word)
  for _, each in ipairs(list) do
    if each == word then return true end
  end
  return false
end


-- --- the names that are known -------------------------------------------------------------------

---@class cli.Known
---@field tool table<string, any>      each kind is a set, whose names are in the field `names` as well
---@field toolset table<string, any>
---@field prompt table<string, any>
---@field server table<string, any>
---@field unlisted string[]  the prefixes of servers that were never asked for their lists

local function add(known, kind, name)
  if type(name) ~= "string" then return end
  if not known[kind][name] then table.insert(known[kind].names, name) end
  known[kind][name] = true
end


--- Adds what a configured server that is not mounted listed when it was.
local function add_listed(known, name, spec)
  local mount = { name = name, spec = spec }
  local given = names.check((files.lib("mounts." .. name))) or {}
  lists.recall(mount)
  if not mount.lists then
    known.unlisted[#known.unlisted + 1] = names.prefix(name, given)
    return
  end
  for _, tool in ipairs(names.apply(name, json.decode(mount.lists.tools or "[]") or {}, given)) do
    add(known, "tool", tool.name)
    add(known, "tool", tool.tool)
  end
  for _, prompt in ipairs(names.shown(json.decode(mount.lists.prompts or "[]") or {}, given.prompts, "name")) do
    add(known, "prompt", names.own_name(names.prefix(name, given), prompt.key, {}, {}))
  end
end


--- Returns all names: also those of servers that the file of servers has, though they are not mounted now.
---@param config string  the file
---@return cli.Known
local function known_names(config)
  local known = { unlisted = {} }
  for _, kind in ipairs { "tool", "toolset", "prompt", "server" } do known[kind] = { names = {} } end
  for _, tool in ipairs(engine.tools()) do
    add(known, "tool", tool.name)
    add(known, "toolset", tool.toolset)
    for _, alias in ipairs(tool.aliases or {}) do add(known, "tool", alias) end
    local subject = policy.subject("tool", tool.name)
    if subject and subject.mounted then
      add(known, "server", tool.toolset)
      add(known, "tool", subject.original)
    end
  end
  for _, prompt in ipairs(engine.prompts()) do add(known, "prompt", prompt.name) end
  for name, spec in pairs(mcp.servers(config) or {}) do
    if not known.server[name] then add_listed(known, name, spec) end
    add(known, "server", name)
    add(known, "toolset", name)
  end
  return known
end


--- True for a name that a server may have that was never asked for its lists.
local function may_be_listed(known, kind, name, rule)
  if kind == "server" or kind == "toolset" then return false end
  if #known.unlisted > 0 and (rule.server or rule.mounted) then return true end
  for _, prefix in ipairs(known.unlisted) do
    if name:sub(1, #prefix) == prefix then return true end
  end
  return false
end


-- --- the names in the policy ---------------------------------------------------------------------

--- Names with * may match later ones.
local function strange(rule, key, kind, known, found)
  for _, name in ipairs(list_of(rule[key])) do
    local pattern = type(name) ~= "string" or name:find("*", 1, true)
    if not pattern and not known[kind][name] and not may_be_listed(known, kind, name, rule) then
      found[#found + 1] = ("%sthere is no %s %q%s"):format(key == kind and "" or key .. ": ", kind, name,
        nearest.question(name, known[kind].names, "; "))
    end
  end
end


--- The arguments that tools have, as a set; nil: one of them may have any.
local function arguments_of(tools)
  local set, list = {}, {}
  for _, name in ipairs(tools) do
    local subject = policy.subject("tool", name)   -- also by an alias
    local schema = subject and (engine.tool(subject.name) or {}).inputSchema
    if not schema or not schema.properties or schema.additionalProperties then return nil end
    for argument in pairs(schema.properties) do
      if not set[argument] then list[#list + 1] = argument end
      set[argument] = true
    end
  end
  table.sort(list)
  return set, list
end


--- Adds the arguments that none of the tools has.
local function strange_arguments(rule, found)
  local tools, wrong = list_of(rule.tool), {}
  local there, list = arguments_of(tools)
  if not there or #tools == 0 then return end
  local function look(argument, key)
    local first = tostring(argument):match "^[^.]+" or argument
    if not there[first] then
      wrong[#wrong + 1] = ("%s: %s has no argument %q%s"):format(key, table.concat(tools, ", "), first,
        nearest.question(first, list, "; "))
    end
  end
  for argument in pairs(rule.args or {}) do look(argument, "args") end
  for _, argument in ipairs(list_of(rule.from_args)) do look(argument, "from_args") end
  table.sort(wrong)
  table.move(wrong, 1, #wrong, #found + 1, found)
end


local function of_names(given, known)
  local found = {}
  for _, key in ipairs { "tool", "toolset", "prompt", "server" } do strange(given, key, key, known, found) end
  strange(given, "via", "tool", known, found)
  if #found == 0 then strange_arguments(given, found) end
  if given.tool and given.kind and not has(list_of(given.kind), "tool") then
    found[#found + 1] = ("kind: a rule about a tool never fits a %s"):format(table.concat(list_of(given.kind), ", "))
  end
  return found
end


--- Lists what is wrong with an example. A tool that the example describes need not be there.
local function of_example(example, known)
  if type(example) ~= "table" then return { "it must be a table" } end
  local given, found = example, {}
  for key in pairs(example) do
    if key ~= 1 and not has(EXAMPLE_KEYS, key) then
      found[#found + 1] = ("unknown key %q%s"):format(tostring(key), nearest.question(tostring(key), EXAMPLE_KEYS, "; "))
    end
  end
  table.sort(found)
  local kinds = require("policy.rule").CALLER_KINDS
  local caller = type(example.caller) == "table" and example.caller.kind or example.caller
  if type(caller) == "string" and not has(kinds, caller) then
    found[#found + 1] = ("caller: there is no kind %q%s"):format(caller, nearest.question(caller, kinds, "; "))
  end
  if example.toolset or example.annotations or example.mounted or example.trust then given = { via = example.via } end
  local wrong = example.effect and require("policy.effect.checks").unknown(example.effect, example.args or {})
  if example.effect then given = { tool = given.tool, via = given.via } end
  if wrong then found[#found + 1] = "args: " .. wrong end
  for _, what in ipairs(of_names(given, known)) do found[#found + 1] = what end
  return found
end


--- Returns what is wrong with a policy: a line for each name.
---@param given table  the policy's file
---@param config string  the file of servers
---@return string[]
function M.of(given, config)
  local known, all = known_names(config), {}
  for i, rule in ipairs(given.rules) do
    for _, what in ipairs(of_names(rule, known)) do all[#all + 1] = ("rule %d: %s"):format(i, what) end
  end
  for i, example in ipairs(given.examples or {}) do
    for _, what in ipairs(of_example(example, known)) do all[#all + 1] = ("example %d: %s"):format(i, what) end
  end
  return all
end


return M
