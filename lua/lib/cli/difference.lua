--- Finds how the outcome of an example differs from what the example expects.

local json = require "sys.json"

local M = {}


--- Shows a value in a message.
---@param value any
---@return string
function M.shown(value)
  if value == nil then return "nothing" end
  if type(value) == "string" then return ("%q"):format(value):gsub("\\\n", "\\n") end
  return json.encode(value) or tostring(value)
end


--- Says where `got` lacks something of `want`; nil if it has all of it. Objects may have more keys, lists may not be longer.
---@param got any
---@param want any
---@param path string  the name of `got` in the message
---@return string?
function M.of(got, want, path)
  if type(want) ~= "table" then
    if got == want then return nil end
    return ("%s is %s, expected %s"):format(path, M.shown(got), M.shown(want))
  end
  if type(got) ~= "table" then return ("%s is %s, expected %s"):format(path, M.shown(got), M.shown(want)) end
  if #want > 0 and #got ~= #want then return ("%s has %d items, expected %d"):format(path, #got, #want) end
  for key, value in pairs(want) do
    local step = math.type(key) == "integer" and ("[%d]"):format(key) or "." .. tostring(key)
    local where = M.of(got[key], value, path .. step)
    if where then return where end
  end
end


--- True if a call is the wanted one, or begins with it.
---@param call string
---@param wanted string
---@return boolean
function M.fits(call, wanted)
  return call == wanted or call:sub(1, #wanted + 1) == wanted .. " "
end


--- Describes the first call that is not as expected; nil if all are.
---@param calls string[]
---@param did string[]
---@return string?
function M.of_calls(calls, did)
  for i = 1, math.max(#calls, #did) do
    if not did[i] then return ("call %d is %s, expected no more"):format(i, calls[i]) end
    if not calls[i] then return ("call %d, %s, was not made"):format(i, did[i]) end
    if not M.fits(calls[i], did[i]) then return ("call %d is %s, expected %s"):format(i, calls[i], did[i]) end
  end
end


return M
