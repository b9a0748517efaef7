-- Tiles the windows of a display, so that each can be seen whole.
--
--   perigee run examples/scripts/tile_windows.lua --gap 12

local display = require "sys.display"
local options = require "options"
local perigee = require "perigee"
local window  = require "sys.window"

local given, status = options.read(perigee.args, {
  usage = "perigee run tile_windows.lua [options]",
  about = "Tiles all windows of each display in a grid, frontmost first. Minimized windows and dialogs stay as they are.",
  { "columns", "integer", "number of columns", absent = "as many as make the windows most nearly square", minimum = 1,
    maximum = 50 },
  { "gap", "number", "space between and around the windows, in points", default = 8, minimum = 0, maximum = 500 },
  { "display", "string", "only the display with this name, from list_displays" },
  { "dry-run", "flag", "only print where each window would go" },
})
if not given then return status end


local function within(rect, x, y)
  return x >= rect.x and y >= rect.y and x < rect.x + rect.width and y < rect.y + rect.height
end


--- Those whose center is on the display, frontmost first.
local function windows_on(screen)
  local found = {}
  for _, w in ipairs(assert(window.list())) do
    local frame = w.frame
    if w.kind == "normal" and not w.minimized and not w.hidden
        and within(screen.bounds, frame.x + frame.width / 2, frame.y + frame.height / 2) then
      found[#found + 1] = w
    end
  end
  return found
end


--- How many columns make the cells nearest to a square.
local function best_columns(count, area)
  local best, least = 1, math.huge
  for columns = 1, count do
    local rows = math.ceil(count / columns)
    local off = math.abs(math.log((area.width / columns) / (area.height / rows)))
    if off < least then best, least = columns, off end
  end
  return best
end


--- A rectangle for each; the windows of a last row that is not full share all of it.
local function grid(count, area)
  local cells, gap = {}, given.gap
  local columns = math.min(given.columns or best_columns(count, area), count)
  local rows = math.ceil(count / columns)
  for i = 0, count - 1 do
    local row, column = i // columns, i % columns
    local here = row == rows - 1 and count - row * columns or columns
    local width, height = (area.width - gap) / here, (area.height - gap) / rows
    cells[i + 1] = {
      x = math.floor(area.x + gap + column * width), y = math.floor(area.y + gap + row * height),
      width = math.floor(width - gap), height = math.floor(height - gap),
    }
  end
  return cells
end


local function place(number, w, cell)
  print(("  %2d  %-40s  %dx%d at %d,%d"):format(number, w.title, cell.width, cell.height, cell.x, cell.y))
  if given.dry_run then return end
  if w.maximized or w.fullscreen then window.restore(w) end
  local outcome, err = window.place(w, cell)
  if not outcome then -- it may have been closed meanwhile
    print("      " .. err)
  elseif outcome.after and (outcome.after.width > cell.width or outcome.after.height > cell.height) then
    print(("      its smallest size is %gx%g"):format(outcome.after.width, outcome.after.height))
  end
end


local seen = 0
for _, screen in ipairs(assert(display.list())) do
  if not given.display or screen.name == given.display then
    local windows = windows_on(screen)
    seen = seen + 1
    print(("%s: %d window%s"):format(screen.name, #windows, #windows == 1 and "" or "s"))
    local cells = #windows > 0 and grid(#windows, screen.work)
    for i, w in ipairs(windows) do place(i, w, cells[i]) end
  end
end
if seen == 0 then
  print(("There is no display %q."):format(given.display))
  return 1
end
