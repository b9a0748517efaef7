--- The gate that every call passes before its code runs (src/registry/call/gate.h).
--
-- Nearly all calls are allowed at once. Code for the others is loaded when one comes.

local facts      = require "policy.facts"
local policy     = require "sys.policy"
local provenance = require "policy.provenance"
local state      = require "sys.state"
local time       = require "sys.time"

local NONE = {}

local NOT_RECORDED = "The policy lets nothing pass that is not in the audit log, which could not be written: %s."

local AGAIN = 30   -- seconds that a refusal holds, so that the user is not asked the same again and again

-- Tools that show what is wrong work even without a policy.
local STILL = { engine_status = true, search_tools = true, describe_tool = true }


local function broken(subject, why)
  if subject.toolset == "engine" and STILL[subject.name] and subject.shipped then return nil end
  return ("No tool can be called, because the policy does not load: %s. Correct policy.lua; it takes effect when it is saved. "
    .. "`perigee policy check` checks it."):format(why)
end


local function named(rule) return rule.number > 0 and ("; rule %d of the policy"):format(rule.number) or "" end


--- True if the user refused this a moment ago.
local function recent(key)
  local noes = state.open "policy".noes
  local at = noes and noes[key]
  return at and time.monotonic() - at < AGAIN
end


local function note_no(key)
  local mine = state.open "policy"
  if not mine.noes or (mine.count or 0) > 1000 then mine.noes, mine.count = {}, 0 end
  mine.noes[key], mine.count = time.monotonic(), mine.count + 1
end


--- Keeps the answer for later calls. If it cannot be kept, it holds for this call.
local function keep(answer, approvals, rule, wanted, caller)
  if answer == "once" then return end
  local ok, err = approvals.give(wanted, caller, answer == "minutes" and rule.minutes * 60 or nil)
  if not ok then require("sys.log").warn(("the approval of %s holds for this call only: %s"):format(wanted.what, err)) end
end


local SHOWN = 500   -- bytes of text in the audit log

local function cut(text) return text and #text > SHOWN and text:sub(1, utf8.offset(text, 0, SHOWN) - 1) .. "…" or text end


--- Writes the line about a question to the audit log.
---@return true? ok
---@return string? err
local function record(answer, code, rule, told, wanted)
  local caller = told.caller
  return policy.record("approval", { outcome = not answer and code or answer == "no" and "refused" or "given",
    what = cut(wanted.what), caller = { kind = caller.kind, name = cut(caller.name), subject = cut(caller.subject) },
    rule = rule.number, holds = answer })
end


---@return boolean? allowed
---@return string? why
---@return string? code
local function approved(call, rule, told)
  local approvals, asking = require "policy.approvals", require "policy.asking"
  local wanted = require("policy.capability").of(rule, told)
  if approvals.covers(wanted, told.caller) then return true end
  local turn <close> = asking.turn(wanted, call)
  if approvals.covers(wanted, told.caller) then return true end
  local refusals = require "policy.refusals"
  local left = refusals.left(told.caller, time.monotonic())
  if left then return nil, refusals.words(wanted.what, left), "denied" end
  if recent(wanted.key) then
    return nil, ("The user refused %s less than %d seconds ago and was not asked again. Tell the user what you want to do.")
      :format(wanted.what, AGAIN), "denied"
  end
  local answer, why, code = asking.ask(call, rule, told, wanted, turn)
  local recorded, lost = record(answer, code, rule, told, wanted)
  if not recorded and rule.stops then return nil, NOT_RECORDED:format(lost), "not_recorded" end
  if answer == "no" then
    note_no(wanted.key)
    refusals.note(told.caller, time.monotonic())
    return nil, ("The user refused %s."):format(wanted.what), "denied"
  end
  if code == "refused_often" then return nil, why, "denied" end
  if not answer then
    local way = code == "none" and (" The user can allow it with a rule in policy.lua. `perigee policy explain %s` names the "
      .. "rule that asks."):format(told.uri or told.subject.name) or ""
    return nil, ("This call needs the user's approval: %s (%s%s). The user could not be asked: %s.%s"):format(wanted.what,
      rule.reason, named(rule), why, way), "not_approved"
  end
  keep(answer, approvals, rule, wanted, told.caller)
  return true
end


--- The rules about other tools, for a tool that does their work without calling them.
---@return {rule: policy.Rule, told: policy.Facts}[]
local function others(decide, subject, caller, call, args)
  local list = {}
  for _, each in ipairs(subject.stands_for(args)) do
    local other = policy.subject("tool", each.tool)
    if other then
      local rule, told = decide(other, caller, call, nil, each.args)
      list[#list + 1] = { rule = rule, told = told or facts.new(other, caller, call, nil, each.args) }
    end
  end
  return list
end


--- True for a call that a dry run only describes, so that it needs no approval. A call that only reads is made even there.
local function is_only_told(subject)
  return policy.dry_run() and subject.kind == "tool" and subject.annotations.readOnlyHint ~= true
end


--- The error that the caller gets; nil: the call may go on.
---@return string? why
---@return string? code
local function refusal(call, rule, told)
  if rule.verdict == "allow" or rule.verdict == "ask" and is_only_told(told.subject) then return nil end
  if rule.verdict == "deny" then
    return ("The policy denies %s (%s%s)."):format(told.uri or told.subject.name, rule.reason, named(rule)), "denied"
  end
  local ok, why, code = approved(call, rule, told)
  if not ok then return why, code end
end


---@param decide function|string  the policy's function (policy/compile.lua); a string: why there is none
---@param subject table   the tool, resource or prompt that is called
---@param caller table    the caller
---@param call Call
---@param uri string|false  the URI of a resource that is read
---@param run function
---@param args any
local function guard(decide, subject, caller, call, uri, run, args, ...)
  if type(decide) ~= "function" then
    local why = broken(subject, decide)
    policy.decided(call, why and "policy_broken" or "allow", 0)
    if why then return nil, why, "policy_broken" end
    return run(args, ...)
  end
  local given = type(args) == "table" and args or NONE
  local rule, told = decide(subject, caller, call, uri or nil, given)
  local why, code
  local marked = told and told:is_marked()
  if rule.verdict ~= "allow" or subject.stands_for then
    why, code = refusal(call, rule, told or facts.new(subject, caller, call, uri or nil, given))
    for _, each in ipairs(not why and subject.stands_for and others(decide, subject, caller, call, given) or NONE) do
      why, code = refusal(call, each.rule, each.told)
      marked = marked or each.told:is_marked()
      if why or rule.verdict == "allow" and each.rule.verdict == "ask" then rule = each.rule end
      if why then break end
    end
  end
  local asked = rule.verdict == "ask" and not is_only_told(subject)
  local decision = not why and (asked and "approved" or "allow") or code == "denied" and "deny" or code
  local recorded, lost = policy.decided(call, decision, rule.number, marked)
  if why then return nil, why .. " Nothing was done.", code end
  provenance.said(caller, given)
  local sources = provenance.bits(subject)
  if sources > 0 then policy.brings(call, sources) end
  if not recorded and rule.stops then
    return nil, NOT_RECORDED:format(lost) .. " Nothing was done.", "not_recorded"
  end
  if policy.dry_run() then
    local dry = require "policy.dry_run"
    if sources > 0 then return provenance.note(subject, caller, dry.call(subject, call, rule, run, args, ...)) end
    return dry.call(subject, call, rule, run, args, ...)
  end
  if sources > 0 then return provenance.note(subject, caller, run(args, ...)) end
  return run(args, ...)
end


return guard
