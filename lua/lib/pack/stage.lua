--- Puts packs in place whole: they are made in a hidden directory beside, which no engine reads, and then renamed.

local crypto = require "sys.crypto"
local fs     = require "sys.fs"
local packs  = require "sys.packs"

local M = {}

local NEW, OLD, GONE = ".adding-", ".replaced-", ".removing-"

local begun = {}   -- paths of the directories that this process has in work


local function unique(prefix) return prefix .. crypto.hex(crypto.random(6)) end


local function path_of(name) return ("%s/%s"):format(packs.folder(), name) end


--- Removes a file, a link or an empty directory. A missing one is not a failure: another task may have removed it.
local function remove(path)
  local ok, err, code = fs.remove(path)
  if ok or code == "not_found" then return true end
  return nil, err, code
end


--- Removes a file, or a directory with all in it. No link is followed.
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


--- Makes a directory to put a pack together in. It is removed when it is closed: `local stage <close> = ...`.
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


--- Removes the directories that this process has in work: after Ctrl-C no `<close>` runs.
function M.abandon()
  for path in pairs(begun) do M.remove_all(path) end
end


--- Gives the pack that was put together its name. An existing pack of this name is moved aside first, and removed afterwards.
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


--- Removes a pack.
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


--- Finishes what a process that died left half done, as far as possible. The caller holds the lock on packs.
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
