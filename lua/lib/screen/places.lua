--- The places and names of saved screenshots.
--
--   a directory (exists, or ends in "/")      DIR/perigee_TIME_INFO.png
--   a name that ends in .png, .jpg, .jpeg     one window: that file; displays and all windows: NAME_INFO.png
--   anything else is a prefix                 one window: PATH.png; displays and all windows: PATH_INFO.png
--   none                                      a temporary file, perigee_UUID_INFO.png
--
-- INFO is display0_main, display1, ... or window0_TITLE. A path from the environment is a directory unless it ends like an
-- image. A file that is not an image is never replaced.

local env     = require "sys.env"
local fault   = require "screen.fault"
local picture = require "sys.picture_file"
local time    = require "sys.time"

local M = {}

local VARIABLES = { "PERIGEE_SAVE_PATH", "PEEKABOO_DEFAULT_SAVE_PATH" }
local TITLE_BYTES, APP_BYTES = 60, 40
local FORMAT_OF = { png = "png", jpg = "jpg", jpeg = "jpg" }

--- Extensions of image formats that are not written.
local OTHERS = { avif = true, bmp = true, gif = true, heic = true, jp2 = true, pdf = true, svg = true, tif = true, tiff = true,
  webp = true }


-- --- names ------------------------------------------------------------------------

--- True for a character that a file name may contain: no control character, no space but " ", no invisible character, none that
--- changes the direction of writing, and none that a shell or another file system misreads.
local function allowed(c)
  if c < 0x80 then return utf8.char(c):find "[%w._-]" ~= nil end
  if c < 0xA1 or c == 0xAD or c == 0x61C or c == 0xFEFF then return false end
  if c >= 0x2000 and c <= 0x206F or c == 0x3000 or c == 0x1680 or c == 0x180E then return false end
  if c >= 0xD800 and c <= 0xF8FF or c >= 0xFFF0 and c <= 0xFFFF then return false end
  return c < 0xE0000
end


