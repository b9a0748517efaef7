--- The element that the pointer or the keys press or write, so that rules about `press` hold for these as well.

local apps    = require "policy.apps"
local chord   = require "policy.effect.chord"
local element = require "sys.element"
local typed   = require "policy.effect.typed"
local window  = require "sys.window"
local words   = require "elements.read.words"

local M = {}

local PRESSES = { click = true, press = true, drag = true }   -- of the pointer: a release ends what was judged before

local MOVES = { tab = true, escape = true }   -- keys that press nothing

local ITEMS = { menu = true, menuitem = true, checkitem = true, radioitem = true }

local UP = 6         -- levels from what is under the pointer to the element that it belongs to
local NODES = 4000   -- of a window, in which what has the keyboard is looked for

-- An application without elements presses none; of one that does not answer it is not known.
local NONE = { no_tree = true, no_accessibility = true, not_supported = true, app_not_found = true }


--- The value for "there is no element", or for "it is not known".
local function nothing(code)
  if code == nil or NONE[code] then return false end
  return nil
end


--- The element that a click on this one is for: the button around a picture or a text. Texts of pages have actions as well.
local function worked(node)
  local up = node
  for _ = 1, UP do
    if words.WORKED[up.role] then return up end
    local list = up.parent and element.get { up.parent }
    if not list or list[1].gone then return node end
    up = list[1]
  end
  return node
end


local function by_id(id)
  local nodes, _, code = element.get { id }
  if not nodes then return nothing(code) end
  return not nodes[1].gone and nodes[1] or nil
end


local function at_point(point)
  local x, y = tonumber(point.x or point[1]) or 0, tonumber(point.y or point[2]) or 0
  local list = apps.at_point(x, y)
  if not list then return nil end
  if not list[1] then return false end
  if not list[1].pid then return nil end
  local id, _, code = element.at(list[1].pid, x, y)
  if not id then return nothing(code) end
  local node = by_id(id)
  return node and worked(node) or node
end


local function has_popup(pid)
  for _, each in ipairs(window.list { pid = pid, all_kinds = true } or {}) do
    if each.kind == "popup" and each.on_screen then return true end
  end
  return false
end


--- The innermost element of an application that has the keyboard. In an open menu of GTK 3 that is the selected item.
local function innermost(pid, its_window, in_menu)
  local tree = element.tree { pid = pid, window = not in_menu and its_window or nil, nodes = NODES }
  if not tree then return nil end
  local last
  for _, node in ipairs(tree.nodes) do
    if node.states.focused or in_menu and ITEMS[node.role] and node.states.selected then last = node end
  end
  if not last and tree.cut then return nil end
  return last or false
end


--- The element that has the keyboard.
local function focused()
  local field, _, code = element.field()
  if not field then return nothing(code) end
  if field.id then return by_id(field.id) end
  if field.finding == "absent" then return false end
  if not field.pid then return nil end
  local in_menu = has_popup(field.pid)
  if field.finding == "nowhere" and not in_menu then return false end
  return innermost(field.pid, field.window, in_menu)
end


--- True if the keys press or write what has the keyboard, and do not only move on, or are a shortcut of the application.
local function are_for_element(spec)
  if spec.text then return spec.text ~= "" end
  local keys = spec.kind ~= "key_up" and spec.chord and typed.chord(spec.chord)
  return keys and keys.keys[1] ~= nil and not MOVES[keys.keys[1]] and not chord.is_shortcut(keys.modifiers) or false
end


--- The element; false: there is none; nil: it is not known.
---@param effect policy.Effect
---@return sys.element.Node|false|nil
function M.node(effect)
  local spec = effect:fact "spec"
  if spec.chord or spec.text then
    if not are_for_element(spec) then return false end
    return focused()
  end
  if not PRESSES[spec.kind] then return false end
  if effect.unknown then return nil end
  local points = effect:fact "points"
  return points and at_point(points[1])
end


--- The name of an element, as tools show it.
---@param node sys.element.Node
---@return string
function M.name_of(node) return (node.name:gsub("%s+", " "):match "^ ?(.-) ?$") end


return M
