--- The user's consent to a call, or to an effect of one.

local approvals  = require "policy.approvals"
local asking     = require "policy.asking"
local capability = require "policy.capability"
local policy     = require "sys.policy"
local refusals   = require "policy.refusals"
local runs       = require "policy.runs"
local time       = require "sys.time"

local M = {}

--- The error where the log cannot be written and the policy stops such calls.
M.NOT_RECORDED = "The policy lets nothing pass that is not in the audit log, which could not be written: %s."

local AGAIN = 30   -- seconds that a refusal holds, so that the user is not asked the same again and again


--- The rule, for the end of a reason.
---@param rule policy.Rule
---@return string
function M.named(rule) return rule.number > 0 and ("; rule %d of the policy"):format(rule.number) or "" end


--- True if the user refused this a moment ago.
local function recent(key)
  local noes = policy.memory().noes
  local at = noes and noes[key]
  return at and time.monotonic() - at < AGAIN
end


local function note_no(key)
  local mine = policy.memory()
  if not mine.noes or (mine.count or 0) > 1000 then mine.noes, mine.count = {}, 0 end
  mine.noes[key], mine.count = time.monotonic(), mine.count + 1
end


--- Keeps the answer for later calls. If it cannot be kept, it holds for this call.
local function keep(answer, rule, wanted, caller)
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
    what = cut(told.effect and require("policy.effect.sentence").brief(told) or wanted.what), effect = told.effect,
    tool = told.effect and told.subject.name or nil,
    caller = { kind = caller.kind, name = cut(caller.name), subject = cut(caller.subject) }, rule = rule.number, holds = answer })
end


--- Writes the line about an effect that a rule denies.
---@param rule policy.Rule
---@param told policy.Effect
function M.record_denial(rule, told)
  local caller = told.caller
  policy.record("effect", { outcome = "denied", effect = told.effect, what = cut(require("policy.effect.sentence").brief(told)),
    tool = told.subject.name, rule = rule.number,
    caller = { kind = caller.kind, name = cut(caller.name), subject = cut(caller.subject) } })
end


--- The rule that the policy has for it by now: the file may have been saved while the user was asked, or while this question
--- waited for another one. nil: the policy does not load.
local function rule_now(call, told)
  local decide = policy.decider()
  if not decide then return nil end
  if told.effect then return (decide "effects"(told.effect, told, told.subject, told.caller, call)) end
  return (decide(told.subject, told.caller, call, told.uri, told.args, told))
end


--- True if the policy still allows it, or asks for the reason that the user was told.
---@return boolean
---@return string? why
---@return string? code
local function still_asks(call, rule, told)
  local now = rule_now(call, told)
  if now and (now.verdict == "allow" or now.verdict == "ask" and now.reason == rule.reason) then return true end
  if now and now.verdict == "deny" then
    return false, ("Meanwhile the policy was saved, and it denies this (%s%s)."):format(now.reason, M.named(now)), "denied"
  end
  return false, "Meanwhile the policy was saved, and the answer was to another question. Call it again.", "changed"
end


--- Asks the user, unless an approval covers it.
---@param call? Call  nil: a file of a server's does it by itself
---@param rule policy.Rule
---@param told policy.Facts|policy.Effect
---@return boolean? allowed
---@return string? why
---@return string? code
function M.ask(call, rule, told)
  if call and told.effect and runs.is_allowed(call, rule, told) and not told:has_new_text() then return true end
  if rule.asks_of_host then require("policy.provenance").unname(told.caller, told:hosts()) end
  if told.fetches then require("policy.provenance").unname(told.caller, told.fetches) end
  if call and told.effect and runs.is_refused(call, rule) then
    return nil, "The user refused this to the run before, and was not asked again.", "denied"
  end
  local wanted = capability.of(rule, told)
  if approvals.covers(wanted, told.caller) then return true end
  local turn <close> = asking.turn(wanted, call)
  if approvals.covers(wanted, told.caller) then return still_asks(call, rule, told) end
  local left = refusals.left(told.caller, time.monotonic())
  if left then return nil, refusals.words(wanted.what, left), "denied" end
  if recent(wanted.key) then
    return nil, ("The user refused %s less than %d seconds ago and was not asked again. Tell the user what you want to do.")
      :format(wanted.what, AGAIN), "denied"
  end
  local name = told.effect and "to let it " .. require("policy.effect.sentence").of(told) or wanted.what
  if told.effect == "process" or told.effect == "start" then told:fact "stamps" end   -- a file may be written meanwhile
  local noted = false
  local function refused()   -- called as soon as it is known: the next question opens when this one is over
    if noted then return end
    noted = true
    note_no(wanted.key)
    refusals.note(told.caller, time.monotonic())
    if call and told.effect and rule.asks_of_origin and policy.given(call) > 0 then runs.refuse(call, rule) end
  end
  local answer, why, code = asking.ask(call, rule, told, wanted, turn, refused)
  if answer == "no" then refused() end
  local recorded, lost = record(answer, code, rule, told, wanted)
  if not recorded and rule.stops then return nil, M.NOT_RECORDED:format(lost), "not_recorded" end
  if answer == "no" then return nil, ("The user refused %s."):format(name), "denied" end
  if code == "refused_often" then return nil, why, "denied" end
  if not answer then
    local way = code == "none" and (" The user can allow it with a rule in policy.lua. `perigee policy explain %s` names the "
      .. "rule that asks."):format(told.uri or told.effect or told.subject.name) or ""
    return nil, ("This call needs the user's approval: %s (%s%s). The user could not be asked: %s.%s"):format(name,
      rule.reason, M.named(rule), why, way), "not_approved"
  end
  local asks, meanwhile, changed_code = still_asks(call, rule, told)
  if not asks then return nil, meanwhile, changed_code end
  if told.effect then
    local same, changed = told:is_unchanged()
    if not same then return nil, changed, "changed" end
    if call and rule.asks_of_origin and policy.given(call) > 0 then runs.allow(call, rule, told) end
  end
  keep(answer, rule, wanted, told.caller)
  return true
end


return M
