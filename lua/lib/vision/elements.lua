--- The elements of a window in an image of it, so that an answer can name them by their refs.

local outline   = require "elements.read.outline"
local refs      = require "elements.read.refs"
local snapshots = require "elements.read.snapshot"
local words     = require "elements.read.words"

local M = {}

local BYTES = 6000      -- limit of all lines together
local LINES = 200
local LOOK_S = 1        -- seconds to read the elements

---@class vision.Element
---@field ref string
---@field name string
---@field line string   `e12 button "Save"`
---@field x integer     the middle of the element, in pixels of the image
---@field y integer


--- Returns the place in the image of the middle of a rectangle of the desktop; nil if it is outside.
local function place(bounds, shot)
  if not bounds then return nil end
  local x = (bounds.x + bounds.width / 2 - shot.origin.x) * shot.scale
  local y = (bounds.y + bounds.height / 2 - shot.origin.y) * shot.scale
  if x < 0 or y < 0 or x >= shot.width or y >= shot.height then return nil end
  return math.floor(x), math.floor(y)
end


local function add(list, ref, name, line, bounds, shot)
  local x, y = place(bounds, shot)
  if x and #list < LINES then list[#list + 1] = { ref = ref, name = name, line = line, x = x, y = y } end
end


---@class vision.Shot
---@field window sys.window.Ref
---@field origin {x: number, y: number}
---@field scale number   pixels per point
---@field width integer  pixels
---@field height integer

--- Reads the elements of the window.
---@param window sys.window.Ref
---@return elements.Snapshot? snapshot
---@return string? err
---@return string? code
function M.read(window)
  return snapshots.take { pid = window.pid, started = window.started, window = window.id, timeout = LOOK_S }
end


--- Returns the elements of a snapshot that are in the image.
---@param snapshot? elements.Snapshot
---@param shot vision.Shot
---@return vision.Element[]
function M.shown(snapshot, shot)
  local list = {}
  for _, node in ipairs(snapshot and snapshot.nodes or {}) do
    if node.ref and node.states.shown and outline.says(node) then
      add(list, node.ref, words.name(node), outline.line(node), node.bounds, shot)
    end
  end
  return list
end


--- Returns the elements that were listed before, as they were then. It reads nothing.
---@param shot vision.Shot
---@return vision.Element[]
function M.known(shot)
  local list = {}
  for _, record in ipairs(refs.of_window(shot.window)) do
    if record.name ~= "" then
      local line = ("%s %s %s"):format(record.ref, record.role, words.quote(record.name, 80))
      add(list, record.ref, record.name, line, record.bounds, shot)
    end
  end
  return list
end


--- Returns lines for a model: each element with its place in an image that was scaled by `factor`; nil if there are none.
---@param list vision.Element[]
---@param factor number
---@return string?
function M.lines(list, factor)
  local lines, bytes = {}, 0
  for i, element in ipairs(list) do
    local line = ("%s at %d,%d"):format(element.line, math.floor(element.x * factor), math.floor(element.y * factor))
    bytes = bytes + #line + 1
    if bytes > BYTES then
      lines[#lines + 1] = ("... %d more"):format(#list - i + 1)
      break
    end
    lines[#lines + 1] = line
  end
  return lines[1] and table.concat(lines, "\n") or nil
end


return M
