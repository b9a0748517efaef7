--- Does several steps in one call, and stops at the first that does not hold.

local fail       = require "desktop.fail"
local json       = require "sys.json"
local looks      = require "testing.interface"
local names      = require "desktop.names"
local predicates = require "elements.check.predicates"
local s          = require "schema"
local steps      = require "elements.act.steps"
local target     = require "elements.find.target"
local tool       = require "elements.tool"

local MOST, SECONDS, LONGEST = 20, 30, 55


--- A window may close on the way, and what is verified may be in another one: that of the same application.
local function with_application(args)
  if args.application or not args.window then return args end
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  args.application = names.application(place)
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


--- `2 click button "Save" by action click: confirmed, dialog "Save As" came`
local function line_of(i, done)
  local head = ("%d %s%s"):format(i, done.step, done.text ~= "" and " " .. done.text or "")
  if done.route then head = head .. " by " .. done.route end
  local effect = done.effect and done.effect:gsub("_", " ") .. ", " or ""
  return ("%s: %s%s"):format(head, done.code and not done.effect and "failed, " or effect, done.evidence)
end


local function headline(list, done)
  local last = done[#done]
  if last.holds then return #done == 1 and "The step is done." or ("All %d steps are done."):format(#done) end
  return ("Stopped at step %d of %d, which does not hold."):format(#done, #list)
end


---@param args {steps: table[], application?: string, window?: string, timeout?: number}
---@param call Call
local function run(args, call)
  local placed, err, code = with_application(args)
  if not placed then return fail.with(err, code) end
  local list
  list, err, code = read(args)
  if not list then return fail.with(err, code) end
  local done, course = steps.run(list, args, args.timeout or SECONDS)
  local changes = steps.changes(course)
  local lines, facts = { headline(list, done) }, json.array {}
  for i, each in ipairs(done) do
    lines[i + 1] = line_of(i, each)
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


-- The tool that does the same as a step of this kind, and what its argument is called there.
local TOOLS = { find = { "get_element", "element" }, click = { "click_element", "element" },
  double_click = { "click_element", "element" }, set = { "write_element_value", "element" },
  menu = { "select_menu_item", "path" }, type = { "create_input", "text" }, keys = { "create_input", "keys" } }


--- For the policy (docs/policy.md), which may deny some of them. Waits and checks only look.
local function stands_for(args)
  local list = {}
  for _, step in ipairs(args.steps) do
    for kind, is in pairs(TOOLS) do
      if step[kind] ~= nil then
        list[#list + 1] = { tool = is[1], args = { [is[2]] = step[kind], value = step.value, application = args.application,
          window = args.window, action = is[1] == "create_input" and kind or nil } }
      end
    end
  end
  return list
end


local function element_of(description) return s.string(description, { optional = true, minLength = 1, maxLength = 1000 }) end

local WAIT = { table.unpack(predicates.PARAMETERS) }
WAIT[#WAIT + 1] = { "timeout", s.number("Seconds.", { optional = true, minimum = 0, maximum = LONGEST, default = 10 }) }

local STEP = s.object {
  { "find", element_of "Must match one." },
  { "click", element_of "Ref or selector." },
  { "double_click", element_of "Ref or selector." },
  { "set", element_of "With value. Stops if another value is read back." },
  { "value", s.string(nil, { optional = true, maxLength = 100000 }) },
  { "menu", s.string('As "File > Save As...".', { optional = true, minLength = 1, maxLength = 1000 }) },
  { "type", s.string("Text, where the focus is.", { optional = true, minLength = 1, maxLength = 10000 }) },
  { "keys", s.string("As ctrl+s.", { optional = true, minLength = 1, maxLength = 100 }) },
  { "wait", s.brief(s.object(WAIT, "Until a predicate of verify holds; its timeout: 10 s.", { optional = true })) },
  { "verify", s.brief(s.object(predicates.PARAMETERS, "A predicate of verify has to hold.", { optional = true })) },
  { "must", s.boolean("Also stop if no effect is seen.", { optional = true }) },
}


local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "checkbox", "Wrap", states = { checkable = true } },
  { 1, "entry", "Name", value = "Ada", states = { editable = true } } }
local WRAPPED = { FORM[1], FORM[2], { 1, "checkbox", "Wrap", states = { checkable = true, checked = true } }, FORM[4] }
local NAMED = { FORM[1], FORM[2], WRAPPED[3], { 1, "entry", "Name", value = "Eve", states = { editable = true } } }
local SAVED = { NAMED[1], NAMED[2], NAMED[3], NAMED[4], { 1, "label", "Saved" } }

