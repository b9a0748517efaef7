--- Compiles a policy.lua to the function that decides about calls.
--
-- The rules are tried from first to last, and the first that fits decides. Conditions that do not depend on a call's arguments
-- are evaluated only once for each tool and caller, so that most calls cost two lookups.

local facts = require "policy.facts"
local rule  = require "policy.rule"

local WEAK = { __mode = "k" }
local UNASKED = { terminal = true, script = true }
local OTHERWISE = { allow = true, ask = true, deny = true }


--- The rules that may fit calls of this subject by this caller, up to the first that certainly decides; with `effect`, those for
--- such an effect of its calls. A rule that asks does not end the list: others that ask may have reasons of their own.
local function candidates(policy, subject, caller, effect)
  local found = {}
  for _, each in ipairs(policy.rules) do
    local about
    if not effect then about = each.calls
    elseif each.effects == true then about = effect ~= "record"   -- which a rule has to name
    else about = each.effects and each.effects[effect] end
    if about and each.static(subject, caller) then
      found[#found + 1] = each
      if not each.dynamic and each.verdict ~= "ask" then return found end
    end
  end
  local asks = effect == "record" and not UNASKED[caller.kind]
  found[#found + 1] = asks and policy.last_of_recordings or effect and policy.last_of_effects or policy.last
  return found
end


local MOST = 200   -- callers of a tool whose rules are kept: clients choose their names

local keys = setmetatable({}, WEAK)

--- The parts of a caller that rules can test, as text. Some clients have a caller for each request.
local function key_of(caller)
  local name, subject = caller.name, caller.subject   -- with their lengths: they may contain anything
  local key = ("%s %d %d %s %s"):format(caller.kind, name and #name or -1, subject and #subject or -1, name or "", subject or "")
  keys[caller] = key
  return key
end


--- True if a call fails when it cannot be written to the audit log.
local function stops_of(audit)
  for key in pairs(audit or {}) do
    if key ~= "unwritten" then error(("audit: unknown key '%s' (did you mean 'unwritten'?)"):format(tostring(key)), 0) end
  end
  local word = audit and audit.unwritten or "go_on"
  if word ~= "go_on" and word ~= "stop" then error(("audit.unwritten: \"go_on\" or \"stop\", not \"%s\""):format(word), 0) end
  return word == "stop"
end


--- The lists of rules for subjects, each found once: (subject, caller) -> rules.
local function finder(policy, effect)
  local known = setmetatable({}, WEAK)
  return function(subject, caller)
    local key = keys[caller] or key_of(caller)
    local of_subject = known[subject]
    if not of_subject or of_subject.count > MOST then
      of_subject = { count = 0, lists = {} }
      known[subject] = of_subject
    end
    local list = of_subject.lists[key]
    if not list then
      list = candidates(policy, subject, caller, effect)
      of_subject.lists[key], of_subject.count = list, of_subject.count + 1
    end
    return list
  end
end


--- The function that decides about an effect. Its facts are made only where a rule reads them.
local function decider_of_effects(policy)
  local finders = setmetatable({}, { __index = function(self, effect)
    self[effect] = finder(policy, effect)
    return self[effect]
  end })
  return function(effect, how, subject, caller, call, unknown, ...)   -- how: also its facts, if they are known
    local list, told = finders[effect](subject, caller), nil
    for i = 1, #list do
      local each = list[i]
      if not each.dynamic then return each, told end
      told = told or type(how) == "table" and how
        or require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...)
      if each.holds(told) then return each, told end
    end
  end
end


--- The rules that ask about one call or effect: the first that fits, and those after it up to one that allows or denies.
---@param list policy.Rule[]
---@param told policy.Facts|policy.Effect
---@return policy.Rule[]
local function asking_rules(list, told)
  local found = {}
  for _, each in ipairs(list) do
    local is_last = each.number == 0
    if is_last and found[1] then break end
    if not each.dynamic or each.holds(told) then
      if each.verdict ~= "ask" then break end
      found[#found + 1] = each
    end
  end
  return found
end


---@param given table   the value that the file returned
---@return fun(subject: table|string, caller: table, call?: Call, uri?: string, args: table, told?: policy.Facts): policy.Rule,
---  policy.Facts?   with "effects" alone: the function that decides about these; with "candidates": that which gives their rules;
---  with "asks": that which gives all rules that ask about something
local function compile(given)
  if given.otherwise and not OTHERWISE[given.otherwise] then
    error(("otherwise: \"allow\", \"ask\" or \"deny\", not \"%s\""):format(given.otherwise), 0)
  end
  local policy, stops = { rules = {} }, stops_of(given.audit)
  for i, each in ipairs(given.rules) do policy.rules[i] = rule.compile(each, i, stops) end
  for key in pairs(given.rules) do
    if math.type(key) ~= "integer" or key < 1 or key > #policy.rules then
      error(("rules: expected a list, without the key '%s'"):format(tostring(key)), 0)
    end
  end
  policy.last = { number = 0, verdict = given.otherwise or "ask", reason = "no rule of the policy allows it", per = { "tool" },
    minutes = 15, dynamic = false, stops = stops }
  policy.last_of_effects = { number = 0, verdict = "allow", reason = "", per = { "tool" }, minutes = 15, dynamic = false,
    stops = stops }
  -- A policy that is older than this effect, or does not name it, lets nobody begin one unasked.
  policy.last_of_recordings = { number = 0, verdict = "ask", reason = "it sees all that is typed, passwords too",
    per = { "call" }, minutes = 15, dynamic = false, stops = stops }
  local rules_for, of_effects = finder(policy), decider_of_effects(policy)
  return function(subject, caller, call, uri, args, told)
    if subject == "effects" then return of_effects end
    if subject == "candidates" then return function(effect, whose, by) return candidates(policy, whose, by, effect) end end
    if subject == "asks" then
      return function(whose)
        local list = whose.effect and candidates(policy, whose.subject, whose.caller, whose.effect)
          or rules_for(whose.subject, whose.caller)
        return asking_rules(list, whose)
      end
    end
    local list = rules_for(subject, caller)
    for i = 1, #list do
      local each = list[i]
      if not each.dynamic then return each, told end
      told = told or facts.new(subject, caller, call, uri, args)
      if each.holds(told) then return each, told end
    end
  end
end


return compile
