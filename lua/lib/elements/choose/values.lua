--- The values that elements hold.

local choices = require "elements.choose.options"
local dates   = require "elements.choose.dates"
local element = require "sys.element"
local opened  = require "elements.choose.opened"

local M = {}

local TEXT_MAX = 100001   -- characters that are read back: one more than can be written


M.field = choices.field


--- The field in a number, list or date that takes no value itself, as those of Swing; nil: it has none.
---@param node elements.Node
---@return elements.Node?
function M.editor(node)
  if node.role ~= "spin" or node.abilities.write or node.states.editable then return nil end
  return choices.field_below(node)
end


local ROWS = { cell = true, listitem = true, row = true, treeitem = true }

--- True for a cell or row whose text is its name, as in Qt, which has an action to toggle for all of them.
---@param node elements.Node
---@return boolean
function M.is_named(node)
  local can, toggles = node.abilities, false
  for _, name in ipairs(ROWS[node.role] and node.actions or {}) do toggles = toggles or name == "Toggle" end
  return toggles and not (can.read or can.write or can.count)
end


--- The complete value that it holds now; nil: it reports none.
---@param node elements.Node
---@return string?
function M.read(node)
  if node.role == "password" then return nil end
  local date, untold = dates.entry(node)
  if date or untold then return dates.held(node) end
  node = M.field(node) or node
  local options = node.role == "combobox" and not node.abilities.write and choices.of(node)
  if options and options.before then return options.before end
  if options == nil then
    local shown, has_button = opened.shown(node)
    if has_button then return shown end   -- the value of the box is its label
  end
  local part = node.role == "spin" and not node.states.editable
  if node.abilities.read and node.role ~= "slider" and not part then   -- browsers give sliders and parts of dates empty text
    local text = element.text(node.id, { to = TEXT_MAX })
    if text then return text.text end
  end
  local fresh = element.get { node.id }
  if fresh and not fresh[1].gone and M.is_named(node) then return fresh[1].name end
  return fresh and not fresh[1].gone and fresh[1].value or nil
end


return M
