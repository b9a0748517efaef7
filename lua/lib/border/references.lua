--- References to results in the arguments of a tool, which a client sent: what they stand for takes their places before anybody
--- else sees the arguments. src/mcp/server/tools_call.c calls this if there may be one.

local border     = require "sessions.border"
local console    = require "sys.console"
local provenance = require "policy.provenance"


---@param args table
---@param schema table  the tool's inputSchema
---@param name string   the tool
---@return table? args
---@return string? err
---@return string? code
return function(args, schema, name)
  local result, found, code, values = border.resolve(args, nil, schema)
  if result == nil then return nil, ("Invalid arguments for %s: %s"):format(name, found), code end
  if found > 0 then provenance.note_kept(found, nil, console.caller(), values) end
  return result
end
