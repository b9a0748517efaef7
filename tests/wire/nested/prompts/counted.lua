local tools = require "tools"

return {
  description = "A prompt that calls a tool.",
  render = function() return tools.echo { text = "from a prompt" } end,
}
