--- Putting packs in place whole: they are made in a directory beside, whose hidden name no engine looks into, and renamed.

local crypto = require "sys.crypto"
local fs     = require "sys.fs"
local packs  = require "sys.packs"

local M = {}

local NEW, OLD, GONE = ".adding-", ".replaced-", ".removing-"

local begun = {}   -- paths of what this process puts together


local function unique(prefix) return prefix .. crypto.hex(crypto.random(6)) end


local function path_of(name) return ("%s/%s"):format(packs.folder(), name) end


--- A file, a link or an empty directory. What is gone already is removed, too: another task may be at it.
local function remove(path)
  local ok, err, code = fs.remove(path)
  if ok or code == "not_found" then return true end
  return nil, err, code
end


--- Removes what is there, a directory with all in it. No link is followed.
---@param path string
---@return true? ok
---@return string? err
---@return string? code
function M.remove_all(path)
  if remove(path) then return true end
  local entries, err, code = fs.list(path)
  if not entries and code ~= "not_found" then return nil, err, code end
  for _, entry in ipairs(entries or {}) do
    local ok
    ok, err, code = M.remove_all(("%s/%s"):format(path, entry.name))
    if not ok then return nil, err, code end
  end
  return remove(path)
end


--- Makes a directory to put a pack together in, which is removed when it is closed: `local stage <close> = ...`.
---@return {name: string, path: string}? stage  its name in sys.packs.folder(), and its path
---@return string? err
---@return string? code
function M.begin()
  local name = unique(NEW)
  local path = path_of(name)
  local ok, err, code = fs.make_folder(path)
  if not ok then return nil, err, code end
  begun[path] = true
  return setmetatable({ name = name, path = path }, { __close = function() M.remove_all(path) end })
end


--- Removes what this process began and did not end: after Ctrl-C no `<close>` comes so far.
function M.abandon()
  for path in pairs(begun) do M.remove_all(path) end
end


--- Gives what was put together its name. What is there in its place is put aside first, and removed afterwards.
---@param stage {name: string, path: string}
---@param name string
---@return true? ok
---@return string? err
---@return string? code
function M.place(stage, name)
  local old = path_of(("%s-%s"):format(unique(OLD), name))
  local moved, err, code = fs.rename(path_of(name), old)
  if not moved and code ~= "not_found" then return nil, err, code end
  local ok
  ok, err, code = fs.rename(stage.path, path_of(name))
  if not ok then
    if moved then fs.rename(old, path_of(name)) end
    return nil, err, code
  end
  if moved then M.remove_all(old) end
  return true
end


--- Takes a pack away.
---@param name string
---@return true? ok
---@return string? err
---@return string? code
function M.remove(name)
  local gone = path_of(unique(GONE))
  local ok, err, code = fs.rename(path_of(name), gone)
  if not ok then return nil, err, code end
  return M.remove_all(gone)
end


--- Ends what a process that died left half done, as far as that can be. The caller holds the right to change packs.
function M.clean()
  local entries, there = fs.list(packs.folder()) or {}, {}
  for _, entry in ipairs(entries) do there[entry.name] = true end
  for _, entry in ipairs(entries) do
    local name = entry.name:match("^" .. OLD:gsub("%p", "%%%0") .. "%x+%-(.+)$")
    if name and not there[name] then
      there[name] = true
      fs.rename(path_of(entry.name), path_of(name))
    elseif name or entry.name:sub(1, #NEW) == NEW or entry.name:sub(1, #GONE) == GONE then
      M.remove_all(path_of(entry.name))
    end
  end
end


return M
