--- The decision of a policy about a call that is not made: for examples and for `perigee policy explain`.

local facts  = require "policy.facts"
local policy = require "sys.policy"

local M = {}

---@class policy.Question
---@field tool? string      one of tool, resource and prompt
---@field resource? string
---@field prompt? string
---@field effect? string  the kind of an effect: `args` has facts about it, or what its binding gets
---@field args? table
---@field caller? string|{kind?: string, name?: string, subject?: string}  default: a client
---@field via? string[]     the calls that led to the call
---@field app? string|string[]   the applications that it is about; nil: the desktop is asked
---@field from? string|string[]  the sources of the text in its arguments
---@field toolset? string   the toolset of a tool that does not exist here
---@field annotations? table
---@field mounted? boolean
---@field trust? "foreign"


--- A value as a list. An option that was not given is an empty list.
local function list_of(value)
  if type(value) == "string" then return { value } end
  return value and #value > 0 and value or nil
end


--- The subject of the question. It need not exist here, because a policy may be older than its tools.
---@param question policy.Question
---@return sys.policy.Subject
---@return boolean known
function M.subject(question)
  for _, kind in ipairs { "tool", "resource", "prompt" } do
    local name = question[kind]
    local subject = name and policy.subject(kind, name)
    if subject then return subject, true end
    if name then
      return { kind = kind, name = name, toolset = question.toolset or "", label = "", mounted = question.mounted or false,
        shipped = false, aliases = {}, trust = question.trust, annotations = question.annotations or {} }, false
    end
  end
  error("which tool, resource or prompt?", 0)
end


---@param question policy.Question
---@return table
local function caller_of(question)
  local given = question.caller or "client"
  if type(given) == "string" then given = { kind = given } end
  return { kind = given.kind or "client", name = given.name, subject = given.subject, id = 0 }
end


local SEVERITY = { allow = 1, ask = 2, deny = 3 }

--- The strictest rule for a tool that does the work of others without calling them; nil and the reason if it is not known.
local function strictest(decide, subject, caller, args, rule, made)
  local ok, stands_for = true, {}
  if subject.stands_for then ok, stands_for = pcall(subject.stands_for, args) end
  if not ok then
    return nil, ("%s is judged by what it is to do, and these arguments are not as it takes them: `perigee tools %s` "
      .. "describes them"):format(subject.name, subject.name)
  end
  for _, each in ipairs(stands_for) do
    local other = policy.subject("tool", each.tool)
    local told = other and made(other, each.args)
    if told then told.about_as = each.about_as end
    local theirs = other and decide(other, caller, nil, nil, each.args, told)
    if theirs and SEVERITY[theirs.verdict] > SEVERITY[rule.verdict] then rule = theirs end
  end
  return rule
end


local POSITIONAL = { file = true, settings = true }   -- those whose binding gets a path, not a table
local LISTS = { paths = true, url = true, argv = true, to = true, host = true, env = true }

--- The facts of an effect that does not happen: those that are given, and what the system tells of the rest.
local function effect_of(question, subject)
  local how
  for _, kind in ipairs(require "policy.effect.kinds") do
    if kind.name == question.effect then how = kind.how end
  end
  local args = question.args or {}
  local spec = {}
  for key, value in pairs(args) do
    if type(value) ~= "boolean" then spec[key] = value end   -- what is true or false is a fact, and nothing that a binding gets
  end
  local told = require("policy.effect.facts").new(question.effect, args.how or how, subject, caller_of(question), nil, false,
    POSITIONAL[question.effect] and args.path or spec, args.text or args.to)
  for key, value in pairs(args) do told.known[key] = LISTS[key] and type(value) ~= "table" and { value } or value end
  if question.effect == "press" then told.known.change, told.known.node = args, false end
  if question.effect == "input" and (args.role or args.name) then
    told.known.node = { role = args.role or "", name = args.name or "" }
  end
  told.known.apps = question.app and {} or told.known.apps
  for i, name in ipairs(list_of(question.app) or {}) do told.known.apps[i] = { name } end
  told.copied, told.led = list_of(question.from), list_of(question.via)
  return told
end


--- The rule that decides about an effect.
---@param decide function
---@param question policy.Question
---@return policy.Rule
function M.effect_rule(decide, question)
  local subject = require "policy.effect.nobody"
  if question.tool then subject = M.subject(question) end
  return (decide "effects"(question.effect, effect_of(question, subject), subject, caller_of(question)))
end


---@class policy.Later
---@field rule policy.Rule  one that asks or denies
---@field effects string[]

--- The rules that may ask about effects of the call, or deny them, by its caller and its tool. Whether one does is known where an
--- effect happens.
---@param decide function
---@param question policy.Question
---@return policy.Later[]
function M.later(decide, question)
  local subject, caller, list, places = M.subject(question), caller_of(question), {}, {}
  for _, kind in ipairs(require "policy.effect.kinds") do
    for _, rule in ipairs(decide "candidates"(kind.name, subject, caller)) do
      if rule.verdict ~= "allow" then
        if not places[rule] then
          list[#list + 1] = { rule = rule, effects = {} }
          places[rule] = list[#list]
        end
        table.insert(places[rule].effects, kind.name)
      end
    end
  end
  table.sort(list, function(a, b) return a.rule.number < b.rule.number end)
  return list
end


--- The same for `--json`.
---@param list policy.Later[]
---@return table
function M.facts(list)
  local told = require("sys.json").array {}
  for i, each in ipairs(list) do
    told[i] = { verdict = each.rule.verdict, rule = each.rule.number, reason = each.rule.reason, effects = each.effects }
  end
  return told
end


--- The rule that decides about the question.
---@param decide function
---@param question policy.Question
---@return policy.Rule?
---@return boolean|string known_or_err  true: the tool, resource or prompt exists
function M.rule(decide, question)
  if question.effect then return M.effect_rule(decide, question), true end
  local subject, known = M.subject(question)
  local caller, args = caller_of(question), question.args or {}
  local function made(whose, given)
    local told = facts.new(whose, caller, nil, whose == subject and question.resource or nil, given)
    for i, name in ipairs(list_of(question.app) or {}) do
      told.about = told.about or {}
      told.about[i] = { name }
    end
    told.led = list_of(question.via)
    told.copied = list_of(question.from)
    return told
  end
  local rule = decide(subject, caller, nil, question.resource, args, made(subject, args))
  local strict, err = strictest(decide, subject, caller, args, rule, made)
  return strict, err or known
end


return M
