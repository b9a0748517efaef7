local process = require "sys.process"

---@type Tool
return {
  description = "Runs `sleep` as a child process, so that one can see whether it outlives the server.",
  inputSchema = {
    type = "object",
    properties = { seconds = { type = "string", pattern = "^[0-9.]+$" } },
    required = { "seconds" },
    additionalProperties = false,
  },

  ---@param args {seconds: string}
  run = function(args)
    local result, err, code = process.run { "sleep", args.seconds }
    if not result then return nil, err, code end
    return "slept"
  end,
}