--- Text as a part of a file name: "Letter to Ann.odt - Writer" becomes "Letter_to_Ann.odt_-_Writer".
---@param text string
---@param most integer  bytes
---@return string       may be empty
function M.clean(text, most)
  local parts, used = {}, 0
  if not utf8.len(text) then text = text:gsub("[\128-\255]", "_") end
  for _, c in utf8.codes(text) do
    local char = allowed(c) and utf8.char(c) or "_"
    if used + #char > most then break end
    if char ~= "_" or parts[#parts] ~= "_" then
      parts[#parts + 1] = char
      used = used + #char
    end
  end
  return (table.concat(parts):gsub("^[%._%-]+", ""):gsub("[%._%-]+$", ""))
end


---@param index integer  from 0
---@param main boolean
---@return string
function M.display_info(index, main)
  return ("display%d%s"):format(index, main and "_main" or "")
end


---@param index integer
---@param title string
---@return string
function M.window_info(index, title)
  local clean = M.clean(title, TITLE_BYTES)
  return ("window%d%s"):format(index, clean ~= "" and "_" .. clean or "")
end


-- --- places ---------------------------------------------------------------------------

---@class screen.Place
---@field way "folder"|"file"|"prefix"|"temporary"
---@field base string      absolute; "" for a temporary file
---@field extension string "png", "jpg", or the extension in the path
---@field format "png"|"jpg"
---@field single boolean   one image, whose name needs no info
---@field app string       part of names in directories; "" for displays
---@field named? string    the path of which it was made, as the caller gave it


--- The path in effect, and true if it comes from the environment; nil: there is none.
local function asked(path)
  if path then return path, false end
  for _, name in ipairs(VARIABLES) do
    local value = env.get(name)
    if value then return value, true end
  end
end


--- True if screenshots are saved at a path even if they are returned.
---@param path? string
---@return boolean
function M.named(path)
  return asked(path) ~= nil
end


--- The extension of an image's path, as written: "PNG" for "/a/b.PNG"
local function extension_of(path)
  local extension = path:match "[^/]%.(%w+)$"
  return extension and FORMAT_OF[extension:lower()] and extension
end


--- The requested format, or the one of the path's extension.
---@param path? string
---@param format? "png"|"jpg"
---@return "png"|"jpg"
function M.format(path, format)
  local where = asked(path)
  local extension = where and extension_of(where)
  return format or extension and FORMAT_OF[extension:lower()] or "png"
end


--- Decides where the images of a request are saved.
---@param request {path?: string, format: "png"|"jpg", single: boolean, app: string}
---@param notes screen.Notes
---@return screen.Place? place
---@return string? err
---@return string? code
---@return string? details
function M.decide(request, notes)
  local path, from_env = asked(request.path)
  local place = { way = "temporary", base = "", extension = request.format, format = request.format,
    single = request.single, app = M.clean(request.app, APP_BYTES), named = request.path }
  if not path then return place end
  if path:find("\0", 1, true) then return nil, "The path contains a NUL character. Remove it.", "INVALID_ARGUMENT" end
  local seen, err, code = picture.look(path)
  if not seen then return fault.from(err, code) end
  place.base = seen.path
  local extension = extension_of(path)
  if seen.kind == "folder" or path:sub(-1) == "/" or from_env and not extension then
    if seen.kind == "other" or seen.kind == "picture" then
      return nil, ("%s is a file, not a directory. Choose another path."):format(seen.path), "FILE_IO_ERROR", "not_a_folder"
    end
    place.way = "folder"
  elseif extension then
    place.way = "file"
    if FORMAT_OF[extension:lower()] == request.format then
      place.extension = extension
    else
      notes:message(("The format is %s, so the file name ends in .%s instead of .%s."):format(request.format,
        request.format, extension))
    end
    place.base = seen.path:sub(1, -#extension - 2)
  else
    place.way = "prefix"
    local other = path:match "[^/]%.(%w+)$"
    if other and OTHERS[other:lower()] then
      notes:message(("Images are PNG or JPEG, not %s, so .%s is appended to the file name."):format(other:upper(),
        request.format))
    end
  end
  return place
end


--- "20260102T030405678Z"
local function stamp()
  return (time.iso():gsub("[-:%.]", ""))
end


local function path_of(place, info)
  if place.way == "folder" then
    local folder, app = place.base:gsub("/$", ""), place.app ~= "" and place.app .. "_" or ""
    return ("%s/perigee_%s_%s%s.%s"):format(folder, stamp(), app, info, place.extension)
  end
  if place.single then return place.base .. "." .. place.extension end
  return ("%s_%s.%s"):format(place.base, info, place.extension)
end


--- The checked path of one image: a file that is not an image is never replaced. A temporary file is created.
---@param place screen.Place
---@param info string
---@param notes screen.Notes
---@return string? path
---@return string? err
---@return string? code
---@return string? details
function M.path(place, info, notes)
  local seen, path, err, code
  if place.way == "temporary" then
    path, err, code = picture.temporary((place.app ~= "" and place.app .. "_" or "") .. info, place.extension)
    if not path then return nil, err, "FILE_IO_ERROR", code end
    return path
  end
  path = path_of(place, info)
  seen, err, code = picture.look(path)
  if not seen then return fault.from(err, code) end
  if seen.kind == "folder" then
    return nil, ("%s is a directory. Pass the path of a file, or end the path in / to save inside it."):format(seen.path),
      "FILE_IO_ERROR", "is_a_folder"
  elseif seen.kind == "other" then
    return nil, ("%s already exists and is not an image. Choose another path."):format(seen.path),
      "FILE_IO_ERROR", "exists"
  elseif seen.kind == "picture" then
    notes:message(("The existing image %s was replaced."):format(seen.path))
  end
  return seen.path
end


--- Removes a temporary file that was not filled.
---@param place screen.Place
---@param path string
function M.discard(place, path)
  if place.way == "temporary" then picture.remove(path) end
end


return M
