--- perigee test: runs the examples that files carry.

local examples = require "cli.examples"


---@type perigee.Command
return {
  summary     = "run the examples in tool, prompt, resource, rule, provider and command files",
  description = "Runs the examples that the files of all roots carry; with FILTER those of the file "
             .. "of that name or, if there is none, those whose file or name contains that text. "
             .. "Tools, resources and commands get stand-ins for the sys modules, which return what the example's `given` "
             .. "says and refuse everything else, so nothing outside is touched.",
  arguments   = { { "filter", "string", "text in the name of the file or the example", optional = true, repeatable = true } },
  options     = {
    { "tap", "flag", "print the Test Anything Protocol" },
    { "json", "flag", "print one JSON object: passed, failed, without_examples, results" },
  },
  notes       = "Exit status: 0 success, 1 an example failed or a file did not load, 2 usage error",
  log         = "off", -- what tools log while their examples fail on purpose is no news
  stoppable   = false,

  run = function(args, io)
    return examples.run(args.filter, args.json and "json" or args.tap and "tap" or "people", io)
  end,

  examples = {
    { "fails where no example matches", args = { "nothing" }, status = 1, out = "0 passed, 0 failed\n",
      err = "perigee test: no example matches nothing",
      given = { ["sys.files.list"] = {}, ["sys.engine.status"] = { problems = {} } } },
    { "counts as JSON", args = { "--json" }, out = '{"failed":0,"passed":0,"results":[],"without_examples":[]}\n',
      given = { ["sys.files.list"] = {}, ["sys.engine.status"] = { problems = {} } } },
  },
}
