--- perigee __complete -- WORDS...: the candidates for the last word, for the completions of shells. It prints a line for each
--- candidate, with its description behind a tab; then ":" and what else to do: default, nospace, files, directories.

local complete = require "cli.complete"
local text     = require "terminal.text"

---@type perigee.Command
return {
  summary   = "list what may complete a command line",
  arguments = {},
  rest      = "words",
  log       = "off",
  stoppable = false,
  hidden    = true,

  run = function(args, io)
    local found, directive = complete.run(args.words, io.host)
    for _, candidate in ipairs(found) do
      io:print(candidate[2] and candidate[1] .. "\t" .. text.summary(candidate[2]) or candidate[1])
    end
    io:print(":" .. directive)
  end,

  examples = {
    { "completes a subcommand", args = { "--", "list", "wi" }, out = "windows\tlist the windows\n:default\n",
      given = { ["sys.files.table"] = { summary = "x", subcommands = { apps = { summary = "list the applications" },
                                                                     windows = { summary = "list the windows" } } } } },
    { "completes a value behind its option", args = { "--", "image", "--mode=s" }, out = "--mode=screen\n:default\n",
      given = { ["sys.files.table"] = { summary = "x", options = {
        { "mode", "string", "y", enum = { "screen", "multi" } } } } } },
    { "completes the arguments of a tool", args = { "--", "call", "feed", "animal=x", "k" },
      out = "kind=\tWhat to give.\n:nospace\n",
      given = { ["sys.files.table"] = { summary = "x", arguments = { { "tool", "tool" },
                  { "arguments", "tool_argument", repeatable = true } } },
                ["cli.find.callable"] = { inputSchema = { properties = {
                  animal = {}, kind = { description = "What to give." } } } } } },
  },
}
