--- Remembers where windows are for each set of displays, and puts them back when the same displays are connected again, for
--- example those of your desk.
--
-- A window is remembered as long as it is open, even if the engine starts again. Minimized windows stay minimized.

local display = require "sys.display"
local store   = require "sys.store"
local time    = require "sys.time"
local window  = require "sys.window"

-- --- options ------------------------------------------------------------------------------------------

local QUIET = 1     -- seconds without a change until places are remembered, or put back
local TRIES = 3     -- times that windows are put back after one change of displays, at most
local SETS = 20     -- of displays that are remembered; the one that was not there for longest is forgotten

local layouts = store.open "display_layouts"


--- A name for displays and how they are arranged: "DP-1 2560x1440+1920+0, eDP-1 1920x1080+0+0".
local function set_of(displays)
  local names = {}
  for i, each in ipairs(displays) do
    local b = each.bounds
    names[i] = ("%s %gx%g%+g%+g"):format(each.name, b.width, b.height, b.x, b.y)
  end
  table.sort(names)
  return table.concat(names, ", ")
end


--- Without the sets that are too many.
local function trimmed(all)
  local order = {}
  for set, layout in pairs(all) do order[#order + 1] = { set = set, when = layout.when } end
  table.sort(order, function(a, b) return a.when > b.when end)
  for i = SETS + 1, #order do all[order[i].set] = nil end
  return all
end


local function remember(set)
  local places = {}
  for _, w in ipairs(assert(window.list())) do
    if w.kind ~= "panel" and not w.minimized and not w.hidden then
      places[#places + 1] = { pid = w.pid, started = w.started, id = w.id, frame = w.frame, maximized = w.maximized }
    end
  end
  assert(layouts:update("sets", function(all)
    all = all or {}
    all[set] = { when = time.now(), windows = places }
    return trimmed(all)
  end))
end


local function same(a, b) return a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height end


--- Returns how many windows were moved.
local function put_back(places)
  local moved = 0
  for _, before in ipairs(places) do
    local now = window.get(before)
    if now and not (same(now.frame, before.frame) and now.maximized == before.maximized) then
      if now.maximized then window.restore(now) end
      local outcome = window.place(now, before.frame)
      if outcome and before.maximized then outcome = window.maximize(now) end
      if outcome then moved = moved + 1 end
    end
  end
  return moved
end


local function start(context)
  local current = set_of(assert(display.list()))

  --- The system also moves windows when a display goes. It may do so before it says that the display is gone.
  local look = assert(time.delayed(QUIET, function()
    if set_of(assert(display.list())) == current then remember(current) end
  end))

  local arrive, tries = nil, 0

  --- Puts windows back, and looks again: a window manager that is slower than this moves them once more.
  local function put_all_back()
    current = set_of(assert(display.list()))
    local layout = (layouts:get "sets" or {})[current]
    local moved = layout and put_back(layout.windows) or 0
    if layout and (moved > 0 or tries == 0) then context.log(("%s: windows put back: %d"):format(current, moved)) end
    tries = tries + 1
    if moved > 0 and tries < TRIES then return arrive:start() end
    tries = 0
    remember(current)
  end

  arrive = assert(time.delayed(QUIET, put_all_back))
  assert(display.events(function(event)
    if event.what == "changed" and (arrive:waits() or set_of(event.displays) ~= current) then
      tries = 0
      arrive:start()
    end
  end))
  assert(window.events({ what = { "opened", "moved", "changed", "closed" } }, function()
    if not arrive:waits() then look:start() end
  end))
  look:start()
end


-- --- examples -----------------------------------------------------------------------------------------

local LAPTOP = { name = "eDP-1", bounds = { x = 0, y = 0, width = 1920, height = 1080 } }
local MONITOR = { name = "DP-1", bounds = { x = 1920, y = 0, width = 2560, height = 1440 } }
local HERE = { id = 7, kind = "window", frame = { x = 2000, y = 50, width = 800, height = 600 }, maximized = false }
local THERE = { id = 7, kind = "window", frame = { x = 100, y = 50, width = 800, height = 600 }, maximized = false }


---@type Service
return {
  description = "Puts windows back when displays are connected again.",
  start       = start,

  examples = {
    { "puts a window back", log = { "DP-1 2560x1440+1920+0, eDP-1 1920x1080+0+0: windows put back: 1" },
      events = { { "time.delayed 1" },
                 { "display.events", { what = "changed", displays = { LAPTOP } } }, { "time.delayed 1" },
                 { "display.events", { what = "changed", displays = { LAPTOP, MONITOR } } }, { "time.delayed 1" } },
      given = { ["sys.display.list"] = { { LAPTOP, MONITOR }, { LAPTOP, MONITOR }, { LAPTOP }, { LAPTOP, MONITOR } },
                ["sys.window.list"] = { { HERE }, { THERE }, { HERE } }, ["sys.window.get"] = THERE,
                ["sys.window.place"] = {} } },
  },
}
