--- Screenshots that tools returned, so that a pixel of one can be converted to a point of the desktop.
--
-- The last 64 are kept. A screenshot of a window belongs to the window. If the window was moved since, its pixels moved with
-- it. If the window changed its size, was minimized or is covered at that pixel, the pixel is refused.

local listable = require "desktop.listable"
local owner    = require "owner"
local quoting  = require "desktop.quoting"
local state    = require "sys.state"
local window   = require "sys.window"

local M = {}

M.KEPT = 64
local COMPARED = 16     -- the newest of these, for which marks are kept: about 20 kB each


---@class desktop.Picture
---@field image_id string
---@field origin {x: number, y: number}  point of its top left pixel
---@field scale number   pixels per point
---@field width integer  pixels
---@field height integer
---@field window? sys.window.Ref     the window that it shows
---@field frame? sys.window.Rect     that window's frame when it was taken
---@field path? string   the file it was saved to
---@field size? integer  bytes of that file
---@field owner? string  owner.key()
---@field marks? string  only for the newest: to compare a later screenshot with it

---@return {number: integer, run: string, list: desktop.Picture[]}
local function taken()
  local mine = state.open "desktop"
  -- A mark for this run: an ID of an earlier run must not mean a picture of this one.
  mine.pictures = mine.pictures or { number = 0, run = ("%04x"):format(math.random(0, 0xffff)), list = {} }
  return mine.pictures
end


--- Remembers a picture of sys.screen, and gives it an ID.
---@param picture sys.screen.Picture
---@param of? sys.window.Window  the window it shows, as it was
---@return string image_id
function M.keep(picture, of)
  local mine = taken()
  mine.number = mine.number + 1
  local image_id = ("image-%s-%d"):format(mine.run, mine.number)
  table.insert(mine.list, {
    image_id = image_id, owner = owner.key(),
    origin = picture.origin, scale = picture.scale, width = picture.width, height = picture.height,
    window = of and { pid = of.pid, started = of.started, id = of.id }, frame = of and of.frame, marks = picture.marks,
    path = picture.path, size = picture.path and picture.size,
  })
  while #mine.list > M.KEPT do table.remove(mine.list, 1) end
  local marked = 0
  for i = #mine.list, 1, -1 do
    if mine.list[i].marks then marked = marked + 1 end
    if marked > COMPARED then mine.list[i].marks = nil end
  end
  return image_id
end


--- Remembers a part of a picture.
---@param picture sys.screen.Picture
---@param part sys.screen.Change
---@param of? sys.window.Window
---@return string image_id
function M.keep_part(picture, part, of)
  return M.keep({
    origin = { x = picture.origin.x + part.x / picture.scale, y = picture.origin.y + part.y / picture.scale },
    scale = picture.scale, width = part.width, height = part.height,
  }, of)
end


---@param image_id string
---@return desktop.Picture? picture
---@return string? err
---@return string? code  "image_not_found"
function M.get(image_id)
  for _, picture in ipairs(taken().list) do
    if picture.image_id == image_id and owner.is_mine(picture.owner) then return picture end
  end
  return nil, ("There is no screenshot %s; only the last %d of this run are kept. Take another screenshot."):format(
    quoting.quote(image_id, 80), M.KEPT), "image_not_found"
end


--- The newest screenshot that was saved as this file, if it is of a window and the file's sizes are still the same.
---@param file sys.picture.File
---@return desktop.Picture?
function M.of_file(file)
  local list = taken().list
  for i = #list, 1, -1 do
    local picture = list[i]
    if picture.path == file.path then
      local same = picture.size == #file.bytes and picture.width == file.width and picture.height == file.height
      return same and picture.window and picture or nil
    end
  end
end


