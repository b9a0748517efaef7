--- Frameworks of the system that have intents of applications: those of Reminders, Calendar and Photos are there.
--
-- Only the files say whose intents they are. So they are read when somebody asks for a dictionary, once for each state, and no
-- list of applications reads one. The folder PERIGEE_SDEF_DIR may have further ones, on every system.

local env     = require "sys.env"
local files   = require "sys.app_files"
local intents = require "dictionary.intents"
local time    = require "sys.time"

local M = {}

local SYSTEM  = "/System/Library"
local PRIVATE = "/System/Library/PrivateFrameworks"
local FRESH   = 1       -- seconds for which the files need not be looked at again

---@class dictionary.FrameworkFile
---@field path string
---@field mark string                changes with the file
---@field of table<string, boolean>  IDs of the applications that it names, in lower case

local found = { at = -math.huge, list = {}, hosts = {} }    -- the files that name an application
local known = {}        -- by path: what was read of a file
local listed = {}       -- { modified, paths } of the system's folder, which has thousands of members


--- Paths of the metadata of the frameworks in a folder.
local function paths_in(folder)
  local paths = {}
  for _, entry in ipairs(files.list(folder) or {}) do
    local path = ("%s/%s/Versions/A/Resources%s"):format(folder, entry.name, intents.PATH)
    if entry.name:find "%.framework$" and files.stat(path) then paths[#paths + 1] = path end
  end
  return paths
end


--- The same for the system's, which are listed again when the folder changed.
local function system_paths()
  local entry = files.stat(PRIVATE)
  if not entry then return {} end
  if listed.modified ~= entry.modified then listed = { modified = entry.modified, paths = paths_in(PRIVATE) } end
  return listed.paths
end


local function paths_now()
  local paths = {}
  for _, folder in ipairs(files.folders()) do
    local more = folder == SYSTEM and system_paths() or folder == env.get "PERIGEE_SDEF_DIR" and paths_in(folder) or {}
    table.move(more, 1, #more, #paths + 1, paths)
  end
  return paths
end


---@return dictionary.FrameworkFile?
local function read(path)
  local entry = files.stat(path)
  if not entry then return nil end
  local mark, file = ("%d %d"):format(entry.modified * 1000 // 1, entry.size), known[path]
  if not file or file.mark ~= mark then
    file = { path = path, mark = mark, of = intents.hosts(files.read(path, intents.BYTES) or "") }
  end
  return file
end


--- Brings up to date what the files say, at most once in FRESH seconds.
local function look()
  if time.monotonic() < found.at + FRESH then return found end
  local kept, now = {}, { at = time.monotonic(), list = {}, hosts = {} }
  for _, path in ipairs(paths_now()) do
    local file = read(path)
    kept[path] = file
    if file and next(file.of) then
      now.list[#now.list + 1] = file
      for id in pairs(file.of) do now.hosts[id] = true end
    end
  end
  known, found = kept, now
  return now
end


--- The files that name an application.
---@param id string
---@return dictionary.FrameworkFile[]
function M.of(id)
  local list, key = {}, id:lower()
  for _, file in ipairs(look().list) do
    if file.of[key] then list[#list + 1] = file end
  end
  return list
end


--- The applications that are named.
---@return table<string, boolean> ids  in lower case
function M.hosts() return look().hosts end


return M
