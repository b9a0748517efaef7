--- packs.json: where packs are from, and which state of their files the user approved. src/registry/packs.h reads it.

local file_lock = require "file_lock"
local fs        = require "sys.fs"
local json      = require "sys.json"
local packs     = require "sys.packs"
local task      = require "sys.task"
local time      = require "sys.time"

local M = {}

local LOCK = "packs"
local SECONDS = 10   -- another `perigee pack` may take as long

---@class pack.Record
---@field source? string    a directory or a URL; nil: somebody put it there
---@field ref? string       as it was asked for
---@field commit? string
---@field version string
---@field recorded string   when, ISO 8601
---@field digest string
---@field approved boolean  as it is recorded
---@field reaches string[]  modules that reach beyond computing, by name
---@field hidden integer    places where it cannot be told what it requires
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


--- What is recorded of all packs. What is no record counts for nothing.
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


--- The right to change packs and their record; close it to give it back.
---@return table? held
---@return string? err
---@return string? code  "busy"
function M.hold()
  local held, err, code = file_lock.hold(LOCK, SECONDS)
  if held then return held end
  if code == "busy" then err = "another `perigee pack` is at work. Try again when it has ended" end
  return nil, err, code
end


--- Sets what is recorded of a pack; nil: nothing is any more. The caller holds the right to.
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


--- What is recorded of this content.
---@param content pack.Content
---@param permissions pack.Permissions  its
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
