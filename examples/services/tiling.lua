--- Tiles the focused window by keys: halves, quarters, maximized, on the next display. And undoes that.
--
-- With the keys of MODIFIERS held down: the arrows for halves, u, i, j and k for quarters, Return to maximize and back, n for the
-- next display, z to undo.

local display = require "sys.display"
local hotkey  = require "sys.hotkey"
local task    = require "sys.task"
local window  = require "sys.window"

-- --- options ------------------------------------------------------------------------------------------

local MODIFIERS = "ctrl+meta+"   -- many window managers have ctrl+alt and the arrows for workspaces
local GAP = 0                    -- points around each window
local STEPS = 50                 -- that can be undone

--- Parts of a display: x, y, width and height, each from 0 to 1.
local PLACES = {
  left  = { 0,   0,   1/2, 1   },
  right = { 1/2, 0,   1/2, 1   },
  up    = { 0,   0,   1,   1/2 },
  down  = { 0,   1/2, 1,   1/2 },
  u     = { 0,   0,   1/2, 1/2 },
  i     = { 1/2, 0,   1/2, 1/2 },
  j     = { 0,   1/2, 1/2, 1/2 },
  k     = { 1/2, 1/2, 1/2, 1/2 },
}


-- --- acting -------------------------------------------------------------------------------------------

--- A part of an area, whole points, with half of the gap on each side of it.
local function part_of(area, part)
  local left, top = area.x + GAP / 2 + part[1] * (area.width - GAP), area.y + GAP / 2 + part[2] * (area.height - GAP)
  local right, bottom = left + part[3] * (area.width - GAP), top + part[4] * (area.height - GAP)
  local x, y = math.floor(left + GAP / 2), math.floor(top + GAP / 2)
  return { x = x, y = y, width = math.floor(right - GAP / 2) - x, height = math.floor(bottom - GAP / 2) - y }
end


local function place(shown, frame)
  if shown.maximized or shown.fullscreen then assert(window.restore(shown)) end
  assert(window.place(shown, frame))
end


local function toggle_maximized(shown)
  assert((shown.maximized and window.restore or window.maximize)(shown))
end


--- To the same part of the next display.
local function to_next_display(shown)
  local displays = assert(display.list())
  local from = assert(display.of(shown.frame))
  for i, each in ipairs(displays) do
    if each.id == from.id then
      local old, new, frame = from.work, displays[i % #displays + 1].work, shown.frame
      local across, down = new.width / old.width, new.height / old.height
      place(shown, {
        x = math.floor(new.x + (frame.x - old.x) * across), y = math.floor(new.y + (frame.y - old.y) * down),
        width = math.floor(frame.width * across), height = math.floor(frame.height * down),
      })
    end
  end
  if shown.maximized then assert(window.maximize(shown)) end
end


--- Puts the window that was changed last back to where it was. Windows that are closed are left out.
local function undo(steps)
  while #steps > 0 do
    local before = table.remove(steps)
    local shown = window.get(before)
    if shown then
      if before.maximized then
        if not shown.maximized then assert(window.maximize(shown)) end
      else
        place(shown, before.frame)
      end
      return
    end
  end
end


local function start(context)
  context.state.steps = context.state.steps or {}
  local steps = context.state.steps
  local jobs = task.channel(100)   -- keys act one after the other, in the order in which they were pressed

  local function bind(key, job)
    local bound, err = hotkey.bind(MODIFIERS .. key, function() jobs:send(job) end)
    if not bound then context.log(err) end   -- another program has this key; the others work
  end

  local function bind_change(key, change)
    bind(key, function()
      local shown = window.focused()
      if not shown or shown.kind == "panel" then return end
      table.insert(steps, shown)
      if #steps > STEPS then table.remove(steps, 1) end
      change(shown)
    end)
  end

  for key, part in pairs(PLACES) do
    bind_change(key, function(shown) place(shown, part_of(assert(display.of(shown.frame)).work, part)) end)
  end
  bind_change("return", toggle_maximized)
  bind_change("n", to_next_display)
  bind("z", function() undo(steps) end)

  for job in jobs:values() do
    local ok, err = pcall(job)
    if not ok then context.log(err) end
  end
end


---@type Service
return {
  description = "Tiles the focused window by keys.",
  start       = start,

  examples = {
    { "the left half, and back", events = { { "hotkey.bind ctrl+meta+left" }, { "hotkey.bind ctrl+meta+z" } },
      given = {
        ["sys.window.focused"] = { id = 7, frame = { x = 30, y = 40, width = 500, height = 400 } },
        ["sys.window.get"] = { id = 7, frame = { x = 0, y = 0, width = 960, height = 1080 } },
        ["sys.display.of"] = { work = { x = 0, y = 0, width = 1920, height = 1080 } }, ["sys.window.place"] = {} },
      did = { "window.focused", "display.of",
        "window.place frame={height=400 width=500 x=30 y=40} id=7 height=1080 width=960 x=0 y=0", "window.get",
        "window.place frame={height=1080 width=960 x=0 y=0} id=7 height=400 width=500 x=30 y=40" } },
    { "a key that another program has", log = { "another program has these keys" },
      given = { ["sys.hotkey.bind"] = function(keys)
        if keys == "ctrl+meta+z" then return nil, "another program has these keys", "hotkey_taken" end
        return {}
      end } },
  },
}
