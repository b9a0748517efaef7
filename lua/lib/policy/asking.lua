--- Asks the person at the desktop about a call: through the client, by a page, by a dialog on the desktop, or on the terminal,
--- whichever is possible first.

local alone    = require "policy.alone"
local crypto   = require "sys.crypto"
local dialog   = require "policy.dialog"
local page     = require "policy.page"
local policy   = require "sys.policy"
local question = require "policy.question"
local quoting  = require "desktop.quoting"
local refusals = require "policy.refusals"
local s        = require "schema"
local task     = require "sys.task"
local terminal = require "sys.terminal"
local time     = require "sys.time"

local M = {}

local SECONDS = 120     -- seconds for an answer
local ABANDONED = 5     -- seconds without a client after which a question holds up no other call
local URI_MAX = 800     -- characters of a URI that are shown
local SERVER_MAX = 100  -- of a server's name
local VIA = 6           -- calls that led to the call, the nearest


---@class policy.Answer
---@field id "once"|"minutes"|"session"|"no"
---@field label string


--- True if each call is a question of its own.
local function only_once(rule) return #rule.per == 1 and rule.per[1] == "call" end


--- The minutes for which all rules can be allowed; nil: one of them asks each time.
---@param open policy.Open[]
---@return number?
function M.minutes_of(open)
  local least = math.huge
  for _, each in ipairs(open) do
    if only_once(each.rule) then return nil end
    least = math.min(least, each.rule.minutes)
  end
  return least
end


