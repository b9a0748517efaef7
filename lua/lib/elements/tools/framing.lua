--- Finds the rectangle and the window for capture_element_screenshot.

local element = require "sys.element"
local names   = require "desktop.names"
local target  = require "elements.find.target"
local words   = require "elements.read.words"

local M = {}


--- The bounds with the padding around them.
function M.padded(bounds, padding)
  return {
    x = bounds.x - padding, y = bounds.y - padding,
    width = bounds.width + 2 * padding, height = bounds.height + 2 * padding,
  }
end


---@class desktop.Pictured
---@field bounds sys.window.Rect
---@field window? string  its resource name
---@field what string     the element in words
---@field ref? string


---@return desktop.Pictured
function M.by_bounds(args)
  local b = args.bounds
  return { bounds = b, window = args.window,
           what = ("the element of %g x %g points at %g, %g"):format(b.width, b.height, b.x, b.y) }
end


--- True if the node has a place on the desktop.
local function has_place(node)
  return node.bounds ~= nil and node.bounds.width >= 1 and node.bounds.height >= 1
end


--- The element as it is now, scrolled into view.
---@return desktop.Pictured? pictured
---@return string? err
---@return string? code
function M.by_name(args)
  args.reading = true
  local found, err, code = target.find(args)
  if not found then return nil, err, code end
  element.act(found.node.id, { verb = "show" })     -- not every application can; an element in view stays where it is
  local node
  node, err, code = target.renew(found.node)
  if not node then return nil, err, code end
  if not has_place(node) or not node.window then
    return nil, words.called(node) .. " has no place on the desktop. Open what it is in first.", "not_in_view"
  end
  local window = names.window { pid = found.place.pid, started = found.place.started, id = node.window }
  return { bounds = node.bounds, window = window, what = words.called(node), ref = node.ref }
end


return M
