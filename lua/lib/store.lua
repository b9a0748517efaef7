--- The stores of sys.store, on any place for their text: a file, or the memory for examples of files.

local json = require "sys.json"
local keys = require "keys"
local task = require "sys.task"

local M = {}

local MOST = 16 * 1024 * 1024   -- the largest store, in bytes

---@class store.Place
---@field path string   its name in messages
---@field read fun(most: integer): string?, string?, string?   "not_found": no text was stored yet
---@field write fun(text: string): true?, string?, string?
---@field hold fun(): table?, string?, string?   returns the lock to change it, to be closed

---@class sys.store.Store
---@field name string
---@field path string
---@field private place store.Place
local Store = {}
Store.__index = Store
Store.__name = "sys.store.Store"


--- Returns all values.
---@return table<string, any>? values
---@return string? err
---@return string? code  "damaged": the text is not one that was written
function Store:all()
  local text, err, code = self.place.read(MOST)
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


--- Returns the value under a key; nil if there is none, or if it cannot be read: then with err.
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


--- Returns the keys that have a value.
---@return string[]? keys  sorted
---@return string? err
---@return string? code
function Store:keys()
  local values, err, code = self:all()
  if not values then return nil, err, code end
  return keys.sorted(values)
end


--- Changes the value under a key: fn(value) returns the new one, nil for none. No other change comes between.
---@param key string
---@param fn fun(value: any): any
---@return any value  the new one
---@return string? err
---@return string? code  "busy", "too_large", "damaged", "bad_value", ...
function Store:update(key, fn)
  check_key(key)
  local held_here <close> = task.lock("sys.store " .. self.name)
  local held <close>, err, code = self.place.hold()
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
  ok, err, code = self.place.write(text)
  if not ok then return nil, err, code end
  return values[key]
end


--- Stores a value, of a kind that JSON has; nil removes it.
---@param key string
---@param value any
---@return true? ok
---@return string? err
---@return string? code  as update()
function Store:set(key, value)
  local _, err, code = self:update(key, function() return value end)
  if err then return nil, err, code end
  return true
end


---@param name string
---@param place store.Place
---@return sys.store.Store
function M.new(name, place)
  if type(name) ~= "string" or not name:find "^[a-z0-9_]+$" or #name > 50 then
    error("the name of a store may contain only a-z, 0-9 and _, at most 50", 3)
  end
  return setmetatable({ name = name, path = place.path, place = place }, Store)
end


--- Returns a place in memory, which is lost with this process.
---@return store.Place
function M.memory()
  local kept
  return {
    path = "(in memory)",
    read = function()
      if not kept then return nil, "nothing was kept yet", "not_found" end
      return kept
    end,
    write = function(text)
      kept = text
      return true
    end,
    hold = function() return setmetatable({}, { __close = function() end }) end,
  }
end


return M
