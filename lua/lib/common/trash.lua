--- The trash of the desktop on Linux, by `gio`, as the file managers use it.

local env     = require "sys.env"
local fail    = require "desktop.fail"
local process = require "sys.process"

local M = {}

local SECONDS = 60
local KEPT = { [("."):byte()] = true, [("-"):byte()] = true, [("_"):byte()] = true, [("~"):byte()] = true, [("/"):byte()] = true }


--- A path as the trash notes where a file was.
local function noted(path)
  return (path:gsub("[^%w]", function(c) return not KEPT[c:byte()] and ("%%%02X"):format(c:byte()) or nil end))
end


--- True if the user's trash has a file from this path; nil if that cannot be seen. Other disks have a trash of their own.
---@param path string
---@return boolean?
local function has(path)
  local data = env.get("XDG_DATA_HOME") or (env.get "HOME" or "") .. "/.local/share"
  local found = process.run { "grep", "-rhxe", "Path=.*", "--", data .. "/Trash/info", env = { LC_ALL = "C" },
    max_output = 8 * 1024 * 1024 }
  if not found or not found.stdout then return nil end
  if ("\n" .. found.stdout):find("\nPath=" .. noted(path) .. "\n", 1, true) then return true end
  return nil
end


--- Moves a file or folder to the trash.
---@param path string
---@return true? ok
---@return string? err
---@return string? code
---@return boolean? seen  it is in the trash of the user's home
function M.put(path)
  local done, err, code = process.run { "gio", "trash", "--", path, timeout = SECONDS, env = { LC_ALL = "C.UTF-8" } }
  if not done and code == "not_found" then
    return fail.with("The program gio is not installed. On Debian: apt-get install libglib2.0-bin.", "no_trash")
  end
  if not done then return fail.with(err, code) end
  if done.code ~= 0 then
    return fail.with(("The trash did not take %s: %s"):format(path, done.stderr:gsub("%s+$", ""):sub(1, 300)), "trash_failed")
  end
  return true, nil, nil, has(path)
end


return M
