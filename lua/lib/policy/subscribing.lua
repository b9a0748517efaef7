--- Decides about a subscription to a resource of a mounted server: its URI goes to the server at once, as that of a read does,
--- but there is no call that could wait for an answer of the user (src/registry/call/gate.h).

local facts  = require "policy.facts"
local policy = require "sys.policy"

local NONE = {}

local ASK = "Subscribing to %s needs the user's approval (%s%s), and a subscription cannot ask. Read the resource instead: "
  .. "then the user can be asked. The user can allow it with a rule in policy.lua. `perigee policy explain %s` names the rule "
  .. "that asks."


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
  local rule, told = decide(subject, caller, nil, uri, NONE)
  if rule.verdict == "allow" or rule.verdict == "ask" and policy.dry_run() then return nil end
  local named = require("policy.consent").named(rule)
  if rule.verdict == "deny" then
    return ("The policy denies subscribing to %s (%s%s)."):format(uri, rule.reason, named), "denied"
  end
  if rule.asks_of_host then
    told = told or facts.new(subject, caller, nil, uri, NONE)
    require("policy.provenance").unname(caller, told:hosts())
  end
  return ASK:format(uri, rule.reason, named, uri), "not_approved"
end


return refusal
