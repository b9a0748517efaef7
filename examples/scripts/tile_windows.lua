-- Puts all windows side by side in a grid, on the main display or the one that is named.
--
--   perigee run examples/scripts/tile_windows.lua [DISPLAY]

local perigee = require "perigee"

--- All windows that a user would move, in every page of the list.
local function normal_windows()
  local found, token = {}, nil
  repeat
    local page = tools.list_windows { page_token = token }
    for _, w in ipairs(page.windows) do
      if w.kind == "normal" and w.on_screen then found[#found + 1] = w end
    end
    token = page.next_page_token
  until not token
  return found
end

--- Into one cell of the grid. The size first: a window that is too large may not go where it should.
local function place(w, x, y, width, height)
  for _, state in ipairs(w.states) do
    if state == "maximized" or state == "fullscreen" then tools.restore_window { name = w.name } end
  end
  local resized = tools.resize_window { name = w.name, width = width, height = height }
  local moved = tools.move_window { name = w.name, x = x, y = y }
  print(("%s  %s"):format(w.title, resized.note or moved.note or "done"))
end

local area = tools.list_displays({}).displays[1].work_area
if perigee.args[1] then area = tools.get_display({ name = perigee.args[1] }).work_area end

local windows = normal_windows()
local columns = math.ceil(math.sqrt(#windows))
local rows = math.ceil(#windows / math.max(1, columns))
local width, height = math.floor(area.width / math.max(1, columns)), math.floor(area.height / math.max(1, rows))
for i, w in ipairs(windows) do
  place(w, area.x + (i - 1) % columns * width, area.y + (i - 1) // columns * height, width, height)
end
