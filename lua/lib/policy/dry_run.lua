--- A call in a dry run: on the desktop it acts on a copy, and elsewhere it only says what it would do.
--
-- The gate sends every call of a tool here, whatever its origin, so all answers are worded in this one place. C code that could
-- still change something (files, programs, other machines) refuses to do so itself (src/base/dry_run.h).

local files = require "sys.files"
local json  = require "sys.json"

local M = {}

local PREFIX = "Dry run: "

-- Toolsets whose tools act only through the desktop's worker, which has the copy.
local ON_COPY = { desktop = true, elements = true, screen = true }

--- True for a macro, and for the tool that runs one: all that they do is calls of tools, each of which comes here.
local function is_macro(subject)
  if subject.toolset ~= "macros" or subject.mounted or subject.trust then return false end
  if subject.shipped then return subject.name == "execute_macro" end
  local tool = files.table("tool", subject.name)
  return tool ~= nil and tool._meta ~= nil and tool._meta["perigee/macro"] ~= nil
end


local VERDICTS = { confirmed = true, partial = true, none_seen = true }

local IN_COPY = "in the copy of the desktop: "
local UNKNOWN, STEP = "Effect unknown; " .. IN_COPY, ": effect unknown; " .. IN_COPY

--- Phrases of the tools' results, and the phrases that are true in a dry run.
local SAID = {
  { "Confirmed: ", UNKNOWN }, { "Partial: ", UNKNOWN }, { "No effect seen: ", UNKNOWN }, { "Unknown effect: ", UNKNOWN },
  { ": confirmed, ", STEP }, { ": partial, ", STEP }, { ": none seen, ", STEP }, { ": unknown, ", STEP },   -- the tool act
  { "Saved to ", "Would be saved to " },
  { "Sent, but the frontmost application has not confirmed it; take a screenshot to check.", "Nothing was sent." },
}

local LONG = 2000   -- bytes of arguments that are shown


local function arguments(args)
  local text = json.encode(next(args) ~= nil and args or json.object {}) or "its arguments"
  return #text > LONG and text:sub(1, utf8.offset(text, 0, LONG) - 1) .. "..." or text
end


--- A note that the policy would ask the user. No user is asked about a call that is not made.
local function asked(rule)
  return rule.verdict == "ask" and (" The policy would ask the user first (%s)."):format(rule.reason) or ""
end


local function would_call(call, subject, rule, args)
  return call:result {
    content = { { type = "text", text = ("%swould call %s with %s.%s"):format(PREFIX, subject.name, arguments(args),
      asked(rule)) } },
    structuredContent = { dry_run = true, tool = subject.name, arguments = json.object(args) },
  }
end


--- Marks effects in a result as unknown, because the effect on a real application is not known.
local function doubt(value)
  if type(value) ~= "table" then return end
  local seen = VERDICTS[value.effect] and (value.effect_evidence and "effect_evidence" or value.evidence and "evidence")
  if VERDICTS[value.effect] then value.effect = "unknown" end
  if seen then value[seen] = IN_COPY .. value[seen] end
  for _, member in pairs(value) do doubt(member) end
end


local function worded(text, note)
  for _, each in ipairs(SAID) do text = text:gsub(each[1], each[2]) end
  if text:sub(1, #PREFIX) == PREFIX then return text end
  return PREFIX .. text .. note
end


--- The results of an acting tool, in the words of a dry run.
local function told(note, result, ...)
  if type(result) == "string" then return worded(result, note), ... end
  if type(result) ~= "table" then return result, ... end
  if result.content then doubt(result.structuredContent) else doubt(result) end
  local first = type(result.content) == "table" and result.content[1]
  if first and first.type == "text" and not result.isError then first.text = worded(first.text, note) end
  return result, ...
end


--- The arguments without the wait for an effect, because nothing happens in a dry run; and a note about it.
---@return table args
---@return string note
local function without_wait(args)
  if type(args) ~= "table" or type(args.wait) ~= "table" then return args, "" end
  local copy = {}
  for key, value in pairs(args) do copy[key] = value end
  copy.wait = nil
  return copy, (" Then it would wait for %s."):format(arguments(args.wait))
end


local questions = setmetatable({}, { __mode = "k" })   -- subject -> the rule that would have asked about an effect of its call

--- Notes that the user would be asked about an effect of this tool's call.
---@param subject sys.policy.Subject
---@param rule policy.Rule
function M.would_ask(subject, rule) questions[subject] = questions[subject] or rule end


--- The results of a call on the copy, with what the policy would have asked.
local function on_copy(subject, rule, note, ...)
  local of_effect = questions[subject]
  questions[subject] = nil
  return told(note .. asked(rule.verdict == "ask" and rule or of_effect or rule), ...)
end


---@param subject sys.policy.Subject
---@param call Call
---@param rule policy.Rule
---@param run function
---@param args any
function M.call(subject, call, rule, run, args, ...)
  if subject.kind ~= "tool" or subject.annotations.readOnlyHint == true then return run(args, ...) end
  -- Calls that the tool makes also come here.
  if subject.shipped and (subject.toolset == "engine" or subject.toolset == "console") then return run(args, ...) end
  if is_macro(subject) then return run(args, ...) end
  if not (subject.shipped and ON_COPY[subject.toolset]) then return would_call(call, subject, rule, args) end
  local rest, note = without_wait(args)
  return on_copy(subject, rule, note, run(rest, ...))
end


return M
