--- The places, sizes and states of windows, as a transaction keeps them.

local window = require "sys.window"

local M = {}

local STATES = { "minimized", "maximized", "fullscreen" }


---@param place sys.window.Ref
---@return table? state
---@return string? err
---@return string? code
function M.state(place)
  local its, err, code = window.get(place)
  if not its then
    if code == "window_not_found" then err = "the window is closed" end
    return nil, err, code
  end
  local frame = its.frame
  return { x = frame.x, y = frame.y, width = frame.width, height = frame.height, minimized = its.minimized,
    maximized = its.maximized, fullscreen = its.fullscreen }
end


--- A minimized window has no place of its own under some window managers.
function M.same(one, other)
  for _, name in ipairs(STATES) do
    if one[name] ~= other[name] then return false end
  end
  if one.minimized then return true end
  for _, name in ipairs { "x", "y", "width", "height" } do
    if math.abs(one[name] - other[name]) > 1 then return false end
  end
  return true
end


function M.cannot() return nil end


--- True if a function of sys.window did it; otherwise its note.
local function did(outcome, err, code)
  if not outcome then return nil, err, code end
  if outcome.done then return true end
  return nil, outcome.note or "the window did not do it"
end


--- The next step on the way to a state; nil: there is none.
local function step(place, now, before)
  if now.minimized and not before.minimized then return window.restore(place) end
  if before.fullscreen then
    if not now.fullscreen then return window.fullscreen(place) end
  elseif before.maximized then
    if now.fullscreen then return window.restore(place) end
    if not now.maximized then return window.maximize(place) end
  elseif not (now.minimized and before.minimized) and not M.same(now, before) then
    if not before.minimized or now.maximized or now.fullscreen then return window.place(place, before) end
  end
  if before.minimized and not now.minimized then return window.minimize(place) end
end


local STEPS = 4
local REFUSES = "the window manager did not let it"

---@param place sys.window.Ref
---@param before table
---@return true? ok
---@return string? err
---@return string? code
function M.restore(place, before)
  for _ = 1, STEPS do
    local now, err, code = M.state(place)
    if not now then return nil, err, code end
    if M.same(now, before) then return true end
    local ok
    ok, err, code = did(step(place, now, before))
    if not ok then return nil, err or REFUSES, code end
  end
  return nil, REFUSES
end


M.changed = "it was moved, resized or changed since by something else"

return M
