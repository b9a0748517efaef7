--- Elements in a region of the desktop.

local find        = require "elements.find.search"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local rect        = require "rect"
local selector    = require "elements.find.selector"
local target      = require "elements.find.target"
local window      = require "sys.window"

local M = {}


--- The application of the window in front in the middle of the region.
function M.place(args, region)
  if args.application or args.window then return target.place(args) end
  local list, err, code = window.list()
  if not list then return nil, err, code end
  local middle = { x = region.x + region.width / 2, y = region.y + region.height / 2, width = 0.01, height = 0.01 }
  for _, each in ipairs(list) do
    if each.on_screen and rect.meet(each.frame, middle) then
      return { pid = each.pid, started = each.started, source = args.source }
    end
  end
  return nil, "No window is in the middle of the region. Pass application or window.", "window_not_found"
end


--- The elements with a line of their own whose bounds touch the region; containers only if they are completely inside it.
function M.within(nodes, region)
  local found = {}
  for _, node in ipairs(nodes) do
    local b = node.bounds
    local inside = b and b.x >= region.x and b.y >= region.y and b.x + b.width <= region.x + region.width
      and b.y + b.height <= region.y + region.height
    if b and node.states.shown and outline.says(node) and rect.meet(b, region) and (inside or #node.down == 0) then
      found[#found + 1] = node
    end
  end
  return found
end


function M.wanted(args, snapshot)
  if not args.selector then return snapshot.nodes end
  local wanted, err, code = selector.parse(args.selector)
  if not wanted then return nil, err, code end
  return find.all(recognition.widen(snapshot, wanted), wanted)
end


return M
