--- Everything a caller needs to know about one tool.

local s      = require "schema"
local engine = require "sys.engine"
local rank   = require "rank"


---@param args {name: string}
local function run(args)
  local tool = engine.tool(args.name)
  if tool then return tool end
  local similar = rank.similar(args.name)
  local hint = #similar > 0 and ("Similar: %s."):format(table.concat(similar, ", "))
    or "Call search_tools to find tools by words."
  return nil, ("There is no tool %q. %s"):format(args.name, hint), "unknown_tool"
end


---@type Tool
return {
  title       = "Describe a tool",
  description = "Describe one tool: its description, parameters (JSON Schema), annotations, toolset and file. Call it before "
             .. "call_tool. To find tools, use search_tools.",
  inputSchema = s.object {
    { "name", s.string "Name or alias of the tool." },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "shows a tool",
      given = { ["sys.engine.tool"] = { name = "echo", toolset = "t", description = "Say it back." } },
      args  = { name = "echo" },
      want  = { name = "echo", toolset = "t" } },

    { "suggests similar names",
      given = { ["sys.engine.tool"]  = false,
                ["sys.engine.generation"] = 1,
                ["sys.engine.tools"] = { { name = "list_windows", toolset = "d", description = "Windows." } } },
      args  = { name = "window_list" },
      err   = 'There is no tool "window_list". Similar: list_windows.',
      code  = "unknown_tool" },
  },
}
