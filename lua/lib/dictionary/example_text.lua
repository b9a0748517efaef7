--- A curated example as callers send it: a script, or the arguments of call_dbus.

local json = require "sys.json"

local M = {}


--- The name by which call_dbus knows what is called: "Player.PlayPause", "win.save", "desktop.new-window".
local function method_of(call)
  if call.desktop then return "desktop." .. call.action end
  if call.action then return (call.path:find "/window/" and "win." or "app.") .. call.action end
  return call.interface:match "[^.]*$" .. "." .. (call.member or call.property)
end


---@param example dictionary.Example
---@param id string  of the application
---@return string
function M.of(example, id)
  if example.script then return example.script end
  local call = example.call
  local args = call.value ~= nil and { call.value } or call.args
  return assert(json.encode(json.object({ app = id, method = method_of(call), args = args and json.array(args),
    state = call.state }, { "app", "method", "args", "state" })))
end


return M
