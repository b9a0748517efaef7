--- The judge of effects: whatever is about to leave the engine comes here, from where it happens (src/sys/effects.h).
--
-- Nearly all effects are allowed at once. Code for the others is loaded when one comes.

local nobody = require "policy.effect.nobody"
local policy = require "sys.policy"
local task   = require "sys.task"

-- Effects that are remembered once they pass. Of input only those for which a rule reads facts: no other rule needs them.
local NOTES = {
  clipboard = function() return require "policy.effect.clipboard" end,
  file = function() return require "policy.effect.fetched" end,
  input = function() return require "policy.effect.typed" end,
  model = function() return require "policy.effect.remote" end,
  process = function() return require "policy.effect.printed" end,   -- only of tools that run what they are given
  start = function() return require "policy.effect.start" end,
}

-- Functions by which text is kept where other calls may read it.
local KEEPS = { clipboard = { write = true }, file = { append = true, write = true } }

-- Functions that write files.
local WRITTEN = { append = true, choose_file = true, copy = true, rename = true, write = true }
local UNASKED = { terminal = true, script = true }

-- Effects by which an application gets text that it may save.
local GIVES = { drop = true, input = true, press = true }

-- Effects by which code of others could answer a question of ours on the desktop. Input, windows and elements wait where they are
-- done, and so do those of the engine's own tools.
local ANSWERS = { message = true, mount = true, process = true, request = true, start = true }

local memory = policy.memory()


--- How much input was sent so far.
local function sent_so_far() return memory.sent and memory.sent.count or 0 end


--- Waits until no other input is between its last judgement and the queue of what is sent. Input is typed in the order in which
--- it was noted, so the judgement of one must know all that was noted before.
local function turn() return task.lock("the order of input " .. tostring(memory)) end   -- no file knows the name


--- Remembers an effect that passes, where later ones depend on it.
local function note(effect, told, approved)
  if NOTES[effect] then NOTES[effect]().note(told, approved) end
  if GIVES[effect] and effect ~= "input" and not approved and told.found then require("policy.effect.origin").note(told) end
  local may_give = GIVES[effect] and told.found and (told.found[1] or effect == "input" and told:fact("spec").chord)
  if may_give then require("policy.effect.fetched").note_application(told) end
end


local deciders = setmetatable({}, { __mode = "k" })


-- Functions that only read what servers have.
local READS = { ["client:get_prompt"] = true, ["client:read"] = true }


