---@type Tool
return {
  description = "Computes for ever; its deadline stops it.",
  inputSchema = { type = "object", additionalProperties = false },
  timeout = 2,

  run = function()
    while true do end
  end,
}
