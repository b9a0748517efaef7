--- Run any tool by name, also one that is not listed or that appeared after the client connected.

local s      = require "schema"
local engine = require "sys.engine"
local rank   = require "rank"


---@param args {name: string, arguments?: table}
---@param call Call
local function run(args, call)
  local result, err, code = engine.call(args.name, args.arguments)
  if result then
    return call:result {
      content           = result.content,
      structuredContent = result.structuredContent,
      isError           = result.isError,
      _meta             = result._meta,
    }
  end
  if code == "unknown_tool" then
    local similar = rank.similar(engine.tools(), args.name)
    if #similar > 0 then err = ("%s. Similar: %s."):format(err, table.concat(similar, ", ")) end
  end
  return nil, err, code
end


---@type Tool
return {
  title       = "Call a tool",
  description = "Run any tool by name, with its arguments as an object; describe_tool shows what it takes.",
  inputSchema = s.object {
    { "name",      s.string "The tool's name or alias." },
    { "arguments", s.map("Its arguments.", { optional = true }) },
  },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution   = { taskSupport = "optional" },
  timeout     = 600,

  run = run,

  examples = {
    { "hands on what the tool answered",
      given = { ["sys.engine.call"] = { content = { { type = "text", text = "hi" } }, text = "hi" } },
      args  = { name = "echo", arguments = { message = "hi" } },
      want  = "hi" },

    { "offers similar names for an unknown one",
      given = { ["sys.engine.call"]  = { n = 3, false, "there is no tool 'ehco'", "unknown_tool" },
                ["sys.engine.tools"] = {} },
      args  = { name = "ehco" },
      err   = "there is no tool 'ehco'",
      code  = "unknown_tool" },
  },
}
