#!/usr/bin/env tests/lua/run
--- options: the module that commands and scripts read their words with.
local options = require "options"
local t       = require "check"

local LIST = {
  { "columns", "integer", "number of columns", letter = "c", minimum = 1, maximum = 20 },
  { "gap", "number", "points between", default = 8, minimum = 0 },
  { "dry-run", "flag", "only print", letter = "n" },
  { "title", "string", "which", letter = "t" },
  { "era", "string", "of the protocol", enum = { "legacy", "modern" } },
  { "details", "list", "what", enum = { "ids", "bounds" } },
  { "sets", "toolsets", "which tools" },
  { "header", "string", "sent along", letter = "H", repeatable = true },
  { "timeout", "seconds", "time limit in seconds", absent = "no limit" },
  { nil, "string", "text", letter = "e" },
}

local function words_of(line)
  local list = {}
  for word in line:gmatch "%S+" do list[#list + 1] = word end
  return list
end

--- The given values, without those that are the default; or the message that says what is wrong.
local function parse(line, more)
  local spec = { options = LIST }
  for key, value in pairs(more or {}) do spec[key] = value end
  local given, message = options.parse(words_of(line), spec)
  if not given then return message end
  if given.gap == 8 then given.gap = nil end
  if #given.header == 0 then given.header = nil end
  return given
end

t.case("long options: --name value and --name=value", function()
  t.same(parse "--columns 3 --title=a=b --gap 1.5", { columns = 3, title = "a=b", gap = 1.5 })
  t.same(parse "--title= --dry-run", { title = "", dry_run = true })
  t.same(parse "--title=--gap --gap=-1e0", "--gap takes a number of at least 0, not \"-1e0\"")
  t.same(parse "--title -", { title = "-" })
  t.same(parse "--title -x", { title = "-x" })
end)

t.case("short options: -n value, -nvalue, and several flags in one word", function()
  t.same(parse "-c 3 -nt x", { columns = 3, dry_run = true, title = "x" })
  t.same(parse "-c3 -ntx", { columns = 3, dry_run = true, title = "x" })
  t.same(parse "-t=x -e --", { title = "=x", e = "--" })
  t.same(parse "-t -", { title = "-" })
end)

t.case("options stand anywhere, and -- ends them", function()
  t.same(parse "a --columns 3 b - -n c", { "a", "b", "-", "c", columns = 3, dry_run = true })
  t.same(parse "a -- --columns -n --", { "a", "--columns", "-n", "--" })
  t.same(parse("a -n -- b --json", { rest = "command" }), { "a", dry_run = true, command = { "b", "--json" } })
  t.same(parse("a", { rest = "command" }), { "a", command = {} })
end)

t.case("the last of two counts, or there is a list", function()
  t.same(parse "--columns 3 -c4", { columns = 4 })
  t.same(parse "-H a --header=b -Hc", { header = { "a", "b", "c" } })
  t.same(options.parse({}, { options = LIST }), { gap = 8, header = {} })
end)

t.case("values are of their type", function()
  t.same(parse "--era MODERN --details ids,bounds --timeout .5", { era = "modern", details = { "ids", "bounds" }, timeout = 0.5 })
  for line, message in pairs {
    ["--columns 1.5"] = '--columns takes a whole number from 1 to 20, not "1.5"',
    ["-c 21"] = '--columns takes a whole number from 1 to 20, not "21"',
    ["--gap=-1"] = '--gap takes a number of at least 0, not "-1"',
    ["--gap wide"] = '--gap takes a number of at least 0, not "wide"',
    ["--era old"] = '--era takes legacy or modern, not "old"',
    ["--details ids,size"] = '--details takes ids or bounds, not "size"',
    ["--columns 0x3"] = '--columns takes a whole number from 1 to 20, not "0x3"',
    ["--sets ,"] = "--sets needs names, for example --sets keynote,desktop",
    ["--timeout 0"] = '--timeout takes a number of seconds above 0 and at most 86400, not "0"',
  } do
    t.same(parse(line), message, line)
  end
end)

t.case("a wrong option is named, with the nearest", function()
  for line, message in pairs {
    ["--colums 3"] = "unknown option --colums: did you mean --columns?",
    ["--colums=3"] = "unknown option --colums: did you mean --columns?",
    ["--xyzzy"] = "unknown option --xyzzy", ["-x"] = "unknown option -x", ["-nx"] = "unknown option -x",
    ["--columns"] = "--columns needs a value", ["-e"] = "-e needs a value",
    ["--dry-run=yes"] = "--dry-run takes no value",
    ["--col 3"] = "unknown option --col: did you mean --columns?", -- no abbreviations: a later version may have --color
  } do
    t.same(parse(line), message, line)
  end
end)

t.case("a missing value never takes the next option", function()
  t.same(parse "--title --gap 3", "--title needs a value; write --title=--gap if it is this one")
  t.same(parse "--title --root=x", "--title needs a value; write --title=--root=x if it is this one")
  t.same(parse "--title -n", "--title needs a value; write --title=-n if it is this one")
  t.same(parse "--columns --dry-run", "--columns needs a value; write --columns=--dry-run if it is this one")
  t.same(parse "--title=--root -H -1", { title = "--root", header = { "-1" } })
end)

t.case("arguments have names, types and numbers", function()
  local one = { arguments = { { "file", "file", "what" } } }
  t.same(parse("x -n", one), { "x", file = "x", dry_run = true })
  t.same(parse("", one), "which file?")
  t.same(parse("x y", one), 'one FILE at a time ("y")')
  t.same(parse("x", { arguments = {} }), 'it takes no argument ("x")')
  local many = { arguments = {
    { "tool", "tool", missing = "which tool? Name it" }, { "words", "string", optional = true, repeatable = true } } }
  t.same(parse("", many), "which tool? Name it")
  t.same(parse("a", many), { "a", tool = "a", words = {} })
  t.same(parse("a b c", many), { "a", "b", "c", tool = "a", words = { "b", "c" } })
  t.same(parse("x", { arguments = { { "what", "string", enum = { "apps", "windows" } } } }), 'WHAT takes apps or windows, not "x"')
  local either = { rest = "command", arguments = { { "server", "server", unless = "command" }, { "tool", "tool" } } }
  t.same(parse("s t", either), { "s", "t", command = {}, server = "s", tool = "t" })
  t.same(parse("t -- run me", either), { "t", command = { "run", "me" }, tool = "t" })
  t.same(parse("t", either), "which tool?")
end)

t.case("subcommands have arguments of their own", function()
  local spec = { default = "list", subcommands = { list = {}, show = { arguments = { { "name", "string" } } } } }
  t.same(parse("", spec), { subcommand = "list" })
  t.same(parse("-n show x", spec), { "x", subcommand = "show", name = "x", dry_run = true })
  t.same(parse("show", spec), "which name?")
  t.same(parse("shwo x", spec), 'unknown subcommand "shwo": did you mean show?')
  t.same(parse("dance", spec), 'unknown subcommand "dance"; there are list, show')
end)

t.case("asked for help nothing else is missing", function()
  local list = table.move(LIST, 1, #LIST, 2, { { "help", "flag", "show this help", letter = "h" } })
  t.same(options.parse({ "-h" }, { options = list, arguments = { { "file", "file" } } }).help, true)
end)

-- --- scripts ---------------------------------------------------------------------------------

local SCRIPT = { usage = "perigee run x.lua [options] FILE", about = "Does things.", table.unpack(LIST, 1, 3) }

--- The values of read(), and the text that it printed.
local function read(...)
  local lines = {}
  local given, status = options.read({ ... }, SCRIPT, function(line) lines[#lines + 1] = line end)
  return given, status, table.concat(lines, "\n")
end

t.case("a script gets values and words", function()
  t.same(read(), { gap = 8 })
  t.same(read("--columns", "3", "a", "--gap=1.5", "-n", "b"), { columns = 3, gap = 1.5, dry_run = true, "a", "b" })
end)

t.case("a script's mistakes are said, with status 2", function()
  local given, status, printed = read("--colums", "3")
  t.same({ given, status }, { nil, 2 })
  t.same(printed, "unknown option --colums: did you mean --columns?\nRun it with --help for its options.")
end)

t.case("a script's help has all of it", function()
  local given, status, printed = read("--help", "--columns", "3")
  t.same({ given, status }, { nil, 0 })
  t.same(printed, table.concat({ "usage: perigee run x.lua [options] FILE", "", "Does things.", "",
    "  -c, --columns N  number of columns (maximum: 20)",
    "      --gap N      points between (default: 8)",
    "  -n, --dry-run    only print",
    "  -h, --help       show this help" }, "\n"))
end)

t.done()
