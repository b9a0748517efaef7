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


--- What a call of sys.window did; its note if it did not.
local function did(outcome, err, code)
  if not outcome then return nil, err, code end
  if outcome.done then return true end
  return nil, outcome.note or "the window did not do it"
end


---@param place sys.window.Ref
---@param before table
---@return true? ok
---@return string? err
---@return string? code
function M.restore(place, before)
  local now, err, code = M.state(place)
  if not now then return nil, err, code end
  if before.fullscreen then return did(window.fullscreen(place)) end
  if before.maximized and not before.minimized then return did(window.maximize(place)) end
  local ok = true
  if now.minimized and not before.minimized then ok, err, code = did(window.restore(place)) end
  if ok and not before.minimized then ok, err, code = did(window.place(place, before)) end
  if ok and before.minimized then ok, err, code = did(window.minimize(place)) end
  return ok, err, code
end


M.changed = "it was moved, resized or changed since by something else"

return M
