local tools = require "tools"

return {
  uri = "test://asked", description = "A resource that calls a tool.", mimeType = "text/plain",
  read = function() return tools.echo { text = "from a resource" } end,
}
