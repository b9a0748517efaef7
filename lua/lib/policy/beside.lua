--- Keeps text that a call tells its caller beside its result, such as progress, log lines and questions, where it may be from
--- outside (src/registry/call/gate.h). The same of the definitions of others that go: a model may have read them.

local policy     = require "sys.policy"
local provenance = require "policy.provenance"


---@param subject? table  the tool, resource or prompt that tells it, or that the definition is of; nil: a foreign file
---@param caller? table   nil: any caller may have read it
---@param call? Call
---@param value any
local function beside(subject, caller, call, value)
  if not caller then return provenance.note_definition(subject, value) end
  local bits, server = policy.brought(call)
  provenance.note_beside(subject, caller, value, bits, server)
end


return beside
