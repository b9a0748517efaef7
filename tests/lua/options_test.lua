#!/usr/bin/env tests/lua/run
--- options: what scripts read their arguments with.
local options = require "options"
local t       = require "check"

local SPEC = {
  usage = "perigee run x.lua [options] FILE",
  about = "Does things.",
  { "columns", "integer", "How many.", min = 1, max = 20 },
  { "gap", "number", "Points between.", default = 8, min = 0 },
  { "dry-run", "flag", "Only say." },
  { "title", "text", "Which." },
}

--- What read() gives, and what it printed.
local function read(...)
  local lines = {}
  local given, status = options.read({ ... }, SPEC, function(line) lines[#lines + 1] = line end)
  return given, status, table.concat(lines, "\n")
end

t.case("values by their kinds, defaults, and words", function()
  t.same(read(), { gap = 8 })
  t.same(read("--columns", "3", "a", "--gap=1.5", "--dry-run", "b"), { columns = 3, gap = 1.5, dry_run = true, "a", "b" })
  t.same(read("--title", "--gap"), { gap = 8, title = "--gap" })
  t.same(read("--title="), { gap = 8, title = "" })
  t.same(read("--", "--gap", "--"), { gap = 8, "--gap", "--" })
end)

t.case("what is wrong is said, with status 2", function()
  for words, said in pairs {
    ["--colour red"] = "there is no option --colour", ["--columns"] = "--columns requires a value",
    ["--columns 1.5"] = '--columns is "1.5", not an integer', ["--columns 21"] = "--columns is 21; it must be 1 to 20",
    ["--gap=-1"] = "--gap is -1; it must be 0 to anything", ["--gap wide"] = '--gap is "wide", not a number',
  } do
    local list = {}
    for word in words:gmatch "%S+" do list[#list + 1] = word end
    local given, status, printed = read(table.unpack(list))
    t.same({ given, status }, { nil, 2 }, words)
    t.same(printed, said .. ". Use --help to see the options")
  end
end)

t.case("help tells all of it", function()
  local given, status, printed = read("--help", "--columns", "many")
  t.same({ given, status }, { nil, 0 })
  t.has(printed, "usage: perigee run x.lua [options] FILE\n\nDoes things.\n\n  --columns N   How many.")
  t.has(printed, "  --gap N       Points between. Default: 8.")
  t.has(printed, "  --dry-run     Only say.")
end)

t.done()
