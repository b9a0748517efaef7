--- Files and folders that a caller names: only those in the granted directories.

local fail = require "desktop.fail"
local fs   = require "sys.fs"

local M = {}


--- Fails with advice on what to do about a path.
local function failed(given, err, code)
  if code == "not_granted" then
    err = ("%s is outside the granted directories. Start Perigee with --grant for its directory."):format(given)
  elseif code == "not_found" then
    err = ("%s does not exist. Call finder_list_folder to see what is there."):format(given)
  end
  return fail.with(err, code)
end


--- Returns the absolute path of a file or folder, with links resolved, and its kind.
---@param given string
---@return string? path
---@return string? kind_or_err  "file", "folder" or "other"
---@return string? code
function M.existing(given)
  local path, err, code = fs.resolve(given)
  local entry
  if path then entry, err, code = fs.stat(path) end
  if not entry then return failed(given, err, code) end
  return path, entry.kind
end


--- The same for a folder.
---@param given string
---@return string? path
---@return string? err
---@return string? code
function M.folder(given)
  local path, kind, code = M.existing(given)
  if not path then return nil, kind, code end
  if kind ~= "folder" then return fail.with(("%s is not a folder."):format(given), "not_a_folder") end
  return path
end


---@class common.Item
---@field path string    absolute, the folder's links resolved
---@field name string
---@field folder string  the one that it is in
---@field kind "file"|"folder"|"other"

--- Splits a path into a folder and a name. One that ends in . or .. is resolved first.
local function parts(given)
  local trimmed = #given > 1 and given:gsub("(.)/+$", "%1") or given
  local folder, name = trimmed:match "^(.*)/([^/]+)$"
  if not folder then folder, name = ".", trimmed end
  if name == "." or name == ".." or name == "~" or trimmed == "/" then
    local real, err, code = fs.resolve(given)
    if not real then return nil, err, code end
    folder, name = real:match "^(.*)/([^/]+)$"
    if not name then return nil, "it is the top of all folders", "not_granted" end
  end
  return folder == "" and "/" or folder, name
end


--- Returns a file or folder that is to be moved, copied or trashed. A link is refused: it is not known whether the link is meant,
--- or the file that it leads to. A granted directory itself is not moved: the one that it is in is not granted.
---@param given string
---@return common.Item? item
---@return string? err
---@return string? code
function M.item(given)
  local folder, name, code = parts(given)
  if not folder then return failed(given, name, code) end
  local above, err
  above, err, code = fs.resolve(folder)
  if not above then return failed(given, err, code) end
  local path = (above == "/" and "" or above) .. "/" .. name
  local real
  real, err, code = fs.resolve(path)
  local entry
  if real then entry, err, code = fs.stat(path) end
  if not entry then return failed(given, err, code) end
  if real ~= path then
    return fail.with(("%s is a link to %s. Name the file that it leads to."):format(given, real), "is_link")
  end
  return { path = path, name = name, folder = above, kind = entry.kind }
end


--- Returns the place of an item in another folder, where nothing may be yet.
---@param item common.Item
---@param folder string  absolute
---@return string? path
---@return string? err
---@return string? code
function M.free(item, folder)
  local path = (folder == "/" and "" or folder) .. "/" .. item.name
  if item.kind == "folder" and (folder .. "/"):sub(1, #item.path + 1) == item.path .. "/" then
    return fail.with(("%s is in %s. A folder cannot be put into itself."):format(folder, item.path), "into_itself")
  end
  local there, err, code = fs.stat(path)
  if there or code == "not_granted" then
    return fail.with(("%s already exists. Rename or trash one of them first; nothing is replaced."):format(path), "exists")
  end
  if code ~= "not_found" then return failed(path, err, code) end
  return path
end


--- True if there is nothing at a path; false also if that cannot be seen.
---@param path string
---@return boolean
function M.is_gone(path)
  local _, _, code = fs.stat(path)
  return code == "not_found"
end


return M
