--- Elements in a region of the desktop.

local find        = require "elements.find.search"
local hit         = require "elements.find.hit"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local rect        = require "rect"
local selector    = require "elements.find.selector"
local target      = require "elements.find.target"

local M = {}

local SMALL = 10000   -- square points of a region that may be inside one element


local NO_WINDOW = "No window is in the middle of the region. Pass application or window."


local function middle(region) return region.x + region.width / 2, region.y + region.height / 2 end


--- The place that the arguments name, else the application of the window in front in the middle of the region, and that window.
---@return elements.Place? place
---@return (sys.window.Window|string)? its_window
---@return string? code
local function place_of(args, region)
  if not args.application and not args.window then
    local its, err, code = hit.window(middle(region))
    if not its then return nil, code == "window_not_found" and NO_WINDOW or err, code end
    return { pid = its.pid, started = its.started, source = args.source }, its
  end
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  local its = hit.window(middle(region))
  local there = its and its.pid == place.pid and (not place.window or place.window == its.id)
  return place, there and its or nil
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


local function holds(bounds, region)
  return bounds.x <= region.x and bounds.y <= region.y and bounds.x + bounds.width >= region.x + region.width
    and bounds.y + bounds.height >= region.y + region.height
end


--- The elements of a region that is inside one element; nil: it is not, or the whole application has to be read. If none has a
--- line of its own it is the one that gets a click: an empty cell, or a button with nothing but its text.
---@return elements.Node[]? nodes  err, if this is nil and there is one
---@return string? err
---@return string? code
local function in_one(args, region, its)
  local found, err, code = hit.within(its, region.x + region.width / 2, region.y + region.height / 2,
    { source = args.source, region = region })
  if not found then
    if code == "element_not_found" then return its.kind == "popup" and {} or nil end
    return nil, err, code
  end
  local is_in = found.leaf.bounds and holds(found.leaf.bounds, region)
  if found.snapshot.partial and not is_in then return nil end
  local nodes = M.within(found.nodes, region)
  if #nodes == 0 and is_in and not hit.is_container(found.node) then nodes[1] = found.node end
  return nodes
end


local function wanted(args, snapshot)
  if not args.selector then return snapshot.nodes end
  local parsed, err, code = selector.parse(args.selector)
  if not parsed then return nil, err, code end
  return find.all(recognition.widen(snapshot, parsed), parsed)
end


--- The elements in a region, and their place.
---@param args {application?: string, window?: string, selector?: string, source: string}
---@param region sys.window.Rect
---@return elements.Node[]? nodes
---@return (elements.Place|string)? place
---@return string? code
function M.find(args, region)
  local place, its, code = place_of(args, region)
  if not place then return nil, its, code end
  local nodes, err
  if its and not args.selector and region.width * region.height <= SMALL then
    nodes, err, code = in_one(args, region, its)
    if nodes then return nodes, place end
    if err then return nil, err, code end
  end
  local snapshot
  snapshot, err, code = target.look(place, { region = region })
  if not snapshot then return nil, err, code end
  nodes, err, code = wanted(args, snapshot)
  if not nodes then return nil, err, code end
  return M.within(nodes, region), place
end


return M
