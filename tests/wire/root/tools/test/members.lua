---@type Tool
return {
  description = "Gives a result with members of its own beside the protocol's.",
  inputSchema = { type = "object", properties = { members = { type = "object" } }, additionalProperties = false },

  ---@param args {members: table}
  ---@param call Call
  run = function(args, call)
    return call:result { content = { { type = "text", text = "ok" } }, members = args.members }
  end,
}
