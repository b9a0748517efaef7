local s     = require "schema"
local tools = require "tools"

return {
  description = "Call another tool, and tell what came back.",
  inputSchema = s.object {
    { "tool", s.string "Its name." },
    { "arguments", s.map("Its arguments.", { optional = true }) },
    { "times", s.integer("So many times.", { default = 1, minimum = 1 }) },
    { "own", s.boolean("Report its own progress before each.", { default = false }) },
  },

  run = function(args, call)
    local value, why, code
    for i = 1, args.times do
      if args.own then call:progress(i, args.times, "call " .. i) end
      value, why, code = tools[args.tool](args.arguments)
    end
    if value == nil then return ("%s (%s)"):format(why, code) end
    return value
  end,

  examples = {
    { "returns what the other returns", args = { tool = "echo", arguments = { text = "x" } },
      given = { ["tools.echo"] = "given x" }, want = "given x", did = { "tools.echo text=x" } },
    { "tells a failure", args = { tool = "no_such_tool" },
      given = { ["tools.no_such_tool"] = { n = 3, false, "there is no such tool", "unknown_tool" } },
      want = "there is no such tool (unknown_tool)" },
  },
}
