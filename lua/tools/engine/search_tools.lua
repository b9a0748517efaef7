--- Find tools by what they do.

local s    = require "schema"
local rank = require "rank"


---@param args {query: string, limit?: integer}
local function run(args)
  local found = rank.search(args.query, args.limit or 10)
  if #found == 0 then
    return nil, ("No tool matches %q. Try other words, or call engine_status to see whether a file failed to load.")
      :format(args.query), "not_found"
  end
  return { tools = found }
end


---@type Tool
return {
  title       = "Search tools",
  description = "Search all tools, also those that are not in your list, best match first. Then call describe_tool for a "
             .. "tool's parameters, and call_tool to run it.",
  inputSchema = s.object {
    { "query", s.string("A few words; empty: all tools.", { maxLength = 1000 }) },
    { "limit", s.integer("Maximum number of results.", { optional = true, minimum = 1, maximum = 200, default = 10 }) },
  },
  about       = { "nothing" },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },

  run = run,

  examples = {
    { "ranks a match in the name before one in the description",
      given = { ["sys.engine.generation"] = 1, ["sys.engine.tools"] = {
        { name = "add_text", toolset = "k", description = "Write into a window." },
        { name = "list_windows", toolset = "d", description = "Show what is open." },
        { name = "echo", toolset = "t", description = "Say it back." },
      } },
      args  = { query = "windows" },
      want  = { tools = { { name = "list_windows", toolset = "d", description = "Show what is open." },
                          { name = "add_text", toolset = "k", description = "Write into a window." } } } },

    { "reports that nothing matches",
      given = { ["sys.engine.generation"] = 1,
                ["sys.engine.tools"] = { { name = "echo", toolset = "t", description = "Say it back." } } },
      args  = { query = "zebra" },
      err   = 'No tool matches "zebra".',
      code  = "not_found" },
  },
}
