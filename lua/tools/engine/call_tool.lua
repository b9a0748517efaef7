--- Run any tool by name, even one that is not listed or that appeared after the client connected.

local s      = require "schema"
local engine = require "sys.engine"
local rank   = require "rank"


---@param args {name: string, arguments?: table}
---@param call Call
local function run(args, call)
  local result, err, code = engine.call(args.name, args.arguments, { from_text = true })
  if result then
    if result.from_text then
      table.insert(result.content, { type = "text",
        text = ("Read as JSON, because a string is not allowed there: %s."):format(result.from_text) })
    end
    return call:result {
      content           = result.content,
      structuredContent = result.structuredContent,
      isError           = result.isError,
      _meta             = result._meta,
    }
  end
  if code == "unknown_tool" then
    local similar = rank.similar(args.name)
    if #similar > 0 then err = ("%s. Similar: %s."):format(err, table.concat(similar, ", ")) end
  end
  return nil, err, code
end


---@type Tool
return {
  title       = "Call a tool",
  description = "Call a tool that is not in your list. Find it with search_tools and read its parameters with describe_tool. "
             .. "Call listed tools directly.",
  inputSchema = s.object {
    { "name",      s.string "Name or alias of the tool." },
    { "arguments", s.map("Its arguments.", { optional = true }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution   = { taskSupport = "optional" },
  timeout     = 600,

  run = run,

  examples = {
    { "returns the tool's result",
      given = { ["sys.engine.call"] = { content = { { type = "text", text = "hi" } }, text = "hi" } },
      args  = { name = "echo", arguments = { message = "hi" } },
      want  = "hi" },

    { "names the arguments that came as JSON in strings",
      given = { ["sys.engine.call"] = { content = { { type = "text", text = "hi" } }, text = "hi", from_text = "count" } },
      args  = { name = "echo", arguments = { count = "3" } },
      want  = "hi\nRead as JSON, because a string is not allowed there: count." },

    { "suggests similar names for an unknown one",
      given = { ["sys.engine.call"]  = { n = 3, false, "there is no tool 'ehco'", "unknown_tool" },
                ["sys.engine.generation"] = 1, ["sys.engine.tools"] = {} },
      args  = { name = "ehco" },
      err   = "there is no tool 'ehco'",
      code  = "unknown_tool" },
  },
}
