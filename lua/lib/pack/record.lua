--- packs.json: records where packs are from, and which state of their files the user approved. src/registry/packs.h reads it.

local file_lock = require "file_lock"
local fs        = require "sys.fs"
local json      = require "sys.json"
local packs     = require "sys.packs"
local task      = require "sys.task"
local time      = require "sys.time"

local M = {}

local LOCK = "packs"
local SECONDS = 10   -- time limit for another `perigee pack` to end

---@class pack.Record
---@field source? string    a directory or a URL; nil if the user put the pack there by hand
---@field ref? string       as the user gave it
---@field commit? string
---@field version string
---@field recorded string   the time, ISO 8601
---@field digest string
---@field approved boolean  true if this state of the files is approved
---@field reaches string[]  modules that reach beyond computing, by name
---@field hidden integer    the number of places whose required modules cannot be determined
---@field files {path: string, size: integer, sha256: string, stamp: string}[]  by path


local function path() return packs.folder() .. ".json" end


---@return table? whole  {packs = {...}}
---@return string? err
---@return string? code  "damaged"
local function read()
  local bytes, err, code = fs.read(path())
  if not bytes then
    if code == "not_found" then return { packs = json.object {} } end
    return nil, err, code
  end
  local whole
  whole, err = json.decode(bytes)
  if type(whole) == "table" and type(whole.packs) == "table" and not json.is_array(whole.packs) then return whole end
  return nil, ("%s is damaged (%s). Correct it, or remove it and approve your packs again"):format(path(),
    err or "it is other JSON"), "damaged"
end


--- Returns the records of all packs. Values that are not a record are left out.
---@return table<string, pack.Record>? records
---@return string? err
---@return string? code
function M.all()
  local whole, err, code = read()
  if not whole then return nil, err, code end
  local records = {}
  for name, each in pairs(whole.packs) do
    if type(each) == "table" and type(each.files) == "table" then records[name] = each end
  end
  return records
end


--- Locks packs and their record, to change them. Close the returned value to unlock them.
---@return table? held
---@return string? err
---@return string? code  "busy"
function M.hold()
  local held, err, code = file_lock.hold(LOCK, SECONDS)
  if held then return held end
  if code == "busy" then err = "another `perigee pack` is at work. Try again when it has ended" end
  return nil, err, code
end


--- Sets the record of a pack; nil removes it. The caller holds the lock.
---@param name string
---@param record? pack.Record
---@return true? ok
---@return string? err
---@return string? code
function M.set(name, record)
  local held <close> = task.lock(LOCK)
  local whole, err, code = read()
  if not whole then return nil, err, code end
  whole.packs[name] = record
  local text
  text, err = json.encode(whole, { pretty = true })
  if not text then return nil, err, "bad_value" end
  return fs.write(path(), text .. "\n")
end


--- Returns a record of this content.
---@param content pack.Content
---@param permissions pack.Permissions  of this content
---@param from {source?: string, ref?: string, commit?: string}
---@param approved boolean
---@return pack.Record
function M.of(content, permissions, from, approved)
  local files, reaches = {}, {}
  for i, each in ipairs(permissions.reach) do reaches[i] = each.module end
  for i, file in ipairs(content.files) do
    files[i] = json.object({ path = file.path, sha256 = file.sha256, size = file.size, stamp = file.stamp },
      { "path", "sha256", "size", "stamp" })
  end
  return json.object({
    source = from.source, ref = from.ref, commit = from.commit, version = content.manifest.version,
    recorded = (time.iso():gsub("%.%d+", "")), digest = content.digest, approved = approved, reaches = json.array(reaches),
    hidden = #permissions.hidden, files = json.array(files),
  }, { "source", "ref", "commit", "version", "recorded", "digest", "approved", "reaches", "hidden", "files" })
end


return M
