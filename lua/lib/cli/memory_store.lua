--- A store (sys.store) that examples of files get: it keeps nothing beyond the example.

local json = require "sys.json"
local keys = require "keys"

local M = {}

local Store = {}
Store.__index = Store


--- A copy, as what comes from a file is one.
local function copy(value)
  if type(value) ~= "table" then return value end
  return json.decode(assert(json.encode(value)))
end


function Store:all()
  local all = {}
  for key, value in pairs(self.values) do all[key] = copy(value) end
  return all
end


function Store:get(key) return copy(self.values[key]) end


function Store:keys() return keys.sorted(self.values) end


function Store:update(key, fn)
  local value = fn(self:get(key))
  local text, err = json.encode(value)
  if not text then return nil, ("the value of \"%s\" cannot be kept: %s"):format(key, err), "bad_value" end
  self.values[key] = copy(value)
  return self:get(key)
end


function Store:set(key, value)
  local _, err, code = self:update(key, function() return value end)
  if err then return nil, err, code end
  return true
end


---@param name string
---@return sys.store.Store
function M.new(name) return setmetatable({ name = name, path = "", values = {} }, Store) end


return M
