--- Makes the tools that do one thing to a window: find it, act, and report the effect.

local aftermath = require "elements.act.aftermath"
local fail      = require "desktop.fail"
local front     = require "desktop.tools.front"
local names     = require "desktop.names"
local s         = require "schema"
local waiting   = require "desktop.tools.waiting"
local window    = require "sys.window"
local windows   = require "desktop.windows"

local M = {}


--- The result: the observed effect, not the requested one.
local RESULT = s.object {
  { "name", s.string "The window's resource name." },
  { "done", s.boolean "True if the whole effect was observed." },
  { "note", s.string("If done is false: what happened instead.", { optional = true }) },
  { "before", windows.rect_schema "Bounds before, in points." },
  { "after", windows.rect_schema("Bounds now; absent if the window is gone.", { optional = true }) },
  { "focused", s.boolean "True if the window has keyboard focus now." },
  { "gone", s.boolean "True if the window no longer exists." },
  { "states", s.array(s.string(), "Current states.") },
  aftermath.members[1], aftermath.members[2], aftermath.members[3],
  waiting.member,
}


local function same_rect(a, b)
  return a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height
end


--- "it is 640x480 at 0,0 (was 800x600 at 0,0), focused"
local function seen(outcome)
  if outcome.gone then return "it is gone" end
  local parts = { "it is " .. windows.rect(outcome.after) }
  if not same_rect(outcome.before, outcome.after) then
    parts[1] = ("%s (was %s)"):format(parts[1], windows.rect(outcome.before))
  end
  parts[#parts + 1] = outcome.focused and "focused" or "not focused"
  parts[#parts + 1] = outcome.front   -- of focus only
  for _, state in ipairs(windows.states(outcome)) do parts[#parts + 1] = state end
  return table.concat(parts, ", ")
end


--- The effect, as the window system shows it. The elements add changes in the application: a window that asks a question before
--- it closes has done something.
---@param tool desktop.WindowTool
---@param outcome sys.window.Outcome
---@param told? elements.Effect
---@return elements.Effect
local function effect_of(tool, outcome, told)
  local effect, evidence = "none_seen", outcome.note or "the effect was not observed"
  local closing = tool.verb == "close"
  local reacted = closing and told and (told.effect == "confirmed" or told.effect == "partial")
  local asks = closing and evidence:find(" shows ", 1, true)   -- then the note of close() names the dialog
  if outcome.done then
    effect, evidence = "confirmed", seen(outcome)
  elseif outcome.silent then
    effect = "unknown"
  elseif outcome.gone or outcome.front or reacted or asks or not same_rect(outcome.before, outcome.after) then
    effect = "partial"
    if reacted then evidence = ("%s; %s"):format(evidence, told.evidence) end
  end
  return { effect = effect, evidence = evidence, changes = told and told.changes }
end


local function text_of(did, name, outcome)
  if outcome.done then return ("%s %s: %s."):format(did, name, seen(outcome)) end
  return ("Not done: %s. %s: %s."):format(outcome.note or "the effect was not observed", name, seen(outcome))
end


--- Looks whether a focused window is in front.
---@param ref sys.window.Ref
---@param outcome sys.window.Outcome
local function see_front(ref, outcome)
  local behind
  outcome.front, behind = front.look(ref)
  if behind then outcome.done, outcome.note = false, "the window manager gave it keyboard focus, and did not raise it" end
end


---@param tool desktop.WindowTool
---@param args table
---@param call Call
local function act(tool, args, call)
  local ref, err, code = names.find_window(args.window)
  if not ref then return fail.with(err, code) end
  local after = aftermath.begin(ref, args.diff)
  local values = {}
  for i, parameter in ipairs(tool.takes or {}) do values[i] = args[parameter[1]] end
  local outcome
  outcome, err, code = window[tool.verb](ref, table.unpack(values))
  local name = names.window(ref)
  if not outcome then
    if code == "window_not_found" then err = select(2, names.window_gone(name)) end
    return fail.with(err, code)
  end
  if tool.verb == "focus" and outcome.done then see_front(ref, outcome) end
  local facts = { name = name, done = outcome.done, note = outcome.note, before = outcome.before, after = outcome.after,
    focused = outcome.focused, gone = outcome.gone, states = windows.states(outcome) }
  local effect = effect_of(tool, outcome, aftermath.finish(after))
  aftermath.add(facts, effect)
  local text = table.concat({ text_of(tool.did, name, outcome), table.unpack(effect.changes or {}) }, "\n")
  return call:result { content = { { type = "text", text = text } }, structuredContent = facts }
end


---@class desktop.WindowTool
---@field title string
---@field description string
---@field verb string            the function of sys.window
---@field did string             the beginning of the answer: "Moved"
---@field takes? table[]         parameters besides the window, in the order in which the function takes them
---@field destructive? boolean
---@field listed? boolean        the same as in a tool
---@field examples ToolExample[]

local function parameters(tool)
  local list = { windows.parameter, table.unpack(tool.takes or {}) }
  list[#list + 1] = aftermath.parameter
  list[#list + 1] = waiting.parameter
  return list
end


---@param tool desktop.WindowTool
---@return Tool
function M.new(tool)
  return {
    title        = tool.title,
    description  = tool.description,
    inputSchema  = s.object(parameters(tool)),
    outputSchema = RESULT,
    annotations  = { readOnlyHint = false, destructiveHint = tool.destructive or false, idempotentHint = true,
                     openWorldHint = false },
    listed       = tool.listed,
    codes        = fail.acting("AMBIGUOUS_WINDOW_IDENTIFIER", "INVALID_ARGUMENT", "NOT_SUPPORTED",
      "PERMISSION_DENIED_ACCESSIBILITY", "WINDOW_NOT_FOUND"),
    about        = { window = "window" },
    run          = waiting.run(function(args, call) return act(tool, args, call) end),
    examples     = tool.examples,
  }
end


--- The examples of a tool that puts a window into a state: it succeeds, and the window is gone.
---@param verb string
---@param states table<string, true>  the states that sys.window reports afterwards
---@param says string                 the answer
---@return ToolExample[]
function M.examples(verb, states, says)
  local frame = { x = 10, y = 20, width = 640, height = 480 }
  local outcome = { before = frame, after = frame, done = true, gone = false, focused = false }
  local given = { ["sys.window.get"] = { pid = 7, started = 1, id = 9 }, ["sys.window." .. verb] = outcome }
  local did = { "window.get id=9 pid=7 started=0", "window." .. verb .. " id=9 pid=7 started=1" }
  if verb == "focus" then given["sys.window.list"], did[3] = { { id = 9, frame = frame } }, "window.list" end
  for name, holds in pairs(states) do outcome[name] = holds end
  return {
    { "reports what was observed afterwards",
      given = given,
      args  = { window = "applications/7/windows/9" },
      has   = { says },
      want  = { name = "applications/7/windows/9", done = true, gone = false },
      did   = did },

    { "says so when the window is gone",
      given = { ["sys.window.get"] = { n = 3, false, "window 9 no longer exists", "window_not_found" } },
      args  = { window = "applications/7/windows/9" },
      err   = "Window applications/7/windows/9 no longer exists. Call list_windows",
      code  = "WINDOW_NOT_FOUND" },
  }
end


return M
