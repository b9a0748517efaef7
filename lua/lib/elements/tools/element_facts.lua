--- All facts of one element, as a table and as text.

local json   = require "sys.json"
local tool   = require "elements.tools.shared"
local values = require "elements.choose.values"
local words  = require "elements.read.words"

local M = {}
local VALUE_MAX = 4000   -- characters


--- The containers of the element, from its window down.
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


--- The element's text, complete unless it is very long; then also true.
local function value_of(node)
  local value = values.read(node)
  if not value then return nil end
  local stop = utf8.offset(value, VALUE_MAX + 1)
  local cut = stop ~= nil and stop <= #value
  return cut and value:sub(1, stop - 1) or value, cut or nil
end


---@param found {node: elements.Node, place: elements.Place}
---@return table facts
function M.of(found)
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


---@param node elements.Node
---@param facts table
---@return string
function M.text(node, facts)
  local lines = { tool.line(node), ("%s; states: %s"):format(facts.native, table.concat(facts.all_states, ", ")) }
  if #facts.actions > 0 then lines[#lines + 1] = "actions: " .. table.concat(facts.actions, ", ") end
  if facts.least then lines[#lines + 1] = ("%g to %g, step %g"):format(facts.least, facts.most, facts.step) end
  if #facts.path > 0 then lines[#lines + 1] = "in: " .. table.concat(facts.path, " > ") end
  if facts.bounds then
    lines[#lines + 1] = ("%dx%d at %d,%d"):format(facts.bounds.width, facts.bounds.height, facts.bounds.x, facts.bounds.y)
  end
  return table.concat(lines, "\n")
end


return M
