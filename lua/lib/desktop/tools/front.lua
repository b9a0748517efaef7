--- The window that still lies over one that was brought to the front.

local listable = require "desktop.listable"
local names    = require "desktop.names"
local quoting  = require "desktop.quoting"
local time     = require "sys.time"
local window   = require "sys.window"

local M = {}

local RAISE = 0.4   -- seconds in which the window manager raises a window that has the keyboard already


local function overlap(a, b)
  return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
end


---@class desktop.Front
---@field own? sys.window.Window    nil: the window is not listed, so nothing was seen
---@field other? sys.window.Window  the frontmost window that lies over it; one that is kept above only if there is no other
---@field kept? boolean             true: `other` is kept above others, which is not a failure

--- True if window managers keep the window above the other one: by its state, or as a dialog of the same application.
local function is_kept(each, own)
  return each.above and not own.above or each.pid == own.pid and each.kind ~= "normal"
end


---@param ref sys.window.Ref
---@return desktop.Front
local function look(ref)
  local windows = window.list() or {}
  local place = 1
  while windows[place] and windows[place].id ~= ref.id do place = place + 1 end
  local front = { own = windows[place] }
  for i = 1, front.own and place - 1 or 0 do
    local each = windows[i]
    if each.on_screen and overlap(each.frame, front.own.frame) then
      if not is_kept(each, front.own) then return { own = front.own, other = each } end
      front.other, front.kept = front.other or each, true
    end
  end
  return front
end


--- Looks until no window lies over this one, for as long as a window manager may need.
---@param ref sys.window.Ref
---@return string? seen     "in front", "partly behind …"; nil if it is not listed
---@return boolean? behind  true: it should be in front, and is not
function M.look(ref)
  local front = look(ref)
  local ends = time.monotonic() + RAISE
  while front.other and not front.kept and time.monotonic() < ends do
    local mark = window.changed()
    front = look(ref)
    if front.other and not front.kept then window.changed(mark, { wait = math.max(ends - time.monotonic(), 0) }) end
  end
  if not front.own then return nil end
  if not front.other then return "in front" end
  local title = listable.window(front.other) and " " .. quoting.quote(front.other.title, 60) or ""
  return ("partly behind %s%s"):format(names.window(front.other), title), not front.kept
end


return M
