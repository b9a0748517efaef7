--- Closes the menu that stays open after one of its items was pressed by its action, as in Swing: there the pointer cannot press
--- an item, because it tells a wrong place.

local asking  = require "elements.read.asking"
local await   = require "elements.read.await"
local element = require "sys.element"
local hands   = require "elements.read.hands"
local press   = require "elements.press.ways"
local window  = require "sys.window"
local windows = require "elements.read.windows"
local words   = require "elements.read.words"

local M = {}

local CLOSES = 0.5   -- seconds for a menu to close
local DEPTH = 6      -- menus in one another, at most

local ITEMS = { menuitem = true, checkitem = true, radioitem = true, menu = true }
local DIALOGS = { dialog = true, alert = true }


---@class elements.LeftOpen
---@field node elements.Node
---@field windows? table<integer, sys.window.Window>  before the press


--- Notes the item before it is pressed; nil: it is not one that tells a wrong place.
---@param node elements.Node
---@return elements.LeftOpen?
function M.begin(node)
  if not ITEMS[node.role] or node.role == "menu" or not press.is_misplaced(node) then return nil end
  return { node = node, windows = windows.now(node.pid) }
end


--- True if the item, or a menu that it is in, is shown.
local function is_open(node)
  local ids, at = { node.id }, node.up
  while at and ITEMS[at.role] and not (at.up and at.up.role == "menubar") do
    ids[#ids + 1], at = at.id, at.up
  end
  for _, each in ipairs(element.get(ids) or {}) do
    if not each.gone and each.states.shown then return true end
  end
  return false
end


local function came(report)
  local before = {}
  for _, node in ipairs(report.found.snapshot.nodes) do before[node.id] = true end
  for _, node in ipairs(report.snapshot and report.snapshot.nodes or {}) do
    if DIALOGS[node.role] and not before[node.id] then return true end
  end
  return false
end


--- True if Escape would reach the menu: no dialog came, and no other window.
local function is_alone(left, report)
  if asking.is_unanswered(report.route) or not report.snapshot or came(report) then return false end
  if windows.opened(left.windows, windows.now(left.node.pid)) then return false end
  for _, each in ipairs(window.list() or {}) do
    if each.focused then return each.id == left.node.window end
  end
  return false
end


--- Closes the menus, and says so in the report. Escape is pressed only while one is seen open.
---@param left? elements.LeftOpen
---@param report? elements.Report
function M.close(left, report)
  if not left or not report or report.route:find "^pointer" then return end
  local node = left.node
  for _ = 1, DEPTH do
    if not is_open(node) then
      if left.pressed then report.evidence = report.evidence .. "; its menu stayed open and was closed" end
      return
    end
    if not is_alone(left, report) or not hands.keys(node, "escape") then break end
    left.pressed = true
    await.until_seen(node.pid, await.mark(node.pid), CLOSES, function() return not is_open(node) end)
  end
  report.evidence = ("%s; %s is in a menu that is still open"):format(report.evidence, words.called(node))
end


return M
