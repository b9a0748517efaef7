--- The element under a point of the desktop.

local popups      = require "elements.read.popups"
local rect        = require "rect"
local recognition = require "elements.read.recognition"
local window      = require "sys.window"
local words       = require "elements.read.words"

local M = {}


---@class elements.Hit
---@field node elements.Node      what a click there is for: a control, not the text or the picture in it
---@field leaf elements.Node      the innermost element there
---@field snapshot elements.Snapshot
---@field place elements.Place
---@field window sys.window.Window   the one that gets a click there; maybe a popup


-- --- the window ---------------------------------------------------------------------------------

--- The window that a click at the point reaches, popups of menus included.
---@param x number
---@param y number
---@return sys.window.Window? its_window
---@return string? err
---@return string? code  "window_not_found", and those of sys.window
function M.window(x, y)
  local list, err, code = window.list { all_kinds = true }
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    if each.on_screen and rect.holds(each.frame, x, y) then
      return window.over(each, x, y) or each   -- its shape may have a hole there
    end
  end
  return nil, ("No window is at %g,%g."):format(x, y), "window_not_found"
end


-- --- the innermost element ----------------------------------------------------------------------

--- Elements of these roles draw nothing of their content outside of themselves.
local CLIPS = { scrollarea = true, list = true, table = true, tree = true }

local function clips(node) return CLIPS[node.role] or node.native == "viewport" or node.native == "document web" end


--- True if what clips the element does so elsewhere: it is not scrolled away from the point.
local function in_view(node, x, y)
  local at = node.up
  while at do
    if at.bounds and clips(at) and not rect.holds(at.bounds, x, y) then return false end
    at = at.up
  end
  return true
end


local function has_size(bounds) return bounds ~= nil and bounds.width > 1 and bounds.height > 1 end


local function area(node) return node.bounds.width * node.bounds.height end


--- The smallest of these elements at the point; of two that are as large, the inner or the later one.
---@param nodes elements.Node[]
---@param x number
---@param y number
---@return elements.Node?
function M.smallest(nodes, x, y)
  local best
  for _, node in ipairs(nodes) do
    local there = node.states.shown and has_size(node.bounds) and rect.holds(node.bounds, x, y)
    if there and not words.SILENT[node.role] and (not best or area(node) <= area(best)) and in_view(node, x, y) then best = node end
  end
  return best
end


--- The elements that a popup of the application shows: those in a window of their own, or in the one whose children fill it.
---@param snapshot elements.Snapshot
---@param popup sys.window.Window
---@return elements.Node[]
function M.in_popup(snapshot, popup)
  local holds, found = {}, {}
  for _, node in ipairs(snapshot.nodes) do   -- parents come before their children
    local inside = node.window == popup.id or node.up and holds[node.up]
    if inside then found[#found + 1] = node end
    holds[node] = inside or popups.shows(popup, node.down) or nil
  end
  return found
end


-- --- what a click is for ------------------------------------------------------------------------

--- Roles of elements that only show what another is for.
local SHOWS = words.set "label image element heading group"

--- Roles of elements that are pressed as a whole, with all that is in them.
local PRESSED = words.set "button toggle link checkbox radio switch menu menuitem checkitem radioitem"

--- Roles of elements that a text or picture right in them shows. What is deeper in them may be a page, or a form.
local SHOWN_BY = words.set "tab listitem treeitem cell header entry spin combobox"

local OPTIONS = words.set "listitem menuitem checkitem radioitem list menu"


--- The closed combo box that the element is an option of: Chromium names options of closed ones at points below these.
local function closed_box(node)
  local at = OPTIONS[node.role] and node or nil
  while at and OPTIONS[at.role] do at = at.up end
  if at and at.role == "combobox" and not at.states.expanded then return at end
end


--- The control that an element belongs to: the button around its text, the closed combo box of an option; or itself.
---@param leaf elements.Node
---@return elements.Node
function M.control(leaf)
  local box, at = closed_box(leaf), leaf
  if box then return box end
  while at and SHOWS[at.role] do at = at.up end
  if at and (PRESSED[at.role] or SHOWN_BY[at.role] and at == leaf.up and leaf.role ~= "group") then return at end
  return leaf
end


--- Finds the element that gets a click at a point.
---@param x number
---@param y number
---@param options? {source?: string}  the source of elements, as for recognition.look(); default: the tree alone
---@return elements.Hit? hit
---@return string? err
---@return string? code  "window_not_found"; "element_not_found": the window has no element there; "no_tree", ...
function M.at(x, y, options)
  local its, err, code = M.window(x, y)
  if not its then return nil, err, code end
  local place = { pid = its.pid, started = its.started, source = options and options.source or "tree" }
  local snapshot
  snapshot, err, code = recognition.look(place)
  if not snapshot then return nil, err, code end
  local nodes = its.kind == "popup" and M.in_popup(snapshot, its) or snapshot.nodes
  local leaf = M.smallest(nodes, x, y)
  if not leaf then
    return nil, ("%s has no element at %g,%g."):format(words.quote(its.title, 60), x, y), "element_not_found"
  end
  return { node = M.control(leaf), leaf = leaf, snapshot = snapshot, place = place, window = its }
end


return M
