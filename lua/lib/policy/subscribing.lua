--- Decides about a subscription to a resource. The URI of a mounted server goes there at once, as that of a read does, but there
--- is no call that could wait for an answer of the user (src/registry/call/gate.h).

local facts  = require "policy.facts"
local policy = require "sys.policy"

local NONE = {}

local ASK = "Subscribing to %s needs the user's approval (%s%s), and a subscription cannot ask. Read the resource instead: "
  .. "then the user can be asked. The user can allow it with a rule in policy.lua. `perigee policy explain %s` names the rule "
  .. "that asks."


local SEVERITY = { allow = 1, ask = 2, deny = 3 }

--- The rule about what goes to the server, which is an effect as that of a read.
---@param told policy.Facts
---@return policy.Rule
local function effect_rule(decide, told)
  local uris = require "gateway.uris"
  local theirs = uris.theirs(uris.scheme(told.subject.toolset, {}), told.uri)
  local effect = require("policy.effect.facts").new("mount", "subscribe", told.subject, told.caller, nil, false, false, theirs)
  effect.copied = told:sources(false, nil, facts.question(false))
  return (decide "effects"("mount", effect, told.subject, told.caller))
end


---@param decide function|string  the policy's function (policy/compile.lua); a string: why there is none
---@param subject table
---@param caller table
---@param uri string
---@return string? why  nil: it may be subscribed to
---@return string? code
local function refusal(decide, subject, caller, uri)
  if type(decide) ~= "function" then
    return ("Nothing can be subscribed to, because the policy does not load: %s"):format(decide), "policy_broken"
  end
  local told = facts.new(subject, caller, nil, uri, NONE)
  local rule = decide(subject, caller, nil, uri, NONE, told)
  if subject.mounted then
    local other = effect_rule(decide, told)
    if SEVERITY[other.verdict] > SEVERITY[rule.verdict] then rule = other end
  elseif rule.verdict == "ask" then
    return nil   -- nothing goes anywhere, and it is told that something changed, not what
  end
  if rule.verdict == "allow" or rule.verdict == "ask" and policy.dry_run() then return nil end
  local named = require("policy.consent").named(rule)
  if rule.verdict == "deny" then
    return ("The policy denies subscribing to %s (%s%s)."):format(uri, rule.reason, named), "denied"
  end
  if rule.asks_of_host then require("policy.provenance").unname(caller, told:hosts()) end
  return ASK:format(uri, rule.reason, named, uri), "not_approved"
end


return refusal
