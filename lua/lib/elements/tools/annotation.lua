--- Finds the window and the elements for annotate_screenshot.

local find     = require "elements.find.search"
local names    = require "desktop.names"
local selector = require "elements.find.selector"
local window   = require "sys.window"
local words    = require "elements.read.words"

local M = {}


--- The window to capture: the named one, otherwise the application's frontmost.
---@return sys.window.Window? shown
---@return string? err
---@return string? code
function M.window(args, place)
  local list, err, code = window.list { pid = place.pid }
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    local meant = not place.window or each.id == place.window
    if meant and each.on_screen and each.kind ~= "popup" then return names.look_at_window(names.window(each)) end
  end
  return nil, ("%s has no window on the screen."):format(args.application or "The application"), "window_not_found"
end


local function overlaps(a, b)
  return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
end


--- True if the node is visible in this window's image.
local function is_visible(node, shown)
  local b = node.bounds
  return node.window == shown.id and node.states.shown and b ~= nil and b.width > 2 and b.height > 2 and overlaps(b, shown.frame)
end


--- The elements that the caller selects, otherwise all that take input.
---@return elements.Node[]? nodes
---@return string? err
---@return string? code
function M.marked(args, snapshot, shown)
  local nodes, found = snapshot.nodes, {}
  if args.selector then
    local wanted, err, code = selector.parse(args.selector)
    if not wanted then return nil, err, code end
    nodes = find.all(snapshot, wanted)
  end
  for _, node in ipairs(nodes) do
    if (args.selector or words.WORKED[node.role]) and is_visible(node, shown) then found[#found + 1] = node end
  end
  return found
end


function M.box(node)
  local b = node.bounds
  return { x = b.x, y = b.y, width = b.width, height = b.height, label = node.ref }
end


return M