--- True if a picture shows the same thing as an earlier one: the same window, or the same part of the desktop.
---@param earlier desktop.Picture
---@param picture sys.screen.Picture
---@param of? sys.window.Window
---@return boolean
function M.same_thing(earlier, picture, of)
  local was = earlier.window
  if was or of then
    return was ~= nil and of ~= nil and was.id == of.id and was.pid == of.pid and was.started == of.started
  end
  return earlier.origin.x == picture.origin.x and earlier.origin.y == picture.origin.y and earlier.scale == picture.scale
    and earlier.width == picture.width and earlier.height == picture.height
end


local function within(rect, x, y)
  return x >= rect.x and y >= rect.y and x < rect.x + rect.width and y < rect.y + rect.height
end


local function titled(w) return quoting.quote(w.title, 100) end


--- The distance by which its window was moved since.
---@return number? dx
---@return number|string dy_or_err
---@return string? code
local function moved(picture, now)
  local was = picture.frame
  if now.minimized or not now.on_screen then
    return nil, ("Window %s is no longer visible, so this screenshot is outdated. Call restore_window or focus_window, then "
      .. "take another screenshot."):format(titled(now)),
      now.minimized and "window_minimized" or "picture_outdated"
  end
  if now.frame.width ~= was.width or now.frame.height ~= was.height then
    return nil, ("Window %s was %gx%g points in this screenshot and is now %gx%g, so its pixels are elsewhere. Take another "
      .. "screenshot."):format(titled(now), was.width, was.height, now.frame.width, now.frame.height),
      "picture_outdated"
  end
  return now.frame.x - was.x, now.frame.y - was.y
end


--- The error for a window that is covered: names the cover and gives advice.
local function covered(now, over, x, y)
  local popup = over.kind == "popup"
  local told = listable.window(over)
  local what = told and over.title ~= "" and titled(over) or ("a %s of %s"):format(popup and "popup" or "window",
    told and over.app ~= "" and quoting.name(over.app) or "another application")
  local cure = told and popup and over.title ~= "" and (" That is a popup of %s: close it first."):format(quoting.name(over.app))
    or popup and " Close it first." or " Call focus_window first."
  return nil, ("Window %s is covered by %s at %g, %g.%s"):format(titled(now), what, x, y, cure), "window_covered"
end


local function point_in_window(picture, x, y)
  local now, err, code = window.get(picture.window)
  if not now then
    if code == "window_not_found" then err = "The window of this screenshot was closed. Take a screenshot of another window." end
    return nil, err, code
  end
  local dx, dy
  dx, dy, code = moved(picture, now)
  if not dx then return nil, dy, code end
  x, y = x + dx, y + dy
  local over
  over, err, code = window.over(now, x, y)
  if over == nil then return nil, err, code end
  if over and not over.own and over.parent ~= now.id then return covered(now, over, x, y) end
  local point = { x = x, y = y, window = picture.window }
  if dx ~= 0 or dy ~= 0 then
    point.note = ("the window has moved by %g, %g since the screenshot, and the point was moved with it"):format(dx, dy)
  end
  return point
end


---@class desktop.Point
---@field x number
---@field y number
---@field window? sys.window.Ref  the point is on this window, and nothing lies over it there
---@field note? string            a change since the screenshot

--- The point of the desktop that a pixel of a picture means now. For a picture of a window it asks for the window.
---@param image_id string
---@param x number  pixels from the picture's left
---@param y number  pixels from its top
---@return desktop.Point? point
---@return string? err
---@return string? code  "image_not_found", "outside", "window_not_found", "window_minimized", "window_covered",
---                      "picture_outdated"
function M.point(image_id, x, y)
  local picture, err, code = M.get(image_id)
  if not picture then return nil, err, code end
  if not within({ x = 0, y = 0, width = picture.width, height = picture.height }, x, y) then
    return nil, ("Pixel %g, %g is outside the screenshot (%d x %d). Use x from 0 to %d and y from 0 to %d."):format(
      x, y, picture.width, picture.height, picture.width - 1, picture.height - 1), "outside"
  end
  x, y = picture.origin.x + x / picture.scale, picture.origin.y + y / picture.scale
  if picture.window then return point_in_window(picture, x, y) end
  return { x = x, y = y }
end


return M
