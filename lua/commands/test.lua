--- perigee test: runs the examples that files carry, and those in their test files.

local examples = require "testing.examples"


---@type perigee.Command
return {
  summary     = "run the examples in tool, prompt, resource, rule, provider, service and command files",
  description = "Runs the examples that the files of all roots carry; with FILTER those of the file "
             .. "of that name or, if there is none, those whose file or name contains that text. "
             .. "A test file has more examples of a file: tests/tools/NAME_test.lua beside tools/ returns a list of them for "
             .. "the tool NAME, tests/prompts, tests/resources, tests/providers, tests/commands and tests/services the same "
             .. "for other files. "
             .. "Tools, resources, services and commands get stand-ins for the sys modules, which return what the "
             .. "example's `given` says and refuse everything else, so nothing outside is touched.",
  arguments   = { { "filter", "string", "text in the name of the file or the example", optional = true, repeatable = true } },
  options     = {
    { "only", "directory", "only files in this directory" },
    { "tap", "flag", "print the Test Anything Protocol" },
    { "json", "flag", "print one JSON object: passed, failed, without_examples, results" },
  },
  notes       = "Exit status: 0 success, 1 an example failed or a file did not load, 2 usage error",
  log         = "off", -- tools log errors while their examples fail on purpose
  stoppable   = false,

  run = function(args, io)
    local only, err, code
    if args.only then
      only, err, code = io:grant(args.only, "read")
      if not only then return nil, err, code end
    end
    return examples.run(args.filter, args.json and "json" or args.tap and "tap" or "people", io, only)
  end,

  examples = {
    { "fails where no example matches", args = { "nothing" }, status = 1, out = "0 passed, 0 failed\n",
      err = "perigee test: no example matches nothing",
      given = { ["sys.files.list"] = {}, ["sys.fs.list"] = {}, ["sys.engine.status"] = { problems = {} } } },
    { "leaves out what is elsewhere", args = { "--only", "/mine" }, out = "without examples: tools/b.lua\n0 passed, 0 failed\n",
      given = { ["sys.files.list"] = { { kind = "tool", name = "a", label = "tools/a.lua", path = "/minette/tools/a.lua" },
                                       { kind = "tool", name = "b", label = "tools/b.lua", path = "/mine/tools/b.lua" } },
                ["sys.files.table"] = {}, ["sys.fs.list"] = {}, ["sys.fs.read"] = "return {}",
                ["sys.engine.status"] = { problems = {} } } },
    { "counts as JSON", args = { "--json" }, out = '{"failed":0,"passed":0,"results":[],"without_examples":[]}\n',
      given = { ["sys.files.list"] = {}, ["sys.fs.list"] = {}, ["sys.engine.status"] = { problems = {} } } },
  },
}
