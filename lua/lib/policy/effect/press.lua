--- The facts about an element that is pressed, chosen or written by the application's own interface.

local apps     = require "policy.apps"
local element  = require "sys.element"
local terminal = require "policy.effect.terminal"

local M = {}

-- Roles of what may paste: items of menus, and buttons of a toolbar.
local MENU_ROLES = { menuitem = true, checkitem = true, radioitem = true, menu = true, button = true, toggle = true }


--- The element as it is now. nil: it is gone, or its application does not answer.
function M.node(effect)
  local nodes = element.get { effect.given[1] }
  return nodes and not nodes[1].gone and nodes[1] or nil
end


function M.change(effect) return effect.given[2] or {} end


function M.apps(effect)
  local node = effect:fact "node"
  return node and apps.of_pid(node.pid) or nil
end


function M.terminal(effect) return terminal.any(effect:fact "apps") end


---@return string|false
function M.text(effect) return effect:fact("change").text or false end


---@return string?
function M.role(effect)
  local node = effect:fact "node"
  return node and node.role or nil
end


---@return string?
function M.name(effect)
  local node = effect:fact "node"
  return node and require("policy.effect.pressed").name_of(node) or nil
end


--- True for an item of a menu and a button: whatever it is called there, and by whichever of its actions, it may paste.
function M.paste(effect)
  local verb = effect:fact("change").verb
  if verb ~= "do" and verb ~= "select" then return false end
  local role = effect:fact "role"
  if not role then return nil end
  return MENU_ROLES[role] == true
end

--- An item of a menu may paste what is selected, too, which nobody wrote on the clipboard.
function M.own_clipboard() return false end


--- True if one of the points is on an open menu of these applications.
---@param list policy.Apps?
---@param points {x: number, y: number}[]
---@return boolean?  nil: it is not known
function M.is_in_menu(list, points)
  local untold = false
  for _, app in ipairs(list or {}) do
    for _, point in ipairs(points) do
      local _, at = apps.at_point(point.x, point.y)
      if at and at.kind == "popup" then return true end
      local id = app.pid and element.at(app.pid, point.x, point.y)
      local nodes = id and element.get { id }
      if nodes and MENU_ROLES[nodes[1].role] then return true end
      untold = untold or not nodes and terminal.has_bars(app)
    end
  end
  if untold then return nil end
  return false
end


return M
