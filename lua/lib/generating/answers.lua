--- Results of tools for generated text: an object with a status and a message, as text too.

local json = require "sys.json"

local M = {}


--- Returns a result. The text is the same object.
---@param call Call
---@param values {status: "success"|"warning"|"error", message: string}
---@param order string[]  the names of its other members
---@param code? string    of an error, in small letters
---@return table
function M.of(call, values, order, code)
  local facts = json.object(values, { "status", table.unpack(order) })   -- the message comes last
  return call:result { content = { call:text(json.encode(facts)) }, structuredContent = facts,
    isError = values.status == "error" or nil, _meta = code and { ["perigee/code"] = code:upper() } or nil }
end


return M
