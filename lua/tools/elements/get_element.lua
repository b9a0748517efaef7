--- One element, with all facts about it.

local beginnings    = require "desktop.beginnings"
local element_facts = require "elements.tools.element_facts"
local fail          = require "desktop.fail"
local s             = require "schema"
local target        = require "elements.find.target"
local tool          = require "elements.tools.shared"
local windows       = require "desktop.windows"


---@param args {element: string, application?: string, window?: string}
---@param call Call
local function run(args, call)
  args.reading = true
  local found, err, code = target.find(args)
  if not found then return fail.with(err, code) end
  local node
  node, err, code = target.renew(found.node)
  if not node then return fail.with(err, code) end
  local facts = element_facts.of(found)
  return call:result { content = { { type = "text", text = element_facts.text(node, facts) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Get an element",
  description  = "Get one element in full: value, states, actions, bounds, limits and what it is in. To find it, use "
              .. "find_elements.",
  inputSchema  = s.object { tool.element, tool.application, tool.window },
  outputSchema = s.object {
    { "ref", s.string() }, { "role", s.string() }, { "name", s.string() },
    { "value", s.string("Whole, up to 4,000 characters.", { optional = true }) },
    { "value_cut", s.boolean("True if it is longer.", { optional = true }) },
    { "states", s.array(s.string(), "The most important ones.", { optional = true }) },
    { "all_states", s.array(s.string(), "All that are set.") },
    { "native", s.string "What its system calls the role." },
    { "description", s.string(nil, { optional = true }) },
    { "actions", s.array(s.string(), "For perform_element_action.") },
    { "path", s.array(s.string(), "What it is in, from its window down.") },
    { "children", s.integer("How many elements it claims to hold.", { optional = true }) },
    { "bounds", windows.rect_schema("In points.", { optional = true }) }, { "window", s.string(nil, { optional = true }) },
    { "least", s.number(nil, { optional = true }) }, { "most", s.number(nil, { optional = true }) },
    { "step", s.number(nil, { optional = true }) },
  },
  annotations  = tool.annotations,
  keeps        = true,  -- the refs
  codes        = tool.codes("ELEMENT_AMBIGUOUS", "ELEMENT_NOT_FOUND"),

  about = { "focused", element = "element", application = "application", window = "window" },
  run = beginnings.run(run),

  examples = {
    { "a slider, with its limits",
      shows = { { { 0, "window", "Notes" },
                  { 1, "slider", "Zoom", number = 100, value = "100", least = 50, most = 200, step = 10 } } },
      args  = { element = 'slider "Zoom"' },
      want  = { ref = "e2", value = "100", least = 50, most = 200, path = { 'window "Notes"' } },
      has   = { "50 to 200, step 10" } },
    { "several fit: each is listed with its ref",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "button", "Undo" } } }, args = { element = "button" },
      err   = 'button matches 2 elements. Pass the ref of one, or add in, near or nth:\n  e2 button "Save" in window "Notes"',
      code  = "ELEMENT_AMBIGUOUS" },
    { "none fits: the nearest are named",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } } }, args = { element = 'button "Svae"' },
      err   = 'No element matches button "Svae". Nearest:\n  e2 button "Save"', code = "ELEMENT_NOT_FOUND" },
  },
}
