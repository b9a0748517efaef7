--- The gate that every call passes before its code runs (src/registry/call/gate.h).
--
-- Nearly all calls are allowed at once. Code for the others is loaded when one comes.

local facts      = require "policy.facts"
local long       = require "policy.long"
local policy     = require "sys.policy"
local provenance = require "policy.provenance"

local NONE = {}

local LATEST = 64   -- calls whose arguments are known

-- The arguments of calls that act on the desktop or ask a model, for questions about what these do.
local memory = policy.memory()
memory.latest = memory.latest or { at = 0, roots = {}, args = {} }
local latest = memory.latest

--- True if a connection uses a session: its calls are recorded there (lua/lib/sessions).
local function in_sessions() return memory.in_sessions and memory.in_sessions[1] ~= nil end


--- True if a connection has a transaction: what its calls change is noted there (lua/lib/transactions).
local function in_transactions() return memory.transactions and memory.transactions[1] ~= nil end


-- Tools that show what is wrong work even without a policy.
local STILL = { engine_status = true, search_tools = true, describe_tool = true }


local function broken(subject, why)
  if subject.toolset == "engine" and STILL[subject.name] and subject.shipped then return nil end
  return ("No tool can be called, because the policy does not load: %s. Correct policy.lua; it takes effect when it is saved. "
    .. "`perigee policy check` checks it."):format(why)
end


--- The rules about other tools, for a tool that does their work without calling them.
---@return {rule: policy.Rule, told: policy.Facts}[]
local function others(decide, subject, caller, call, args)
  local list = {}
  for _, each in ipairs(subject.stands_for(args)) do
    local other = policy.subject("tool", each.tool)
    if other then
      local told = facts.new(other, caller, call, nil, each.args)
      told.about_as = each.about_as
      list[#list + 1] = { rule = decide(other, caller, call, nil, each.args, told), told = told }
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
    return ("The policy denies %s (%s%s)."):format(told.uri or told.subject.name, rule.reason,
      require("policy.consent").named(rule)), "denied"
  end
  local ok, why, code = require("policy.consent").ask(call, rule, told)
  if not ok then return why, code end
end


--- Does what a refused call may do all the same, and says it: a key that is held down can always be let go.
local function done_instead(subject, args)
  local lets_go = subject.shipped and subject.name == "create_input" and args.action == "key_up"
  return lets_go and require("policy.effect.typed").release(args.keys) and "The keys were let go all the same."
    or "Nothing was done."
end


--- The arguments for the rules where there is no table: a completion has the text so far, and the values of others. A read has
--- the URI once more, which they look at anyway.
local function given_of(uri, text, more)
  if type(text) ~= "string" or text == uri then return NONE end
  return { text, type(more) == "table" and more or nil }
end


local DEPTH = 8   -- levels of arguments
local LONG = 64   -- bytes of a text that is not looked through

--- True if the arguments have words that a result could be compared with: three in a row, or one that identifies something.
local function has_words(value, depth)
  if type(value) == "string" then
    if #value < 7 or #value > LONG then return #value > LONG end
    return value:find "[%s%d%p\x80-\xFF]" ~= nil and not value:find "^applications/[%d/windows]+$"
  end
  if type(value) ~= "table" or depth == 0 then return false end
  for _, each in pairs(value) do
    if has_words(each, depth - 1) then return true end
  end
  return false
end


local UNASKED = { terminal = true, script = true }

--- True if the arguments of a tool that acts have text from outside: the audit log then has only their lengths.
local function is_marked(subject, caller, args)
  return subject.kind == "tool" and subject.annotations.readOnlyHint ~= true and not UNASKED[caller.kind]
    and provenance.of(caller, args, true, subject)[1] ~= nil
end


--- The results of a call that brings text from outside. From now on it counts as read, by the calls that led to it as well.
---@param said table|false  the arguments, if their words are the caller's own
local function brought(call, subject, caller, sources, said, ...)
  local first, second, code, meta = ...
  if said and provenance.shows(subject) then first, second = require("policy.quoted").without(said, first, second) end
  local reads = provenance.reads(subject) or call:via()[1] ~= nil and require("policy.telling").tells(first, second)
  if reads then policy.brings(call, sources, true, provenance.server(subject)) end
  provenance.note(subject, caller, first, second, code, meta)
  return ...
end


--- The results of a call that has no text from outside of its own, but may have made them of what it was given or has read.
local function made(call, subject, caller, said, ...)
  if subject.toolset == "engine" then provenance.note_told(call, subject, caller, ...) end
  local bits, server, site = policy.brought(call)
  if bits == 0 then return ... end
  local first, second, code, meta = ...
  if said then first, second = require("policy.quoted").without(said, first, second) end
  provenance.note_made(bits, { mount = server, web = site }, subject, caller, first, second, code, meta)
  return ...
end


--- The results of a call that may go on.
local function done(call, subject, caller, sources, said, rule, run, args, ...)
  if policy.dry_run() then
    local dry = require "policy.dry_run"
    if sources > 0 then return brought(call, subject, caller, sources, said, dry.call(subject, call, rule, run, args, ...)) end
    return made(call, subject, caller, said, dry.call(subject, call, rule, run, args, ...))
  end
  if sources > 0 then return brought(call, subject, caller, sources, said, run(args, ...)) end
  return made(call, subject, caller, said, run(args, ...))
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
  local given = type(args) == "table" and args or given_of(uri, args, (...))
  local rule, told = decide(subject, caller, call, uri or nil, given)
  local why, code
  local marked = told and told:is_marked() or is_marked(subject, caller, given)
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
  if why and asked and in_sessions() then
    require("sessions.calls").decided(caller, subject, decision, rule.reason)
  end
  if why then return nil, require("sys.secrets").without(why .. " " .. done_instead(subject, given)), code end
  if subject.runs or subject.stands_for or subject.trust == "foreign" then
    local bits, server = provenance.run(caller, subject, given)
    provenance.said(caller, given, call, nil, subject.runs and bits == 0)
    policy.gives(call, bits, server)
    require("policy.runs").note(call, given)
  else provenance.said(caller, given, call, subject.about) end
  local sources, said = provenance.bits(subject), has_words(given, DEPTH) and policy.given(call) == 0 and given
  if sources > 0 then
    policy.brings(call, sources)
    local at = latest.at % LATEST + 1
    latest.at, latest.roots[at], latest.args[at] = at, policy.root(call), given
  end
  if not recorded and rule.stops then
    return nil, require("policy.consent").NOT_RECORDED:format(lost) .. " Nothing was done.", "not_recorded"
  end
  if in_sessions() or caller.kind == "agent" then
    local calls = require "sessions.calls"
    if asked then calls.decided(caller, subject, decision, rule.reason) end
    local entry <close> = calls.begin(call, subject, caller, given)
    local _ <close> = in_transactions() and not call:via()[1] and require("transactions.recorder").watch(call, caller) or nil
    return calls.ended(entry, call, subject, sources, done(call, subject, caller, sources, said, rule, run, args, ...))
  end
  return long.kept(call, subject, caller, given, sources, done(call, subject, caller, sources, said, rule, run, args, ...))
end


return guard