--- The possible answers. A caller without a connection that ends is not offered to allow until its end.
---@param open policy.Open[]
---@param caller table
---@return policy.Answer[]
local function answers(open, caller)
  local list, minutes = { { id = "once", label = "Allow once" } }, M.minutes_of(open)
  if minutes then
    list[2] = { id = "minutes", label = ("Allow for %g minute%s"):format(minutes, minutes == 1 and "" or "s") }
    if caller.kind == "client" or caller.kind == "agent" then
      list[3] = { id = "session", label = "Allow until it disconnects" }
    end
  end
  list[#list + 1] = { id = "no", label = "Do not allow" }
  return list
end


--- True for a completion: its arguments are the text so far, and the values of others. Those of other calls have names.
local function is_completion(facts) return not facts.effect and facts.subject.kind ~= "tool" and facts.args[1] ~= nil end


local function wanted(facts)
  if facts.effect then return require("policy.effect.sentence").of(facts) end
  if is_completion(facts) then
    return ("have an argument of %s completed"):format(facts.uri and question.shown_text(facts.uri, URI_MAX)
      or "the prompt " .. quoting.plain(facts.subject.name))
  end
  if facts.uri then return "read " .. question.shown_text(facts.uri, URI_MAX) end
  local name = quoting.plain(facts.subject.name)
  if facts.subject.kind == "prompt" then return "use the prompt " .. name end
  return facts.subject.trust == "foreign" and "use the foreign tool " .. name or "use " .. name
end


--- The calls that led to this one, the nearest first.
local function led_by(via)
  local some = {}
  for i = 1, math.min(#via, VIA) do some[i] = quoting.plain(via[i]) end
  if #via > VIA then some[VIA + 1] = ("%d more"):format(#via - VIA) end
  return table.concat(some, ", by ")
end


--- The arguments of the marked run that a question is asked for once; nil: there is none.
local function run_of(open, facts)
  local of_origin = false
  for _, each in ipairs(open) do of_origin = of_origin or each.rule.asks_of_origin end
  local marked = facts.effect and of_origin and facts.call and policy.given(facts.call) > 0
  return marked and require("policy.runs").args(facts.call) or nil
end


--- "the tool save of the server "far"": whose code has the effect.
local function doer(subject)
  local name = ("the %s%s %s"):format(subject.trust == "foreign" and "foreign " or "", subject.kind, quoting.plain(subject.name))
  return subject.mounted and ("%s of the server %s"):format(name, quoting.quote(subject.toolset, SERVER_MAX)) or name
end


--- The words about each rule, each once.
---@param open policy.Open[]
---@param between string
---@param said fun(each: policy.Open): string
local function said_once(open, between, said)
  local list, seen = {}, {}
  for _, each in ipairs(open) do
    local words = said(each)
    if not seen[words] then list[#list + 1] = words end
    seen[words] = true
  end
  return table.concat(list, between)
end


local function reasons_of(open)
  return said_once(open, ". Also: ", function(each) return each.rule.reason end)
end


--- The coverage of an answer for longer.
local function coverage_of(open)
  return said_once(open, "; and ", function(each) return each.wanted.covers end)
end


--- The text of the question: the caller and its wish, the reasons for the question, what will happen, the arguments, and what an
--- answer for longer than this call would allow.
---@param open policy.Open[]
---@param facts policy.Facts|policy.Effect
---@return string
function M.message(open, facts)
  local who = open[1].wanted.who
  local lines = { ("%s wants to %s."):format(who:gsub("^%l", string.upper), wanted(facts)),
    "Why you are asked: " .. reasons_of(open) .. "." }
  local via = facts:via()
  if facts.effect and facts.subject.name ~= "" then lines[#lines + 1] = ("It is done by %s."):format(doer(facts.subject)) end
  if #via > 0 then lines[#lines + 1] = "It is called by " .. led_by(via) .. "." end
  local details = facts.effect and require("policy.effect.sentence").details(facts)
  local completed = is_completion(facts) and { ["text so far"] = facts.args[1], ["other values"] = facts.args[2] } or nil
  local shown = (completed or not facts.uri) and question.text(details and {} or facts.subject,
    details or completed or facts.args) or ""
  if shown ~= "" then lines[#lines + 1] = shown end
  local for_what = facts.effect and require("policy.effect.sentence").arguments(facts)
  for_what = for_what and question.text({}, for_what) or ""
  if for_what ~= "" then
    lines[#lines + 1] = for_what:gsub("^Its arguments", ("Arguments of %s"):format(quoting.plain(facts.subject.name)))
  end
  local run = run_of(open, facts)
  if run then
    local name = quoting.plain(via[#via] or facts.subject.name)
    lines[#lines + 1] = ("The answer also holds for what %s does in this way after that, until it ends."):format(name)
    local args = question.text({}, run, nil, true):gsub("^Its arguments", ("Arguments of %s"):format(name))
    if args ~= "" then lines[#lines + 1] = args end
  end
  if M.minutes_of(open) then
    lines[#lines + 1] = ("Allowing it for longer covers: %s, for %s."):format(coverage_of(open), (who:gsub(",$", "")))
  end
  return table.concat(lines, "\n")
end


-- --- the turn -----------------------------------------------------------------------------------------

---@type table<string, policy.Turn>  by a capability's key
local turns = {}

---@class policy.Turn  the right to ask about capabilities; a value to close
---@field held? table<string, table>  the locks, by the capabilities' keys
---@field call Call
---@field same string  the call, as capability.call
---@field is_open? boolean  the client was asked
local Turn = {}
Turn.__index = Turn

function Turn:give_back()
  local held = self.held or {}
  self.held = nil
  for key, lock in pairs(held) do
    local _ <close> = lock
    if turns[key] == self then turns[key] = nil end
  end
end

Turn.__close = Turn.give_back


--- Asks the client by `fn`. If nobody is connected who could answer, the turn is given back after a while. The answer still
--- counts if it comes.
function Turn:while_open(fn)
  local held_watch <close> = task.spawn(function()
    local since
    while self.held do
      since = policy.away(self.call) and (since or time.monotonic()) or nil
      if since and time.monotonic() - since >= ABANDONED then return self:give_back() end
      time.sleep(0.5)
    end
  end)
  self.is_open = true
  local found = table.pack(fn())
  self.is_open = false
  return table.unpack(found, 1, found.n)
end


--- Waits until no other question about one of these capabilities is open: the answer to that may also be the answer to this one.
--- An open question about the same call, whose client is not connected, is superseded by this one.
---@param open policy.Open[]
---@param call? Call
---@return policy.Turn turn  a value to close
function M.turn(open, call)
  local keys, mine = {}, setmetatable({ held = {}, call = call, same = open[1].wanted.call }, Turn)
  for i, each in ipairs(open) do keys[i] = each.wanted.key end
  table.sort(keys)   -- two that wait for one another never hold each other up
  local held_if_whole <close> = setmetatable({}, { __close = function() if not keys.done then mine:give_back() end end })
  for _, key in ipairs(keys) do
    local before = turns[key]
    if before and before.is_open and before.same == mine.same and policy.away(before.call) then before:give_back() end
    mine.held[key] = task.lock("policy " .. key)
    turns[key] = mine
  end
  keys.done = true
  return mine
end


-- --- the ways ---------------------------------------------------------------------------------------

local function labels_of(list)
  local labels = {}
  for i, answer in ipairs(list) do labels[i] = answer.label end
  return labels
end


--- Reads the answer on the terminal: one of the labels, chosen by its number.
local function answered_on_terminal(message, labels, seconds, refused)
  local lines = { "", message }
  for i, label in ipairs(labels) do lines[#lines + 1] = ("  %d  %s"):format(i, label) end
  local prompt = table.concat(lines, "\n") .. ("\nYour answer (1 to %d): "):format(#labels)
  for _ = 1, 3 do
    local line, err, code = terminal.ask(prompt, seconds)
    if not line then return nil, err, code end
    local label = labels[tonumber(line:match "^%s*(%d)%s*$") or 0]
    if label == labels[#labels] then refused() end
    if label then return label end
    prompt = ("Type a number from 1 to %d: "):format(#labels)
  end
  refused()
  return nil, "what was typed is none of the answers", "dismissed"
end


--- Asks on the terminal, which may be a window on the desktop: no tool acts there meanwhile, so that none types the answer. After
--- three lines without one of the numbers the question counts as dismissed.
---@param message string
---@param labels string[]
---@param seconds number
---@param may_ask fun(): boolean?, string?, string?  called when it is its turn; nil, message, code: it does not ask
---@param refused fun()  called when the last of the labels is chosen, or none, while it is still its turn
---@return string? label
---@return string? err
---@return string? code  "dismissed", "timeout", "no_terminal", or that of `may_ask`
function M.on_terminal(message, labels, seconds, may_ask, refused)
  local held <close> = task.lock "the terminal"
  local ok, why, reason = may_ask()
  if not ok then return nil, why, reason end
  local found = table.pack(alone.during(function() return answered_on_terminal(message, labels, seconds, refused) end))
  if not found[1] then return nil, found[3], "no_terminal" end
  return table.unpack(found, 2, 4)
end


local function by_label(list, label)
  for _, answer in ipairs(list) do
    if answer.label == label then return answer.id end
  end
end


--- The ways to ask, tried in this order. A way that does not exist here returns nil and "none".
local WAYS = {}

--- A key for the question about this very call: if a client sends an answer again, it must not apply to another call.
local function key_of(open)
  local parts = { open[1].wanted.call }
  for i, each in ipairs(open) do parts[i + 1] = each.wanted.key end
  return "approval-" .. crypto.hex(assert(crypto.sha256(table.concat(parts, "\0")))):sub(1, 16)
end

--- Shows in clients with progress why nothing goes on.
local function say_waiting(call)
  if call then call:progress(0, nil, "Waiting for the user's approval") end
end

--- True for a command, which has no client. The other ways ask on the desktop before the terminal, because another program may
--- type the command.
local function is_command(caller) return caller.kind == "terminal" or caller.kind == "script" end

WAYS[1] = function(call, message, list, caller, tried)
  if caller.kind == "oauth" then
    return nil, "the subject of a token cannot approve its own calls", "none"
  end
  if is_command(caller) then return nil, "a command has no client that could ask", "none" end
  if not call then return nil, "no client made a call that it belongs to", "none" end
  if not call:can "ask" then return nil, "the client has no elicitation", "none" end
  say_waiting(call)
  local content, err, code = tried.turn:while_open(function()
    return call:ask { key = key_of(tried.open), timeout = SECONDS, message = message, schema = s.object {
      { "answer", s.enum(labels_of(list), "Your answer") } } }
  end)
  if content then return by_label(list, content.answer) or "no" end
  if code == "declined" or code == "dismissed" then return "no" end
  if code == "timeout" then return nil, ("the user did not answer within %d seconds"):format(SECONDS), "timeout" end
  tried.form_refused = code == "refused"
  return nil, "the client could not ask: " .. err, "none"
end

--- Asks on a page of ours, which the client opens for the user. A client that says "elicitation": {} and refuses a form may
--- mean this.
WAYS[2] = function(call, message, list, caller, tried)
  if caller.kind == "oauth" or is_command(caller) or not call or not call:can "url" and not tried.form_refused then
    return nil, "it opens no pages for the user", "none"
  end
  local label, err, code = tried.turn:while_open(function() return page.ask(call, message, labels_of(list), SECONDS) end)
  if label then return by_label(list, label) end
  if code == "dismissed" then return "no" end
  return nil, err, code == "timeout" and code or "none"
end

--- Makes a function that says whether the caller may still be asked about, after it waited for its turn on the desktop.
local function still(caller, open)
  return function()
    local left = refusals.left(caller, time.monotonic())
    if left then return nil, refusals.words(open[1].wanted.what, left), "refused_often" end
    return true
  end
end

WAYS[3] = function(call, message, list, caller, tried)
  if dialog.program() then say_waiting(call) end
  local label, err, code = dialog.ask(message, labels_of(list), SECONDS, still(caller, tried.open), tried.refused)
  if label then return by_label(list, label) end
  if code == "dismissed" then return "no" end
  return nil, err, code == "no_dialog" and "none" or code
end

--- Asks on the terminal, but not for a client that started this server in its own terminal: the client shows its own output
--- there.
WAYS[4] = function(_, message, list, caller, tried)
  if caller.kind == "client" or caller.kind == "agent" or caller.kind == "engine" then
    return nil, "there is no terminal to ask on", "none"
  end
  local label, err, code = M.on_terminal(message, labels_of(list), SECONDS, still(caller, tried.open), tried.refused)
  if label then return by_label(list, label) end
  if code == "dismissed" then return "no" end
  return nil, err, code == "no_terminal" and "none" or code
end


--- Asks the user, for all of these reasons at once.
---@param call? Call
---@param open policy.Open[]
---@param facts policy.Facts|policy.Effect
---@param turn policy.Turn
---@param refused fun()  called when the user says no, before another question may open
---@return "once"|"minutes"|"session"|"no"|nil answer
---@return string? why  the user did not answer, or cannot be asked
---@return string? code  "none", "timeout", "refused_often" (then `why` is the whole error)
function M.ask(call, open, facts, turn, refused)
  local list, reasons, tried = answers(open, facts.caller), {}, { open = open, turn = turn, refused = refused }
  local message = M.message(open, facts)
  for _, way in ipairs(WAYS) do
    local answer, err, code = way(call, message, list, facts.caller, tried)
    if answer then return answer end
    if code ~= "none" then return nil, err, code end
    reasons[#reasons + 1] = err
  end
  return nil, table.concat(reasons, "; "), "none"
end


return M
