--- Files and folders, as a file manager works with them: by the Finder on a Mac, elsewhere by sys.fs and the desktop's trash.
--- What was done is looked at afterwards.

local effect  = require "sys.effect"
local fail    = require "desktop.fail"
local fs      = require "sys.fs"
local letters = require "letters"
local place   = require "common.place"
local script  = require "common.script"
local system  = require "common.system"
local trash   = require "common.trash"
local tree    = require "common.tree"

local M = {}


-- --- looking ---------------------------------------------------------------------------------------

-- Classes of the Finder, in words and as it writes those that it has no word for.
local FOLDERS = { folder = true, container = true, disk = true, ["«class cfol»"] = true, ["«class cdis»"] = true }
local LINKS = { ["alias file"] = true, ["«class alia»"] = true }

---@class common.Found
---@field name string
---@field kind "file"|"folder"|"link"|"other"


--- Reads what the Finder said. It shows a colon in a name as a slash.
local function items_of(name, said)
  local parts, items = script.split(said, ":"), {}
  if #parts % 2 ~= 0 then return script.strange(name, said) end
  for i = 1, #parts, 2 do
    local class = parts[i]
    local kind = FOLDERS[class] and "folder" or LINKS[class] and "link" or "file"
    items[#items + 1] = { name = parts[i + 1]:gsub("/", ":"), kind = kind }
  end
  return items
end


--- The items of a folder that are not hidden, by name.
---@param folder string  absolute
---@param filter? string  only those whose names contain this, in any case
---@return common.Found[]? items
---@return string? err
---@return string? code
function M.items(folder, filter)
  if system.is_mac() then
    local name = filter and "finder_get_items" or "finder_list_folder"
    local said, err, code = script.run(name, { folder, filter and (filter:gsub(":", "/")) }, 35)
    if not said then return nil, err, code end
    return items_of(name, said)
  end
  local list, err, code = fs.list(folder)
  if not list then return fail.with(err, code) end
  local items, wanted = {}, filter and letters.fold(filter)
  for _, entry in ipairs(list) do
    local shown = entry.name:sub(1, 1) ~= "." and (not wanted or letters.fold(entry.name):find(wanted, 1, true))
    if shown then items[#items + 1] = { name = entry.name, kind = entry.kind } end
  end
  return items
end


-- --- moving ----------------------------------------------------------------------------------------

---@class common.Done
---@field from string
---@field path? string   where it is now; nil: that is not known
---@field left_out? integer  links and special files in a copied folder
---@field note? string

--- The item, its folder to be, and its place there.
local function route(given, into)
  local item, err, code = place.item(given)
  if not item then return nil, err, code end
  local folder
  folder, err, code = place.folder(into)
  if not folder then return nil, err, code end
  local path
  path, err, code = place.free(item, folder)
  if not path then return nil, err, code end
  return { item = item, folder = folder, path = path }
end


--- Has the Finder do it. A policy that is about files judges it first: no binding sees the paths.
local function by_finder(name, way)
  local ok, err, code = effect.save_file(way.path, way.item.path)
  if not ok then return nil, err, code end
  ok, err, code = script.run(name, { way.item.path, way.folder }, 310)
  if not ok then return nil, err, code end
  return true
end


local function not_seen(way, verb)
  return fail.with(("%s was to be %s to %s, and is not there. Call finder_list_folder to see what happened."):format(
    way.item.path, verb, way.path), "not_seen")
end


---@param given string
---@param into string
---@return common.Done? done
---@return string? err
---@return string? code
function M.move(given, into)
  local way, err, code = route(given, into)
  if not way then return nil, err, code end
  local ok
  if system.is_mac() then
    ok, err, code = by_finder("finder_move", way)
    if not ok then return nil, err, code end
  else
    ok, err, code = fs.rename(way.item.path, way.path)
    if not ok and code == "other_disk" then err = "The folder is on another disk. Copy it with finder_copy, then trash it." end
    if not ok then return fail.with(err, code) end
  end
  if not fs.stat(way.path) or not place.is_gone(way.item.path) then return not_seen(way, "moved") end
  return { from = way.item.path, path = way.path }
end


---@param given string
---@param into string
---@return common.Done? done
---@return string? err
---@return string? code
function M.copy(given, into)
  local way, err, code = route(given, into)
  if not way then return nil, err, code end
  local ok, left_out
  if system.is_mac() then
    ok, err, code = by_finder("finder_copy", way)
    if not ok then return nil, err, code end
  elseif way.item.kind == "folder" then
    local copied
    copied, err, code = tree.copy(way.item.path, way.path)
    if not copied then return nil, err, code end
    left_out = copied.left_out > 0 and copied.left_out or nil
  else
    ok, err, code = fs.copy(way.item.path, way.path)
    if not ok then return fail.with(err, code) end
  end
  local before, after = fs.stat(way.item.path), fs.stat(way.path)
  if not before or not after or before.kind ~= after.kind or before.kind == "file" and before.size ~= after.size then
    return not_seen(way, "copied")
  end
  return { from = way.item.path, path = way.path, left_out = left_out }
end


-- --- the trash -------------------------------------------------------------------------------------

local UNSEEN = "It is gone from its folder. Where the trash of its disk is was not seen."

---@param given string
---@return common.Done? done
---@return string? err
---@return string? code
function M.trash(given)
  local item, err, code = place.item(given)
  if not item then return nil, err, code end
  local ok, seen, said
  ok, err, code = effect.trash(item.path)
  if not ok then return nil, err, code end
  if system.is_mac() then
    said, err, code = script.run("finder_trash", { item.path }, 65)
    if not said then return nil, err, code end
    seen = said:find "/%.Trash" ~= nil
  else
    ok, err, code, seen = trash.put(item.path)
    if not ok then return nil, err, code end
  end
  if not place.is_gone(item.path) then
    return fail.with(("%s is still in its folder. Look at it with finder_list_folder before you try again."):format(item.path),
      "not_seen")
  end
  return { from = item.path, in_trash = seen or false, note = not seen and UNSEEN or nil }
end


return M
