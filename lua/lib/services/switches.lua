--- The services that are switched off (`perigee service disable`), kept in the state directory, so that it outlives every
-- engine.

local store = require "sys.store"

local M = {}

local STORE = "services_switched_off"


--- Returns the names of the services that are switched off; nil and a message if that cannot be read.
---@return table<string, true>? off
---@return string? err
---@return string? code
function M.off()
  local values, err, code = store.open(STORE):all()
  if not values then return nil, err, code end
  local off = {}
  for name in pairs(values) do off[name] = true end
  return off
end


---@param name string
---@param on boolean
---@return true? ok
---@return string? err
---@return string? code
function M.set(name, on) return store.open(STORE):set(name, not on and true or nil) end


return M
