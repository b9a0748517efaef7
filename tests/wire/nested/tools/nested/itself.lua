local s     = require "schema"
local tools = require "tools"

return {
  description = "Call itself for ever.",
  inputSchema = s.object {},

  run = function()
    local value, why, code = tools.itself {}
    if value == nil and code ~= "too_deep" then return nil, why, code end
    return value or why
  end,
}
