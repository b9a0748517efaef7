--- The name of a dialog: its title, otherwise its first text. Many alerts have no title.

local element = require "sys.element"
local quoting = require "desktop.quoting"
local words   = require "elements.read.words"

local M = {}

local NAME_MAX = 60      -- characters
local ANSWERS = 0.3      -- seconds for its application to answer

local DIALOGS = { dialog = true, alert = true }
local SAYS = { heading = true, label = true, paragraph = true }
local LISTS = { list = true, table = true, tree = true }   -- texts in these are their own


--- The text of an element that is not a label of a field; "": it has none.
local function says(node)
  return SAYS[node.role] and node.states.shown and not node.names and not node.of and words.own_name(node) or ""
end


--- The first text below an element, as long as a name.
local function first_text(node)
  for _, each in ipairs(node.down) do
    local text = says(each)
    if text ~= "" then return text end
    text = not words.WORKED[each.role] and not LISTS[each.role] and first_text(each)
    if text then return text end
  end
end


--- Names dialogs that have no name by their first text, as if that were their label.
---@param nodes elements.Node[]  a tree, joined
function M.give(nodes)
  for _, node in ipairs(nodes) do
    local text = DIALOGS[node.role] and not node.label and words.own_name(node) == "" and first_text(node)
    if text then node.label = quoting.cut(text, NAME_MAX) end
  end
end


--- The first text in a window; nil: its application does not answer, or there is none.
local function read(window)
  local tree = element.tree { pid = window.pid, window = window.id, bounds = true, timeout = ANSWERS }
  for _, each in ipairs(tree and tree.nodes or {}) do
    local text = says(each)
    if text ~= "" then return text end
  end
end


--- A dialog by its window, for messages: `dialog "Go To"`, or `untitled dialog` if nothing in it can be read.
---@param window sys.window.Window
---@param text? string  text that was read in it, for one without a title
---@return string
function M.called(window, text)
  local name = words.clean(window.title)
  if name == "" then name = text or read(window) or "" end
  return name == "" and "untitled dialog" or "dialog " .. words.quote(name, NAME_MAX)
end


return M
