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
---@param minutes? number  nil: until the connection ends
local function keep(wanted, caller, minutes)
  local ok, err = approvals.give(wanted, caller, minutes and minutes * 60)
  if not ok then require("sys.log").warn(("the approval of %s holds for this call only: %s"):format(wanted.what, err)) end
end


local SHOWN = 500   -- bytes of text in the audit log

local BRIEF = 200   -- and in an error before its reason, because errors of functions of sys have 500

local function cut(text, most)
  most = most or SHOWN
  return text and #text > most and text:sub(1, utf8.offset(text, 0, most) - 1) .. "…" or text
end


--- The deed of an effect, for an error.
---@param told policy.Effect
---@return string
function M.deed(told) return cut(require("policy.effect.sentence").of(told), BRIEF) end


local function rules_in(open)
  local list = {}
  for i, each in ipairs(open) do list[i] = each.rule.number end
  return #list > 1 and list or nil
end


--- The IDs of the approvals that an answer gives; nil: it holds for this call.
local function ids_given(answer, open, caller)
  if answer ~= "minutes" and answer ~= "session" then return nil end
  local list = {}
  for i, each in ipairs(open) do list[i] = approvals.id(each.wanted, caller, answer == "session") end
  return list
end


--- Writes the line about a question to the audit log.
---@return true? ok
---@return string? err
local function record(answer, code, open, told)
  local caller = told.caller
  return policy.record("approval", { outcome = not answer and code or answer == "no" and "refused" or "given",
    what = cut(told.effect and require("policy.effect.sentence").brief(told) or open[1].wanted.what), effect = told.effect,
    tool = told.effect and told.subject.name or nil,
    caller = { kind = caller.kind, name = cut(caller.name), subject = cut(caller.subject) }, rule = open[1].rule.number,
    rules = rules_in(open), ids = ids_given(answer, open, caller), holds = answer })
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


--- The rules that the policy has for it by now: the file may have been saved while the user was asked, or while this question
--- waited for another one. nil: the policy does not load.
---@return policy.Rule? rule   that decides
---@return policy.Rule[]? asks  all that ask, if it asks
local function rules_now(call, told)
  local decide = policy.decider()
  if not decide then return nil end
  local rule
  if told.effect then
    rule = decide "effects"(told.effect, told, told.subject, told.caller, call)
  else
    rule = decide(told.subject, told.caller, call, told.uri, told.args, told)
  end
  return rule, rule.verdict == "ask" and decide "asks"(told) or {}
end


---@class policy.Open  a rule that asks, and what an answer to it is about
---@field rule policy.Rule
---@field wanted policy.Capability

--- True if the run that the effect belongs to is one about which an answer holds until it ends.
local function is_marked_run(call, rule, told)
  return call ~= nil and told.effect ~= nil and rule.asks_of_origin and policy.given(call) > 0
end


--- True if the user allowed the run before what this rule asks about.
local function is_allowed_run(call, rule, told)
  return call ~= nil and told.effect ~= nil and runs.is_allowed(call, rule, told) and not told:has_new_text()
end


