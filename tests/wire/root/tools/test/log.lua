local levels = { "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency" }

---@type Tool
return {
  description = "Logs one message at every level.",
  inputSchema = { type = "object", additionalProperties = false },

  run = function(_, call)
    for _, level in ipairs(levels) do
      call:log(level, { at = level }, "test")
    end
    return "logged"
  end,
}
