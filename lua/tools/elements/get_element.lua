--- One element, with all that is known of it.

local fail    = require "desktop.fail"
local json    = require "sys.json"
local s       = require "schema"
local target  = require "elements.find.target"
local tool    = require "elements.tool"
local values  = require "elements.choose.values"
local windows = require "desktop.windows"
local words   = require "elements.read.words"

local VALUE_MAX = 4000   -- characters


--- What it is in, from its window down.
local function path_of(node)
  local path, at = json.array {}, node.up
  while at do
    if not words.HOLDERS[at.role] or words.name(at) ~= "" then table.insert(path, 1, words.called(at)) end
    at = at.up
  end
  return path
end


local function all_states(node)
  local states = json.array {}
  for state in pairs(node.states) do states[#states + 1] = state end
  table.sort(states)
  return states
end


--- Its text, whole but for very long ones.
local function value_of(node)
  local value = values.read(node)
  if not value then return nil end
  local stop = utf8.offset(value, VALUE_MAX + 1)
  local cut = stop ~= nil and stop <= #value
  return cut and value:sub(1, stop - 1) or value, cut or nil
end


local function facts_of(found)
  local node = found.node
  local facts = tool.facts(node, found.place)
  facts.name = words.name(node)
  facts.value, facts.value_cut = value_of(node)
  facts.native, facts.all_states = words.clean(node.native), all_states(node)
  facts.description = node.description and words.clean(node.description)
  facts.actions, facts.path, facts.children = json.array(node.actions or {}), path_of(node), node.children
  if node.number then facts.least, facts.most, facts.step = node.least, node.most, node.step end
  return facts
end


local function text_of(node, facts)
  local lines = { tool.line(node), ("%s; states: %s"):format(facts.native, table.concat(facts.all_states, ", ")) }
  if #facts.actions > 0 then lines[#lines + 1] = "actions: " .. table.concat(facts.actions, ", ") end
  if facts.least then lines[#lines + 1] = ("%g to %g, step %g"):format(facts.least, facts.most, facts.step) end
  if #facts.path > 0 then lines[#lines + 1] = "in: " .. table.concat(facts.path, " > ") end
  if facts.bounds then
    lines[#lines + 1] = ("%dx%d at %d,%d"):format(facts.bounds.width, facts.bounds.height, facts.bounds.x, facts.bounds.y)
  end
  return table.concat(lines, "\n")
end


---@param args {element: string, application?: string, window?: string}
---@param call Call
local function run(args, call)
  args.reading = true
  local found, err, code = target.find(args)
  if not found then return fail.with(err, code) end
  local node
  node, err, code = target.renew(found.node)
  if not node then return fail.with(err, code) end
  local facts = facts_of(found)
  return call:result { content = { { type = "text", text = text_of(node, facts) } }, structuredContent = facts }
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
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.codes("ELEMENT_AMBIGUOUS", "ELEMENT_NOT_FOUND"),

  run = run,

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
