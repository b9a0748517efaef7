--- Values that outlive the engine: `local layouts = require "sys.store".open "layouts"`.
--
-- A store is one file of JSON in the state folder, private to the user and shared by all processes. A change is on the disk
-- when the call returns, whole or not at all. Nothing has to be granted for it.

local engine    = require "sys.engine"
local file_lock = require "file_lock"
local fs        = require "sys.fs"
local json      = require "sys.json"
local keys      = require "keys"
local task      = require "sys.task"

local M = {}

local MOST = 16 * 1024 * 1024   -- bytes of a store
local PATIENCE = 5              -- seconds that another process may take with it

---@class sys.store.Store
---@field name string
---@field path string
local Store = {}
Store.__index = Store
Store.__name = "sys.store.Store"


--- All that is in it.
---@return table<string, any>? values
---@return string? err
---@return string? code  "damaged": it is not what was written
function Store:all()
  local text, err, code = fs.read(self.path, MOST)
  if not text then
    if code == "not_found" then return {} end
    return nil, err, code
  end
  local values
  values, err = json.decode(text)
  if type(values) ~= "table" or json.is_array(values) then
    return nil, ("%s does not hold a JSON object (%s). Correct it, or remove it to start again"):format(self.path,
      err or "other JSON"), "damaged"
  end
  return values
end


local function check_key(key)
  if type(key) ~= "string" or key == "" then error("a key must be a string that is not empty", 3) end
end


--- The value under a key; nil: there is none, or err says why it could not be read.
---@param key string
---@return any value
---@return string? err
---@return string? code
function Store:get(key)
  check_key(key)
  local values, err, code = self:all()
  if not values then return nil, err, code end
  return values[key]
end


---@return string[]? keys  sorted
---@return string? err
---@return string? code
function Store:keys()
  local values, err, code = self:all()
  if not values then return nil, err, code end
  return keys.sorted(values)
end


--- Changes the value under a key: fn(value) gives the new one, nil for none. No other change comes between.
---@param key string
---@param fn fun(value: any): any
---@return any value  the new one
---@return string? err
---@return string? code  "busy", "too_large", "damaged", "bad_value", ...
function Store:update(key, fn)
  check_key(key)
  local held_here <close> = task.lock("sys.store " .. self.name)
  local held <close>, err, code = file_lock.hold("store_" .. self.name, PATIENCE)
  if not held then return nil, err, code end
  local values
  values, err, code = self:all()
  if not values then return nil, err, code end
  values[key] = fn(values[key])
  local text
  text, err = json.encode(json.object(values))
  if not text then return nil, ("the value of \"%s\" cannot be kept: %s"):format(key, err), "bad_value" end
  if #text > MOST then
    return nil, ("the store \"%s\" would have %d bytes (limit: %d). Keep less in it, or large things in files of their own")
      :format(self.name, #text, MOST), "too_large"
  end
  local ok
  ok, err, code = fs.write(self.path, text)
  if not ok then return nil, err, code end
  return values[key]
end


--- Keeps a value: what JSON can hold. nil: nothing is kept any more.
---@param key string
---@param value any
---@return true? ok
---@return string? err
---@return string? code  as of update()
function Store:set(key, value)
  local _, err, code = self:update(key, function() return value end)
  if err then return nil, err, code end
  return true
end


--- The store of this name; it is made with the first value. Files that open the same name share it.
---@param name string  a-z, 0-9 and _
---@return sys.store.Store
function M.open(name)
  if type(name) ~= "string" or not name:find "^[a-z0-9_]+$" or #name > 50 then
    error("the name of a store may contain only a-z, 0-9 and _, at most 50", 2)
  end
  local folder, err = engine.state_folder "store"
  if not folder then error(err, 2) end
  return setmetatable({ name = name, path = ("%s/%s.json"):format(folder, name) }, Store)
end


return M
