--- Does several steps in one call, and stops at the first that does not hold.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local json       = require "sys.json"
local names      = require "desktop.names"
local s          = require "schema"
local steps      = require "elements.act.steps"
local target     = require "elements.find.target"
local tool       = require "elements.tools.shared"
local words      = require "elements.tools.step_words"

local MOST, SECONDS = 20, 30


--- Names the window's application in the arguments. The window may close on the way, and a verified element may be in another
--- window of the same application. The window keeps its resource name, because its title may change on the way.
local function with_application(args)
  if not args.window then return args end
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  args.application = args.application or names.application(place)
  args.bound = place.window
  return args
end


---@return elements.Step[]? list
---@return string? err
---@return string? code
local function read(args)
  local list = {}
  for i, given in ipairs(args.steps) do
    local step, err, code = steps.read(given, args.application)
    if not step then return nil, ("steps[%d]: %s"):format(i, err), code end
    list[i] = step
  end
  return list
end


---@param args {steps: table[], application?: string, window?: string, background?: boolean, timeout?: number}
---@param call Call
local function run(args, call)
  local placed, err, code = with_application(args)
  if not placed then return fail.with(err, code) end
  local list
  list, err, code = read(args)
  if not list then return fail.with(err, code) end
  local done, course = steps.run(list, args, args.timeout or SECONDS)
  local changes = steps.changes(course)
  local lines, facts = { words.headline(list, done) }, json.array {}
  for i, each in ipairs(done) do
    lines[i + 1] = words.line(i, each)
    facts[i] = { step = each.step, holds = each.holds, effect = each.effect, evidence = each.evidence, route = each.route,
      element = each.element, code = each.code and fail.code(each.code) or nil }
  end
  table.move(changes, 1, #changes, #lines + 1, lines)
  local whole = done[#done].holds
  return call:result {
    content = { { type = "text", text = table.concat(lines, "\n") } },
    structuredContent = { done = whole, stopped_at = not whole and #done or nil, steps = facts, changes = json.array(changes) },
  }
end


---@type Tool
return {
  title        = "Act in several steps",
  description  = "Do up to 20 steps in one call, and stop at the first that fails or does not hold. A step is one of find, "
              .. "click, double_click, drag, drop, set with value, menu, type, keys, wait, verify. A click without a seen effect "
              .. "stops only with must. Returns the evidence of each step and what changed in all.",
  inputSchema  = s.object {
    { "steps", s.array(words.STEP, "In order.", { minItems = 1, maxItems = MOST }) },
    tool.application, tool.window, tool.background,
    { "timeout", s.number("Longest time in seconds.", { optional = true, minimum = 1, maximum = words.LONGEST,
      default = SECONDS }) },
  },
  outputSchema = s.object {
    { "done", s.boolean "True if all steps hold." },
    { "stopped_at", s.integer("Number of the step that does not hold, from 1.", { optional = true }) },
    { "steps", s.array(s.object {
      { "step", s.enum(steps.NAMES) },
      { "holds", s.boolean() },
      { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "As of click_element.", { optional = true }) },
      { "evidence", s.string "What was read." },
      { "route", s.string("How it was done.", { optional = true }) },
      { "element", s.string("Its ref.", { optional = true }) },
      { "code", s.string("Of one that failed: as of the tool for it.", { optional = true }) },
    }, "Those that were begun.") },
    { "changes", s.array(s.string(), "What changed in all: + came, ~ changed, - went.") },
  },
  annotations  = tool.acting,
  keeps        = true,  -- the refs
  timeout      = 75,    -- the longest course of steps, and the looks after it
  codes        = fail.meanings("AMBIGUOUS_WINDOW_IDENTIFIER", "ELEMENT_NOT_FOUND", "INVALID_ARGUMENT", "WINDOW_NOT_FOUND"),

  stands_for = words.stands_for,
  about = { "focused", application = "application", window = "window",
    ["steps.drop"] = "program_path", ["steps.menu"] = "nothing" },
  run = beginnings.run(run),

  examples = {
    { "steps with their evidence, and what changed in all",
      shows = { { { 0, "window", "Notes" }, { 1, "checkbox", "Wrap", states = { checkable = true } } },
                { { 0, "window", "Notes" }, { 1, "checkbox", "Wrap", states = { checkable = true, checked = true } } } },
      args  = { steps = { { click = 'checkbox "Wrap"' }, { verify = { element = "checkbox", condition = "checked" } } } },
      has   = { 'All 2 steps are done.\n1 click checkbox "Wrap" by pointer at 112,172: confirmed, it is checked now\n'
                .. '2 verify: satisfied, e2 checkbox "Wrap"' },
      want  = { done = true, changes = { '~ e2 checkbox "Wrap" checked' } } },
    { "stops at the first that does not hold",
      shows = { { { 0, "window", "Notes" }, { 1, "entry", "Name", value = "Ada" } } },
      args  = { steps = { { find = "entry" }, { verify = { element = "entry", value = "Eve" } }, { keys = "ctrl+s" } } },
      has   = { "Stopped at step 2 of 3, which does not hold.", 'e2 entry "Name" holds "Ada", not "Eve"' },
      want  = { done = false, stopped_at = 2, changes = {} } },
    { "steps are checked before the first is done",
      args  = { steps = { { click = "button" }, { click = "button", keys = "ctrl+s" } } },
      err   = "steps[2]: A step does one thing, this one has click and keys", code = "INVALID_ARGUMENT" },
  },
}
