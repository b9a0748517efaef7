--- perigee check: reports files that do not load, scripts with errors, overridden files, and the number of files.

local about_check   = require "cli.about_check"
local check_command = require "cli.check_command"
local curated       = require "dictionary.curated"
local engine        = require "sys.engine"
local example_files = require "cli.example_files"
local example_keys  = require "cli.example_keys"
local files         = require "sys.files"
local fs            = require "sys.fs"
local json          = require "sys.json"
local macro_check   = require "cli.macro_check"
local name_check    = require "cli.name_check"
local parameters    = require "cli.parameters"
local paths         = require "sys.path"
local scripts       = require "cli.scripts"
local test_files    = require "testing.test_files"

local KINDS = { "tool", "prompt", "resource", "rule", "text", "provider", "command", "service", "policy", "lib", "script",
  "lua_script" }
local NAMES = { lib = "lib file", script = "AppleScript file", lua_script = "script" }
local PLURALS = { policy = "policies" }


--- Splits "label:12: what" into the line and the rest.
local function parts_of(message, label)
  if message:sub(1, #label + 1) ~= label .. ":" then return nil, message end
  local rest = message:sub(#label + 2)
  local line, what = rest:match "^(%d+): (.*)$"
  return tonumber(line), what or rest:gsub("^ ", "")
end


local function load_lib(file) return files.lib(file.name, file.root) end


--- Loads every lib file, so that none is broken unnoticed: otherwise only the files that require them do. Those of packs that
--- are not approved must not run here.
local function check_libs(all, problems)
  local told = {}
  for _, problem in ipairs(problems) do told[problem.file] = true end
  for _, file in ipairs(all) do
    if file.kind == "lib" and not file.foreign and not told[file.path] then
      local load = curated.is_file(file) and curated.load or load_lib
      local value, err = load(file)
      if value == nil then
        local line, what = parts_of(tostring(err), file.label)
        problems[#problems + 1] = { file = file.path, line = line, message = what }
      end
    end
  end
end


--- Checks the files of curated examples that load. The tests check those that come with Perigee.
---@param named? applescript.Dictionaries
local function check_curated(all, report, named)
  local shipped = engine.status().roots[1]
  for _, file in ipairs(all) do
    local counts = curated.is_file(file) and file.root ~= shipped and not file.foreign and not file.shadowed_by
    local value = counts and curated.load(file)
    if value then
      local problems, warnings = example_files.findings(file, value, named)
      for _, each in ipairs { { problems, report.problems }, { warnings, report.warnings } } do
        for _, finding in ipairs(each[1]) do
          table.insert(each[2], { file = file.path, line = finding.line, message = finding.message })
        end
      end
    end
  end
end


--- True if `perigee help` finds the summary: it reads the text of the least indented field of this name and does not run the
--- file.
local function summary_shows(file, command)
  local bytes, found, least = fs.read(file.path), nil, math.huge
  if not bytes then return true end -- it is behind a link to a place that is not granted
  for line in bytes:gmatch "[^\n]+" do
    local value = (" " .. line):match '[%s{,]summary[ \t]*=[ \t]*"([^\n]*)'
    local indent = #line:match "^[ \t]*"
    if value and indent < least then found, least = value, indent end
  end
  return found ~= nil and found:gsub("\\(.)", "%1"):sub(1, #command.summary + 1) == command.summary .. '"'
end


--- Loads every command, which otherwise is done only when it runs.
local function check_commands(all, io, problems)
  local native = {}
  for _, command in ipairs(io.host.native()) do native[command.name] = true end
  for _, file in ipairs(all) do
    if file.kind == "command" and not file.overridden_by then
      local function add(message, line) problems[#problems + 1] = { file = file.path, line = line, message = message } end
      local command, err = files.table("command", file.name)
      if native[file.name] then
        add(("the command %s is a part of the program and cannot be overridden. Give the file another name"):format(file.name))
      elseif not command then
        local line, what = parts_of(err, file.label)
        add(what, line)
      else
        for _, problem in ipairs(check_command.run(command, io.common)) do add(problem) end
        if not summary_shows(file, command) then
          add '`perigee help` cannot read the summary. Write it on a line of its own: summary = "..."'
        end
      end
    end
  end
end


--- Checks the keys of examples: one that no runner reads would check nothing.
local function check_examples(all, problems)
  for _, file in ipairs(all) do
    local found = file.kind ~= "lib" and not file.overridden_by and files.table(file.kind, file.name)
    for _, problem in ipairs(found and example_keys.problems(file.kind, found, fs.read(file.path)) or {}) do
      problems[#problems + 1] = { file = file.path, line = problem.line, message = problem.message }
    end
  end
end


---@param is_reported fun(path: string): boolean
local function check_tests(io, problems, is_reported)
  for _, file in ipairs(test_files.list(files.list(), io)) do
    if not is_reported(file.path) then goto next_file end
    local function add(message, line) problems[#problems + 1] = { file = file.path, line = line, message = message } end
    local cases, err = test_files.examples(file)
    if not cases then
      local line, what = parts_of(err, file.path)
      add(what, line)
    end
    for _, problem in ipairs(cases and test_files.problems(file, cases) or {}) do add(problem.message, problem.line) end
    ::next_file::
  end
end


--- Lets the check read the roots.
local function grant_roots(io, roots)
  for _, root in ipairs(roots) do io:grant(root, "read") end
end


---@param is_reported fun(path: string): boolean
local function problems_of(all, io, problems, is_reported)
  local labels = {}
  for _, file in ipairs(all) do labels[file.path] = file.label end
  for _, problem in ipairs(engine.status().problems) do
    if is_reported(problem.file) then
      local line, what = parts_of(problem.message, labels[problem.file] or problem.file)
      problems[#problems + 1] = { file = problem.file, line = line, message = what }
    end
  end
  check_libs(all, problems)
  check_commands(all, io, problems)
  check_examples(all, problems)
  check_tests(io, problems, is_reported)
end


-- --- names -------------------------------------------------------------------------

--- Adds what a text's names are wrong in: what cannot work to the problems, the rest to the warnings.
local function add_names(path, text, place, report)
  for _, finding in ipairs(name_check.findings(text, place)) do
    local list = finding.certain and report.problems or report.warnings
    list[#list + 1] = { file = path, line = finding.line, message = finding.message }
  end
end


--- Checks the names in files that load. Those that do not are problems already.
local function check_names(all, report)
  local told = {}
  for _, problem in ipairs(report.problems) do told[problem.file] = true end
  for _, file in ipairs(all) do
    local text = not file.overridden_by and not told[file.path] and fs.read(file.path)
    if text then add_names(file.path, text, { root = not file.foreign and file.root or nil }, report) end
    for _, finding in ipairs(file.kind == "tool" and text and macro_check.findings(text) or {}) do
      table.insert(report.problems, { file = file.path, line = finding.line, message = finding.message })
    end
  end
end


--- Checks which arguments of the tools that load are declared.
local function check_about(all, report)
  for _, file in ipairs(all) do
    local tool = file.kind == "tool" and not file.overridden_by and files.table("tool", file.name)
    for _, message in ipairs(tool and about_check.findings(tool) or {}) do
      local line = example_keys.line_of(fs.read(file.path), "about")
      report.warnings[#report.warnings + 1] = { file = file.path, line = line, message = message }
    end
  end
end


-- --- hints -------------------------------------------------------------------------

local function hints_for_tool(file, found, add)
  if not found.title then add "has no title" end
  if not found.annotations then add "has no annotations: clients take it for destructive" end
  for _, row in ipairs(parameters.rows(found.inputSchema)) do
    if row.description == "" then add(("parameter %s has no description"):format(row.name)) end
  end
  if #found.description > 1024 then add "has a description of more than 1024 bytes, which some clients refuse" end
  if #file.name > 64 then add "has a name of more than 64 characters, which some clients refuse" end
end


--- Returns hints to improve files that work.
local function hints_of(all)
  local hints = {}
  for _, file in ipairs(all) do
    local found = file.kind ~= "lib" and not file.overridden_by and files.table(file.kind, file.name)
    local function add(what) hints[#hints + 1] = { file = file.path, message = what } end
    if found then
      if file.kind == "tool" then hints_for_tool(file, found, add) end
      if type(found.examples) ~= "table" or #found.examples == 0 then add "has no examples" end
    end
  end
  return hints
end


-- --- the report -----------------------------------------------------------------------

local function counts_of(all)
  local counts = {}
  for _, kind in ipairs(KINDS) do counts[kind] = 0 end
  for _, file in ipairs(all) do
    if not file.overridden_by then counts[file.kind] = counts[file.kind] + 1 end
  end
  return counts
end


local function overridden_of(all)
  local list = {}
  for _, file in ipairs(all) do
    if file.overridden_by then list[#list + 1] = { file = file.path, by = file.overridden_by } end
  end
  return list
end


--- Lists lib files of the same name in two roots, which is not an error but perhaps not intended.
local function shadowed_of(all)
  local list = {}
  for _, file in ipairs(all) do
    if file.shadowed_by then
      list[#list + 1] = { file = file.shadowed_by, shadows = file.path, replaces = curated.is_file(file) or nil }
    end
  end
  return list
end


local function plural(count, word)
  return ("%d %s"):format(count, count == 1 and word or PLURALS[word] or word .. "s")
end


local function place_of(problem)
  if problem.column then return ("%s:%d:%d"):format(problem.file, problem.line, problem.column) end
  return problem.line and ("%s:%d"):format(problem.file, problem.line) or problem.file
end


local function print_report(report, io, only_files)
  for _, problem in ipairs(report.problems) do
    local place = place_of(problem)
    io:print(place .. ": " .. problem.message)
  end
  for _, warning in ipairs(report.warnings) do
    io:print(("%s: warning: %s"):format(place_of(warning), warning.message))
  end
  for _, hint in ipairs(report.hints) do io:print(hint.file .. ": hint: " .. hint.message) end
  for _, file in ipairs(report.overridden) do io:print(file.file .. ": note: overridden by " .. file.by) end
  for _, file in ipairs(report.shadowed) do
    io:print((file.replaces and "%s: note: it replaces %s" or
      "%s: note: %s has the same name. Files of its root still use that one"):format(file.file, file.shadows))
  end
  local counts = {}
  for _, kind in ipairs(KINDS) do
    if report.files[kind] > 0 or not only_files and kind ~= "lua_script" then
      counts[#counts + 1] = plural(report.files[kind], NAMES[kind] or kind)
    end
  end
  local result = #report.problems == 0 and "all well" or plural(#report.problems, "problem")
  if #report.warnings > 0 then
    result = (#report.problems == 0 and "" or result .. ", ") .. plural(#report.warnings, "warning")
  end
  local where = only_files and "" or " in " .. plural(#report.roots, "root")
  io:print(("%s%s; %s"):format(table.concat(counts, ", "), where, result))
end


---@param dictionaries string[]  directories of .sdef files
---@return string[]? paths
---@return string? err
---@return string? code
local function grant_dictionaries(io, dictionaries)
  local granted = {}
  for i, directory in ipairs(dictionaries) do
    local path, err, code = io:grant(directory, "read")
    if not path then return nil, err, code end
    granted[i] = path
  end
  return granted
end


--- Returns the files and the roots to report: those that the user can change, or all if there are no others.
local function chosen(args, all, roots)
  if args.all or #roots < 2 then return all, roots, function() return true end end
  local own = {}
  for _, file in ipairs(all) do
    if file.root ~= roots[1] then own[#own + 1] = file end
  end
  return own, { table.unpack(roots, 2) }, function(path) return path:sub(1, #roots[1] + 1) ~= roots[1] .. "/" end
end


local function report_of(all, roots, problems, checked)
  local report = {
    problems   = json.array(problems),
    warnings   = json.array(checked.warnings),
    hints      = json.array {},
    overridden = json.array {},
    shadowed   = json.array {},
    files      = counts_of(all),
    roots      = json.array(roots),
  }
  table.move(checked.problems, 1, #checked.problems, #problems + 1, problems)
  report.files.script = checked.count
  return report
end


local function of_roots(args, io)
  local roots = engine.status().roots
  local all, reported, is_reported = chosen(args, files.list(), roots)
  local dictionaries, err, code = grant_dictionaries(io, args.dictionaries)
  if not dictionaries then return nil, err, code end
  grant_roots(io, roots)
  local problems = {}
  problems_of(all, io, problems, is_reported)
  local checked = scripts.check(reported, dictionaries)
  local report = report_of(all, reported, problems, checked)
  check_curated(all, report, checked.dictionaries)
  check_names(all, report)
  check_about(all, report)
  report.hints = json.array(args.strict and hints_of(all) or {})
  report.overridden = json.array(overridden_of(files.list()))
  report.shadowed = json.array(shadowed_of(files.list()))
  return report
end


-- --- single files --------------------------------------------------------------------------

--- Checks a file of a root by all that is known of it, and another one as a script: it is read and does not run.
local function add_file(path, io, report)
  local text, err, code = io:read(path)
  if not text then return nil, err, code == "not_found" and "usage" or code end
  local folder
  folder, err, code = io:grant(paths.directory(path), "read")
  if not folder then return nil, err, code end
  local whole = folder .. "/" .. paths.name(path)
  for _, file in ipairs(files.list()) do
    if file.path == whole then
      report.files[file.kind] = report.files[file.kind] + 1
      problems_of({ file }, io, report.problems, function(each) return each == whole end)
      check_curated({ file }, report)
      check_names({ file }, report)
      check_about({ file }, report)
      return true
    end
  end
  report.files.lua_script = report.files.lua_script + 1
  add_names(path, text, { script = true }, report)
  return true
end


local function of_files(args, io)
  local roots = engine.status().roots
  grant_roots(io, roots)
  local report = report_of({}, roots, {}, { problems = {}, warnings = json.array {}, count = 0 })
  for _, path in ipairs(args.files) do
    local ok, err, code = add_file(path, io, report)
    if not ok then return nil, err, code end
  end
  return report
end


local function run(args, io)
  local report, err, code = (#args.files > 0 and of_files or of_roots)(args, io)
  if not report then return nil, err, code end
  if args.json then io:json(report) else print_report(report, io, #args.files > 0) end
  local wrong = #report.problems > 0 or #report.hints > 0 or args.strict and #report.warnings > 0
  return wrong and 1 or 0
end


---@type perigee.Command
return {
  summary     = "load every file and report what is wrong with it",
  usage       = { "check [FILE]... [options]" },
  description = "Loads the tools, prompts, resources, rules, providers, commands, lib files and test files of your own roots and "
             .. "packs; with --all, and if there are no others, also those that come with Perigee. It "
             .. "reports what failed as `path:line: message`, which files are overridden by those of a later root, which lib "
             .. "files share a name, and how many files there are. With FILE it checks only these files. One that is not in "
             .. "a root is checked as a script for `perigee run`, and does not run.\n\n"
             .. "Names that are not there are found without running the code: globals, fields of modules, modules of sys and, in "
             .. "scripts, tools. A name that the file also tests or copies without calling it (`if window.new then`) is a "
             .. "warning. So is an argument that may name a file, a host or a display, and that the `about` of the file lacks."
             .. "\n\nAppleScript files in the roots' directories "
             .. "scripts/ are checked by structure, and against the "
             .. "dictionaries (.sdef) beside them; what a dictionary does not have is a warning. "
             .. "Scripts and calls in your files of examples, in dictionary/, are checked in the same way.",
  arguments   = { { "files", "file", "files to check, instead of the roots", optional = true, repeatable = true,
                    value = "FILE" } },
  options     = {
    { "all", "flag", "also check the files that come with Perigee" },
    { "dictionaries", "directory", "dictionaries for AppleScript: ID.sdef or NAME.sdef. On a Mac `sdef /Applications/X.app` "
                                .. "prints one", repeatable = true },
    { "json", "flag", "print one JSON object: problems, warnings, hints, overridden, shadowed, files, roots" },
    { "strict", "flag", "also report hints: no title, annotations, examples or descriptions of parameters; fail if there are "
                     .. "any, or warnings" },
  },
  notes       = "Exit status: 0 success, 1 a file failed to load, uses names that are not there, or has a wrong structure, 2 "
             .. "usage error",
  log         = "off", -- the report says everything
  stoppable   = false,
  run         = run,

  examples = {
    { "counts what there is", args = {}, has = { "0 tools, 0 prompts", "1 lib file, 0 AppleScript files in 1 root; all well" },
      given = { ["sys.files.list"] = { { kind = "lib", name = "x", path = "/r/lib/x.lua", label = "lib/x.lua" } },
                ["sys.files.lib"] = true, ["sys.files.modules"] = {}, ["sys.fs.read"] = "return {}",
                ["sys.engine.status"] = { roots = { "/r" }, problems = {} }, ["sys.fs.list"] = {} } },
    { "reports a file that does not load", args = { "--json" }, status = 1,
      has = { '"file":"/r/tools/t/x.lua","line":3,"message":"unexpected symbol"' },
      given = { ["sys.files.list"] = { { kind = "tool", name = "x", path = "/r/tools/t/x.lua", label = "tools/t/x.lua" } },
                ["sys.files.table"] = { n = 2, false, "it does not load" },
                ["sys.engine.status"] = { roots = { "/r" }, problems = {
                  { file = "/r/tools/t/x.lua", message = "tools/t/x.lua:3: unexpected symbol" } } },
                ["sys.fs.list"] = {} } },
    { "reports what a file of examples lacks", args = { "--json" }, status = 1,
      has = { '"file":"/r/dictionary/mail.lua","message":"examples[1]: task is missing"' },
      given = { ["sys.files.list"] = { { kind = "lib", name = "dictionary.mail", path = "/r/dictionary/mail.lua",
                                         label = "dictionary/mail.lua" } },
                ["sys.files.lib"] = { app = "com.apple.mail", name = "Mail", examples = { { command = "send" } } },
                ["sys.files.modules"] = {}, ["sys.fs.read"] = "return {}",
                ["sys.engine.status"] = { roots = { "/r" }, problems = {} }, ["sys.fs.list"] = {} } },
  },
}
