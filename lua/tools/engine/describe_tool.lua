--- Everything a caller needs to know of one tool.

local s      = require "schema"
local engine = require "sys.engine"
local rank   = require "rank"


---@param args {name: string}
local function run(args)
  local tool = engine.tool(args.name)
  if tool then return tool end
  local similar = rank.similar(engine.tools(), args.name)
  local hint = #similar > 0 and ("Similar: %s."):format(table.concat(similar, ", ")) or "search_tools finds tools by words."
  return nil, ("There is no tool %q. %s"):format(args.name, hint), "unknown_tool"
end


---@type Tool
return {
  title       = "Describe a tool",
  description = "Show one tool's description, parameters (JSON Schema), annotations, toolset and file.",
  inputSchema = s.object {
    { "name", s.string "The tool's name or alias." },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "shows a tool",
      given = { ["sys.engine.tool"] = { name = "echo", toolset = "t", description = "Say it back." } },
      args  = { name = "echo" },
      want  = { name = "echo", toolset = "t" } },

    { "offers similar names",
      given = { ["sys.engine.tool"]  = false,
                ["sys.engine.tools"] = { { name = "list_windows", toolset = "d", description = "Windows." } } },
      args  = { name = "window_list" },
      err   = 'There is no tool "window_list". Similar: list_windows.',
      code  = "unknown_tool" },
  },
}