--- An application that changes as it is worked with.
local function notes(more)
  local rows = FORM
  return looks.with(looks.stubs(FORM), looks.with({
    ["sys.window.changed"] = "1",
    ["sys.element.tree"] = function() return looks.tree(rows) end,
    ["sys.element.get"] = function(ids) return { looks.tree(rows).nodes[ids[1]] } end,
    ["sys.element.text"] = function(id)
      local text = looks.tree(rows).nodes[id].value
      return { text = text, length = #text, from = 0, to = #text }
    end,
    ["sys.element.act"] = function(id)
      rows = id == 3 and WRAPPED or id == 4 and NAMED or SAVED
      return { agreed = true, route = "stub" }
    end,
    ["sys.input.send"] = function()
      rows = SAVED
      return { pointer = { x = 0, y = 0 }, sent = 4, characters = 0, settled = true, route = "xtest" }
    end,
    ["desktop.read_back.before"] = false, ["desktop.read_back.forget"] = false,
  }, more or {}))
end


---@type Tool
return {
  title        = "Act in several steps",
  description  = "Do up to 20 steps in one call, and stop at the first that fails or does not hold. A step is one of find, "
              .. "click, double_click, set with value, menu, type, keys, wait, verify. A click without a seen effect stops only "
              .. "with must. Returns the evidence of each step and what changed in all.",
  inputSchema  = s.object {
    { "steps", s.array(STEP, "In order.", { minItems = 1, maxItems = MOST }) },
    tool.application, tool.window,
    { "timeout", s.number("Longest time in seconds, of all.", { optional = true, minimum = 1, maximum = LONGEST,
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
  timeout      = 75,    -- the longest course, and the looks after it
  codes        = fail.meanings("AMBIGUOUS_WINDOW_IDENTIFIER", "ELEMENT_NOT_FOUND", "INVALID_ARGUMENT", "WINDOW_NOT_FOUND"),

  stands_for = stands_for,
  run = run,

  examples = {
    { "steps with their evidence, and what changed in all",
      given = notes(),
      args  = { steps = { { click = 'checkbox "Wrap"' }, { set = 'entry "Name"', value = "Eve" }, { keys = "ctrl+s" },
                { wait = { text = "Saved", timeout = 2 } }, { verify = { element = "entry", value = "Eve" } } } },
      has   = { "All 5 steps are done.\n1 click checkbox \"Wrap\" by action click: confirmed, it is checked now\n"
                .. '2 set entry "Name" by text: confirmed, the value was read back\n'
                .. '3 keys ctrl+s by xtest: confirmed, label "Saved" came\n'
                .. '4 wait 0.0 s: satisfied, e5 label "Saved", in window "Notes"\n'
                .. '5 verify: satisfied, e4 entry "Name" holds "Eve"\n'
                .. '+ e5 label "Saved"\n~ e3 checkbox "Wrap" checked\n~ e4 entry "Name" ="Eve"' },
      want  = { done = true, changes = { '+ e5 label "Saved"', '~ e3 checkbox "Wrap" checked', '~ e4 entry "Name" ="Eve"' } } },
    { "an item of a menu that is not there",
      given = notes {}, args = { steps = { { find = "entry" }, { menu = "Fils > Save" } } },
      has   = { '2 menu: failed, The application shows no menu, and no button "Fils".' },
      want  = { done = false, stopped_at = 2, steps = { { holds = true }, { step = "menu", code = "ELEMENT_NOT_FOUND" } } } },
    { "stops at the first that does not hold",
      given = notes(),
      args  = { steps = { { click = 'checkbox "Wrap"' }, { verify = { element = "entry", value = "Eve" } },
                { keys = "ctrl+s" } } },
      has   = { 'Stopped at step 2 of 3, which does not hold.', '2 verify: unsatisfied, e4 entry "Name" holds "Ada", not "Eve"' },
      want  = { done = false, stopped_at = 2, changes = { '~ e3 checkbox "Wrap" checked' } } },
    { "an element that is not there",
      given = notes(), args = { steps = { { find = 'button "Sve"' }, { keys = "ctrl+s" } } },
      has   = { '1 find: failed, No element matches button "Sve". Nearest:\n  e2 button "Save"' },
      want  = { done = false, stopped_at = 1, steps = { { step = "find", holds = false, code = "ELEMENT_NOT_FOUND" } } } },
    { "a click without a seen effect goes on",
      given = notes { ["sys.element.act"] = { agreed = true, route = "stub" } },
      args  = { steps = { { click = 'button "Save"' }, { find = "entry" } } },
      want  = { done = true, steps = { { effect = "none_seen", holds = true }, { holds = true, element = "e4" } } } },
    { "unless it must have one",
      given = notes { ["sys.element.act"] = { agreed = true, route = "stub" } },
      args  = { steps = { { click = 'button "Save"', must = true }, { find = "entry" } } },
      want  = { done = false, stopped_at = 1, steps = { { effect = "none_seen", holds = false } }, changes = {} } },
    { "a value that is not taken as it was written",
      given = notes { ["sys.element.act"] = { agreed = true, route = "stub" }, ["sys.input.click"] = { sent = 2 },
        ["sys.input.keys"] = { sent = 4 }, ["sys.input.type"] = { sent = 6 } },
      args  = { steps = { { set = "entry", value = "Eve" }, { keys = "ctrl+s" } } },
      want  = { done = false, stopped_at = 1, steps = { { effect = "none_seen" } } } },
    { "text into an application that tells nothing of itself",
      given = notes { ["sys.element.tree"] = { n = 3, false, "Tk runs without a tree", "no_tree" } },
      args  = { steps = { { type = "hello" } } },
      want  = { done = true, steps = { { effect = "unknown", holds = true,
                evidence = "what came of it cannot be read: Tk runs without a tree" } } } },
    { "steps are checked before the first is done", given = {},
      args  = { steps = { { click = "button" }, { click = "button", keys = "ctrl+s" } } },
      err   = "steps[2]: A step does one thing, this one has click and keys", code = "INVALID_ARGUMENT" },
    { "a step of nothing", given = {}, args = { steps = { { must = true } } }, err = "A step needs one of find, click",
      code  = "INVALID_ARGUMENT" },
  },
}
