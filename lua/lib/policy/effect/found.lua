--- The file that the system finds for the name of a program: on the PATH of the process, from the directory that it starts in.

local env       = require "sys.env"
local last_name = require("sys.path").name
local policy    = require "sys.policy"

local M = {}

local DEFAULT = "/bin:/usr/bin"   -- where the C library looks without a PATH

-- Files that are another program under each name that leads to them.
local MANY = { busybox = true, toybox = true, coreutils = true, ["sbase-box"] = true }


local function own_path() return env.get "PATH" or DEFAULT end


--- The PATH by which a process is looked for.
---@param given any  the variables that are set for it
---@return string
local function path_of(given)
  local path = type(given) == "table" and given.PATH
  if path == nil or type(given) ~= "table" then return own_path() end
  return path and tostring(path) or DEFAULT
end


--- The first file of a name on a path that can be run; false: there is none. nil: that depends on a directory which is not known.
---@param name string
---@param path string
---@param cwd string|false|nil  where directories that are not absolute begin; false: they do not count
---@return string|false|nil
local function on_path(name, path, cwd)
  for folder in (path .. ":"):gmatch "([^:]*):" do
    local is_fixed = folder:find "^/" ~= nil
    if not is_fixed and cwd == nil then return nil end
    local file = (is_fixed and folder or cwd and cwd .. "/" .. folder or "") .. "/" .. name
    if (is_fixed or cwd) and policy.on_path(file) then return file end
  end
  return false
end


--- The file that is started by the name of a program; false: none. nil: it cannot be told.
---@param name string
---@param given any             the variables that are set for the process
---@param cwd string|false|nil  the directory that it starts in
---@return string|false|nil
function M.file(name, given, cwd) return on_path(name, path_of(given), cwd) end


--- True if a file is what the user gets by the same name.
---@param name string
---@param file string|false
function M.is_usual(name, file)
  local usual = on_path(name, own_path(), false)
  return usual == file or usual and file and policy.real(usual) == policy.real(file) or false
end


--- The program that a file is, whatever a link to it is called; nil: its name says it.
---@param word string  by which it is started
---@param file string
---@return string?
function M.behind(word, file)
  local real = policy.real(file)
  local name = real and last_name(real)
  return name and name ~= last_name(word) and not MANY[name] and real or nil
end


return M
