--- Image files that other programs show for us, as icons of notifications and status menus.

local crypto       = require "sys.crypto"
local engine       = require "sys.engine"
local fs           = require "sys.fs"
local path         = require "sys.path"
local picture_file = require "sys.picture_file"
local time         = require "sys.time"

local M = {}

local OLD = 30 * 86400   -- seconds after which files of engines that were killed are removed


--- True if it is the path of a file, or the name of an icon. A relative path is neither.
---@param icon string
---@return boolean
function M.is_name_or_path(icon) return path.is_absolute(icon) or not icon:find("/", 1, true) end


--- Checks that image files exist, because programs do not report a missing one.
---@param ... string?  names of icons, or absolute paths
---@return true? ok
---@return string? err
---@return string? code  "not_found"
function M.found(...)
  for _, icon in pairs { ... } do
    local place = path.is_absolute(icon) and picture_file.look(icon)
    if place and (place.kind == "free" or place.kind == "folder") then
      return nil, ("There is no image file at %s. Check the path."):format(icon), "not_found"
    end
  end
  return true
end


local function prune(folder)
  for _, entry in ipairs(fs.list(folder) or {}) do
    if entry.kind == "file" and entry.name:find "%.png$" and time.now() - entry.modified > OLD then
      fs.remove(folder .. "/" .. entry.name)
    end
  end
end


--- Writes these bytes to a new file. Call remove() when another icon replaces it.
---@param png string
---@return string? path
---@return string? err
---@return string? code
function M.write(png)
  local folder, err, code = engine.state_folder "icons"
  if not folder then return nil, err, code end
  prune(folder)
  local file = ("%s/%s.png"):format(folder, crypto.hex(crypto.random(16)))
  local ok
  ok, err, code = fs.write(file, png)
  if not ok then return nil, err, code end
  return file
end


---@param file string
function M.remove(file) fs.remove(file) end


return M
