--- References to results in the arguments of a tool or a prompt, which a client sent: what they stand for takes their places
--- before anybody else sees the arguments. tools_call.c and prompts.c of src/mcp/server call this if there may be one.

local border     = require "sessions.border"
local console    = require "sys.console"
local provenance = require "policy.provenance"


local TEXTS = { additionalProperties = { type = "string" } }   -- a prompt takes nothing else


---@param args table
---@param schema? table  a tool's inputSchema; nil: a prompt's arguments
---@param name string    the tool or the prompt
---@return table? args
---@return string? err
---@return string? code
return function(args, schema, name)
  local result, found, code, values = border.resolve(args, nil, schema or TEXTS)
  if result == nil then return nil, ("Invalid arguments for %s: %s"):format(name, found), code end
  if found > 0 then provenance.note_kept(found, nil, console.caller(), values) end
  return result
end
