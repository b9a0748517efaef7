--- perigee macro: lists, runs, opens and checks the user's macros. lua/lib/cli/macro.lua does the work.

local function part(name) return function(args, io) return require("cli.macro")[name](args, io) end end

local NAME = { "name", "string", "the macro" }

local FILE = { kind = "tool", name = "note", toolset = "macros", root = "/mine", label = "tools/macros/note.lua",
  path = "/mine/tools/macros/note.lua" }

--- Stubs for one macro.
local function given(more)
  local all = { ["sys.files.table"] = { n = 0 }, ["sys.engine.tool"] = { n = 0 }, ["sys.files.list"] = { FILE },
    ["sys.engine.status"] = { roots = { "/r", "/mine" }, problems = {} } }
  for name, value in pairs(more or {}) do all[name] = value end
  return all
end


---@type perigee.Command
return {
  summary     = "list, run, open and check your macros",
  usage       = { "macro [list]", "macro run NAME [KEY=VALUE | KEY:=JSON]... [options]", "macro edit NAME",
                  "macro check [NAME]...", "macro from-run JOURNAL [KEY=VALUE]... [options]" },
  description = "A macro does a task in an application step by step. It is a file of yours in tools/macros (docs/macros.md). It "
             .. "stops at the first step that is not sure, or whose effect is not seen, and says what to do. --from goes on "
             .. "then: with last, a step's number, \"row 3\", or \"row 3 step 4\".",
  default     = "list",
  subcommands = {
    check = { summary = "report macros that do not load, and records that fit no step; default: all",
              arguments = { { "names", "string", "a macro", optional = true, repeatable = true, value = "NAME" } },
              run = part "check" },
    ["from-run"] = { summary = "make a macro of the journal of an agent's run, if it holds on a fresh desktop",
              arguments = { { "journal", "file", "the journal, of logs/runs", value = "JOURNAL" },
                            { "values", "string", "other values for its parameters, to try it with", optional = true,
                              repeatable = true, value = "KEY=VALUE" } },
              run = function(args, io) return require("cli.macro_from_run").run(args, io) end },
    edit  = { summary = "print the path of a macro; on a terminal open it in your editor ($VISUAL, $EDITOR), and check it",
              arguments = { NAME }, run = part "edit" },
    list  = { summary = "list the macros", run = part "list" },
    run   = { summary = "run a macro",
              arguments = { NAME, { "arguments", "string", "values for its parameters, as for `perigee call`", optional = true,
                                    repeatable = true, value = "KEY=VALUE" } },
              run = function(args, io) return require("cli.macro_run").run(args, io) end },
  },
  options     = {
    { "again", "flag", "run: with --from, repeat a step that was sent and whose effect was not seen" },
    { "args", "string", "run: all values as one JSON object; @FILE reads it from a file, - from stdin; KEY=VALUE words come on "
                     .. "top", value = "JSON" },
    { "dry-run", "flag", "run: only try it, on a copy of the desktop" },
    { "from", "string", "run: go on with the run that stopped", value = "STEP|ROW|last" },
    { "here", "flag", "from-run: try it on this desktop instead of a fresh one" },
    { "json", "flag", "print JSON" },
    { "name", "string", "from-run: the name of the macro; default: made of the request", value = "NAME" },
  },
  notes       = "Exit status: 0 success, 1 failure or a problem (check), 2 usage error, 3 a step failed, 124 timeout, 130 "
             .. "interrupted",

  examples = {
    { "lists them", args = {}, out = "note  A note\n",
      given = given { ["sys.files.table"] = { title = "A note", inputSchema = {} } } },
    { "says that there are none", args = { "list" }, has = { "There are no macros." },
      given = given { ["sys.files.list"] = {} } },
    { "runs one from a step on", args = { "run", "note", "text=Hi", "--from", "2" }, out = "done\n",
      given = given { ["cli.find.callable"] = { name = "note", inputSchema = { type = "object", properties = {
                        text = { type = "string" } } },
                      call = function(args)
                        local text = args.text == "Hi" and args.resume_from == "2" and "done" or "other"
                        return { content = { { type = "text", text = text } }, text = text }
                      end } } },
    { "calls it with its values", args = { "run", "macros/note", "text=Hi" }, out = "done\n",
      given = given { ["sys.files.table"] = { _meta = { ["perigee/macro"] = {} } },
                      ["sys.engine.tool"] = { name = "note", inputSchema = { type = "object", properties = {
                        text = { type = "string" } } } },
                      ["sys.engine.call"] = { content = { { type = "text", text = "done" } }, text = "done" } },
      did   = { "files.table tool note", "engine.tool note", "engine.call note text=Hi" } },
    { "fails as the step does", args = { "run", "note" }, status = 3, err = "Step 1, open Notes: it is not there",
      given = given { ["cli.find.callable"] = { name = "note", inputSchema = { type = "object" }, call = function()
                        return { content = {}, isError = true, text = "Step 1, open Notes: it is not there" }
                      end } } },
    { "prints the path", args = { "edit", "note" }, out = "/mine/tools/macros/note.lua\n", given = given() },
    { "checks the record of steps", args = { "check" }, status = 1, has = { "no line has this selector", "1 macro; 1 problem" },
      given = given { ["sys.policy.code"] = function(path)
                        return path:find "json$" and '{"format":1,"steps":[{"kind":"click","selector":"button"}]}'
                          or 'local note = macro:open("Notes")'
                      end } },
    { "names the nearest", args = { "run", "nota" }, status = 2, err = "did you mean note?", given = given() },
    { "repeats only with a place", args = { "run", "note", "--again" }, status = 2, err = "--again repeats a step of --from",
      given = given() },
  },
}