--- The rules that nothing answers yet: no approval, and no answer for the run. Two of the same words are one.
---@return policy.Open[]
local function open_of(call, rules, told)
  local list, seen = {}, {}
  for _, rule in ipairs(rules) do
    local wanted = not is_allowed_run(call, rule, told) and capability.of(rule, told)
    if wanted and not seen[wanted.key] and not approvals.covers(wanted, told.caller) then
      seen[wanted.key] = true
      list[#list + 1] = { rule = rule, wanted = wanted }
    end
  end
  return list
end


--- True if the policy still allows it, or asks for no reason but those that were answered.
---@param call? Call
---@param answered table<string, boolean>  by reason
---@param told policy.Facts|policy.Effect
---@return boolean
---@return string? why
---@return string? code
local function still_asks(call, answered, told)
  local now, asks = rules_now(call, told)
  if now and now.verdict == "allow" then return true end
  if now and now.verdict == "deny" then
    return false, ("Meanwhile the policy was saved, and it denies this (%s%s)."):format(now.reason, M.named(now)), "denied"
  end
  local changed = not now
  for _, rule in ipairs(asks or {}) do changed = changed or not answered[rule.reason] end
  if not changed then return true end
  return false, "Meanwhile the policy was saved, and the answer was to another question. Call it again.", "changed"
end


--- A key for all that a question is about: a refusal is one of all its reasons together.
local function key_of(open)
  local keys = {}
  for i, each in ipairs(open) do keys[i] = each.wanted.key end
  return table.concat(keys, "\0")
end


--- The error of a call whose question is not put, because the user refused enough. nil: it is put.
local function refused_before(call, open, told)
  for _, each in ipairs(open) do
    if call and told.effect and runs.is_refused(call, each.rule) then
      return "The user refused this to the run before, and was not asked again."
    end
  end
  local left = refusals.left(told.caller, time.monotonic())
  if left then return refusals.words(cut(open[1].wanted.what, BRIEF), left) end
  if recent(key_of(open)) then
    return ("The user refused %s less than %d seconds ago and was not asked again. Tell the user what you want to do.")
      :format(cut(open[1].wanted.what, BRIEF), AGAIN)
  end
end


--- A function to call as soon as it is known that the user refused: the next question opens when this one is over.
local function refusing(call, open, told)
  local noted = false
  return function()
    if noted then return end
    noted = true
    note_no(key_of(open))
    for _, each in ipairs(open) do
      if is_marked_run(call, each.rule, told) then runs.refuse(call, each.rule) end
    end
    refusals.note(told.caller, time.monotonic())
  end
end


--- Keeps the answer, for all rules that it is about. One that holds for a marked run holds there for each of its reasons.
local function accept(answer, call, open, told)
  local of_run = false
  for _, each in ipairs(open) do of_run = of_run or is_marked_run(call, each.rule, told) end
  for _, each in ipairs(open) do
    if of_run then runs.allow(call, each.rule, told) end
    if answer ~= "once" then keep(each.wanted, told.caller, answer == "minutes" and asking.minutes_of(open) or nil) end
  end
end


--- The rules that ask. The first is the one that decided.
local function rules_of(call, rule, told)
  local _, asks = rules_now(call, told)
  if asks and asks[1] and asks[1].reason == rule.reason then return asks end
  return { rule }   -- the policy was saved meanwhile: an answer is checked by it in any case
end


--- Asks the user for all reasons at once that no approval answers.
---@param call? Call  nil: a file of a server's does it by itself
---@param rule policy.Rule  the first that asks
---@param told policy.Facts|policy.Effect
---@return boolean? allowed
---@return string? why
---@return string? code
function M.ask(call, rule, told)
  local rules, answered = rules_of(call, rule, told), {}
  for _, each in ipairs(rules) do answered[each.reason] = true end
  local open = open_of(call, rules, told)
  if not open[1] then return true end
  if told.fetches then require("policy.provenance").unname(told.caller, told.fetches) end
  for _, each in ipairs(open) do
    if each.rule.asks_of_host then require("policy.provenance").unname(told.caller, told:hosts()) end
  end
  local held_clock <close> = policy.pause()   -- another question may be open, to which this call cannot add anything
  local turn <close> = asking.turn(open, call)
  open = open_of(call, rules, told)
  if not open[1] then return still_asks(call, answered, told) end
  local left = refused_before(call, open, told)
  if left then return nil, left, "denied" end
  local name = told.effect and "to let it " .. M.deed(told) or open[1].wanted.what
  if told.effect then told:note_before() end
  local refused = refusing(call, open, told)
  local is_over, state = false, capability.state_of(told.subject)
  local _ <close> = setmetatable({}, { __close = function()   -- its call may be cancelled while the question is shown
    if not is_over then record(nil, "cancelled", open, told) end
  end })
  local answer, why, code = asking.ask(call, open, told, turn, refused)
  is_over = true
  if answer == "no" then refused() end
  local recorded, lost = record(answer, code, open, told)
  if not recorded and rule.stops then return nil, M.NOT_RECORDED:format(lost), "not_recorded" end
  if answer == "no" then return nil, ("The user refused %s."):format(name), "denied" end
  if code == "refused_often" then return nil, why, "denied" end
  if not answer then
    local way = code == "none" and (" The user can allow it with a rule in policy.lua. `perigee policy explain %s` names the "
      .. "rule that asks."):format(told.uri or told.effect or told.subject.name) or ""
    return nil, ("This call needs the user's approval: %s (%s%s). The user could not be asked: %s.%s"):format(name,
      open[1].rule.reason, M.named(open[1].rule), why, way), "not_approved"
  end
  local asks, meanwhile, changed_code = still_asks(call, answered, told)
  if not asks then return nil, meanwhile, changed_code end
  if capability.state_of(told.subject) ~= state then
    return nil, ("While the user was asked, %s came to be another one, so nothing was done. Call it again."):format(
      told.subject.name), "changed"
  end
  if told.effect then
    local same, changed = told:is_unchanged()
    if not same then return nil, changed, "changed" end
  end
  accept(answer, call, open, told)
  return true
end


return M