--- "What it did before stays done: input.type."
local function done_before(told)
  local names, times, left = {}, {}, 0
  if told.call then names, times, left = policy.done(told.call) end
  local list = {}
  for i, name in ipairs(names) do
    left = left - times[i]
    if not READS[name] then
      list[#list + 1] = times[i] > 1 and ("%s (%d times)"):format(name, times[i]) or name
    end
  end
  if left > 0 then list[#list + 1] = ("%d more"):format(left) end
  return list[1] and ("What it did before stays done: %s."):format(table.concat(list, ", ")) or "Nothing was done."
end


--- The message without values of `.env`: what is denied may be made of one that its caller does not know.
local function without(message) return require("sys.secrets").without(message) end


--- Decides an effect that a rule asks about or denies.
---@param rule policy.Rule
---@param told policy.Effect
---@return true? passes
---@return string? why
---@return string? code
local function settled(rule, told)
  if rule.verdict == "ask" and policy.dry_run() then   -- it is done to the copy of the desktop, or not at all
    require("policy.dry_run").would_ask(told.subject, rule)
    return true
  end
  local consent = require "policy.consent"
  if rule.verdict == "deny" then
    consent.record_denial(rule, told)
    if rule.asks_of_host then require("policy.provenance").unname(told.caller, told:hosts()) end
    if told.fetches then require("policy.provenance").unname(told.caller, told.fetches) end
    return nil, without(("The policy does not let it %s (%s%s). %s"):format(consent.deed(told), rule.reason,
      consent.named(rule), done_before(told))), "denied"
  end
  local ok, why, code = consent.ask(told.call, rule, told)
  if ok then return true end
  return nil, without(why .. " " .. done_before(told)), code
end


--- True for keys that are let go, which is never refused.
local function lets_go(how, first)
  return how == "key_up" or how == "send" and type(first) == "table" and first.kind == "key_up"
end


--- True for a picture that goes into no file.
local function saves_nothing(how, first) return how == "capture" and not (type(first) == "table" and first.path) end


--- Is what is done the engine's own while a user is asked? It is until the value is closed.
local function own_until_closed(own)
  own(true)
  return setmetatable({}, { __close = function() own(false) end })
end


---@param own fun(flag: boolean): boolean  its result: what it was
local function judge_with(own)
  memory.own = own
  ---@param decide function|string  the policy's function (policy/compile.lua); a string: why there is none
  ---@param subject? table
  ---@param caller table
  ---@param call? Call
  ---@param effect string
  ---@param how string     the function that is called
  ---@param unknown boolean  it cannot be told which window gets the input
  ---@param ... any        its arguments
  ---@return true? passes
  ---@return boolean|string? why  if it passes: true if all of the kind do, for this subject and this caller
  ---@return string|integer? code  if it passes: the window that may get the input; nil: any
  local function judge(decide, subject, caller, call, effect, how, unknown, ...)
    if type(decide) ~= "function" then return true end   -- the call's own guard has refused it
    if saves_nothing(how, ...) then return true end
    local of_effects = deciders[decide]
    if not of_effects then
      of_effects = decide "effects"
      deciders[decide] = of_effects
    end
    subject = subject or nobody
    if how == "connect" and (...).url then effect = "request" end
    if effect == "input" and lets_go(how, ...) then   -- also within a turn: see policy.effect.held
      NOTES.input().note(require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...), false)
      return true
    end
    if memory.held and next(memory.held) then require("policy.effect.held").before(effect, own) end
    local may_answer = call and ANSWERS[effect] and not subject.shipped
    if may_answer then require("policy.alone").wait((...)) end
    local child = effect == "process" and how == "write" and require "policy.effect.child"
    if child and child.is_helper(subject, (...)) then return true end
    local before = effect == "input" and sent_so_far()
    local rule, told = of_effects(effect, how, subject, caller, call, unknown, ...)
    if effect == "record" then
      told = told or require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...)
      rule = require("policy.effect.record").never(told) or rule
    elseif effect == "python" then
      told = told or require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...)
      rule = require("policy.effect.record").of_others(subject) or rule
    end
    if before and told and rule.verdict == "allow" then
      local _ <close> = turn()
      if sent_so_far() ~= before then   -- other input came first: it may have begun the line that this one completes
        before = sent_so_far()
        rule, told = of_effects(effect, how, subject, caller, call, unknown, ...)
      end
      if rule.verdict == "allow" then
        note(effect, told, false)
        return true, nil, told.goes_to
      end
    end
    local keeps = call and KEEPS[effect] and KEEPS[effect][how]
    if rule.verdict == "allow" then
      if keeps and policy.given(call) > 0 then
        told = told or require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...)
        require("policy.effect.kept").note(told)
      end
      if child and told then child.note(told, false) end
      if GIVES[effect] and told and effect ~= "input" then note(effect, told, false) end
      local is_lost = effect == "file" and (not WRITTEN[how] or UNASKED[caller.kind])
      local is_noted = NOTES[effect] and (effect ~= "process" or subject.runs)
      if is_lost or not is_noted or effect == "input" and not told then
        if keeps then return true end   -- another call of the kind may be of a marked run
        return true, not told and how ~= "connect" and not may_answer, told and told.goes_to   -- its kind: by what it connects to
      end
      note(effect, told or require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...), false)
      return true, nil, told and told.goes_to
    end
    local _ <close> = own_until_closed(own)
    told = told or require("policy.effect.facts").new(effect, how, subject, caller, call, unknown, ...)
    local ok, why, code = settled(rule, told)
    local after <close> = ok and before and turn() or nil
    if after and sent_so_far() ~= before then
      ok, why = told:is_unchanged()
      if not ok then return nil, why .. " " .. done_before(told), "changed" end
    end
    if ok then note(effect, told, true) end
    if ok and child then child.note(told, true) end
    if ok and keeps then require("policy.effect.kept").note(told) end
    return ok, why, ok and told.goes_to or code
  end
  return function(...)
    if memory.transactions and memory.transactions[1] then return require("transactions.recorder").around(judge, ...) end
    return judge(...)
  end
end


return judge_with
