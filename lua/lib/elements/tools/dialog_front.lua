--- The dialog in front: one of an application, or one that another process shows for it.

local await      = require "elements.read.await"
local dialogs    = require "elements.read.dialogs"
local target     = require "elements.find.target"
local unreadable = require "elements.dialogs.unreadable"
local window     = require "sys.window"
local windows    = require "elements.read.windows"
local words      = require "elements.read.words"

local M = {}

local TELLS = 1   -- seconds for the application to report a window that has opened


local function none(place)
  local titles = {}
  for _, each in ipairs(window.list { pid = place.pid } or {}) do titles[#titles + 1] = words.quote(each.title, 60) end
  return nil, ("The application shows no dialog. Its windows: %s. To handle one of them, pass window."):format(
    #titles > 0 and table.concat(titles, ", ") or "none"), "dialog_not_found"
end


--- The process that shows a dialog for the application: its window is a dialog of one of theirs. Portals do this.
local function shown_for(place)
  local mine = windows.now(place.pid) or {}
  for _, each in ipairs(window.list() or {}) do
    if each.pid ~= place.pid and each.parent and mine[each.parent] then
      return { pid = each.pid, started = each.started, background = place.background }
    end
  end
end


--- Looks at the whole application, because windows that come after the dialog are outside of it.
local function look_at(place, window_id)
  local mark = await.mark(place.pid)
  local snapshot, err, code = target.look(place)
  if not snapshot then return nil, err, code end
  local node = dialogs.front(snapshot, window_id)
  if node then return { place = place, snapshot = snapshot, mark = mark, dialog = dialogs.read(snapshot, node) } end
  local bare = unreadable.window(snapshot, window_id)
  if bare then return { place = place, mark = mark, bare = bare } end
  return none(place)
end


--- Looks until the application reports the dialog: a new window is there before the application reports it, and the dialog of a
--- page in Firefox before its buttons.
---@param place elements.Place
---@param window_id? integer
---@param for_button boolean  one of its buttons is to be pressed
local function look_until_told(place, window_id, for_button)
  local seen, err, code = look_at(place, window_id)
  local function is_told()
    return not seen or not seen.bare and not (for_button and #seen.dialog.buttons == 0)
  end
  if is_told() or seen.bare and not unreadable.is_new(seen.bare) then return seen, err, code end
  await.until_seen(place.pid, seen.mark, TELLS, function()
    seen, err, code = look_at(place, window_id)
    return is_told()
  end)
  return seen, err, code
end


---@return {place: elements.Place, snapshot: elements.Snapshot, mark?: integer, dialog: elements.Dialog}? seen
---  if the application reports nothing of the dialog: `bare`, its window
---@return string? err
---@return string? code
function M.look(args)
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  local window_id = place.window
  place.window = nil
  local seen
  seen, err, code = look_until_told(place, window_id, args.button ~= nil)
  local other = code == "dialog_not_found" and not window_id and shown_for(place)
  if other then return look_until_told(other, nil, args.button ~= nil) end
  return seen, err, code
end


return M
