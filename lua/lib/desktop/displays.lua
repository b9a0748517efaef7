--- Displays as the tools report them.

local names   = require "desktop.names"
local quoting = require "desktop.quoting"
local s       = require "schema"
local windows = require "desktop.windows"

local M = {}


--- The schema of the result of M.facts().
M.schema = s.object({
  { "name", s.string "Resource name: displays/ID." },
  { "display_name", s.string "The system's name for the display." },
  { "bounds", windows.rect_schema "Bounds in points." },
  { "work_area", windows.rect_schema "Bounds without panels and docks." },
  { "scale", s.number "Pixels per point." },
  { "rotation", s.number("Clockwise rotation in degrees; absent if there is none.", { optional = true }) },
  { "main", s.boolean "True for the main display, whose top left corner is 0,0." },
  { "cursor", s.object({ { "x", s.number() }, { "y", s.number() } }, "Pointer position, if the pointer is on this display.",
    { optional = true }) },
}, "A display.")


local function within(rect, x, y)
  return x >= rect.x and y >= rect.y and x < rect.x + rect.width and y < rect.y + rect.height
end


---@param d sys.display.Display
---@param x? number  the pointer's position
---@param y? number
---@return table
function M.facts(d, x, y)
  return {
    name         = names.display(d),
    display_name = quoting.plain(d.name),
    bounds       = d.bounds,
    work_area    = d.work,
    scale        = d.scale,
    rotation     = d.rotation ~= 0 and d.rotation or nil,
    main         = d.main,
    cursor       = x and y and within(d.bounds, x, y) and { x = x, y = y } or nil,
  }
end


--- "HDMI-1 (displays/1), 1920x1080 at 0,0, main, pointer at 5,6"
---@param facts table  the result of M.facts()
---@return string
function M.line(facts)
  local n = windows.number
  local parts = { ("%s (%s), %s"):format(quoting.name(facts.display_name), facts.name, windows.rect(facts.bounds)) }
  if facts.main then parts[#parts + 1] = "main" end
  if facts.scale ~= 1 then parts[#parts + 1] = ("%s pixels per point"):format(n(facts.scale)) end
  if facts.rotation then parts[#parts + 1] = ("rotated by %s degrees"):format(n(facts.rotation)) end
  local work, bounds = facts.work_area, facts.bounds
  if work.x ~= bounds.x or work.y ~= bounds.y or work.width ~= bounds.width or work.height ~= bounds.height then
    parts[#parts + 1] = "work area " .. windows.rect(work)
  end
  if facts.cursor then parts[#parts + 1] = ("pointer at %s,%s"):format(n(facts.cursor.x), n(facts.cursor.y)) end
  return table.concat(parts, ", ")
end


return M
