--- Runs the examples in tool, prompt, resource, rule, provider, service and command files, and in their test files, for
--- `perigee test`.
---
-- A tool's example runs like a real call (arguments and result are checked), in a copy of the file that gets stand-ins for the
--- sys modules.

local compile    = require "policy.compile"
local difference = require "cli.difference"
local engine     = require "sys.engine"
local explain    = require "policy.explain"
local files      = require "sys.files"
local fs         = require "sys.fs"
local json       = require "sys.json"
local interface  = require "testing.interface"
local keys       = require "cli.example_keys"
local main       = require "cli.main"
local nearest    = require "nearest"
local others     = require "agent.examples"
local service    = require "testing.service_example"
local standin    = require "testing.standin"
local task       = require "sys.task"
local test_files = require "testing.test_files"
local text       = require "terminal.text"

local M = {}

local shown = difference.shown

local SECONDS = 10  -- time limit of an example


-- --- a tool's example -------------------------------------------------------------------

local function wrong_failure(result, example)
  if not result.isError then return ("it does not fail, it answers %s"):format(shown(result.text)) end
  if example.err and not result.text:find(example.err, 1, true) then
    return ("the error is %s, expected %s"):format(shown(result.text), shown(example.err))
  end
  local code = result.code or (result._meta or {})["perigee/code"]
  if example.code and code ~= example.code then
    return ("the code is %s, expected %s"):format(shown(code), shown(example.code))
  end
end


local function wrong_answer(result, example)
  if result.isError then return ("it fails: %s (%s)"):format(result.text, result.code or "no code") end
  local want = example.want
  if type(want) == "string" then
    if result.text ~= want then return ("the text is %s, expected %s"):format(shown(result.text), shown(want)) end
  elseif want ~= nil then
    local where = difference.of(result.structuredContent, want, "the result")
    if where then return where end
  end
  for _, part in ipairs(example.has or {}) do
    if not result.text:find(part, 1, true) then
      return ("the text is %s and lacks %s"):format(shown(result.text), shown(part))
    end
  end
end


--- Returns the stubs of an example: those of the interface that it shows, overridden by those in `given`.
local function given_of(example)
  if not example.shows then return example end
  local given = interface.with(interface.shown(example.shows), example.given or {})
  return setmetatable({ given = given }, { __index = example })
end


local function tool_example(name, example, _, root)
  local stand = standin.new(given_of(example), root)
  local odd = stand:misnamed()
  if odd then return ("given names %s, which does not exist"):format(odd) end
  local file, err = files.load("tool", name, function(module) return stand:lookup(module) end)
  if not file then return err end
  local result, problem, code = file:call(example.args or {}, { timeout = SECONDS })
  result = result or { isError = true, text = problem, code = code }
  if stand.missing then return stand.missing end
  local wrong = (example.err or example.code) and wrong_failure(result, example)
  if not (example.err or example.code) then wrong = wrong_answer(result, example) end
  return wrong or example.did and difference.of_calls(stand.calls, example.did)
end


-- --- a resource's example -----------------------------------------------------------------

--- Returns the read contents in the form of a tool's result: a single JSON text also becomes structured content.
local function read_result(contents, problem, code)
  if not contents then return { isError = true, text = problem, code = code } end
  local texts = {}
  for i, content in ipairs(contents) do texts[i] = content.text or content.blob end
  local result = { text = table.concat(texts, "\n"), contents = contents }
  if #contents == 1 and contents[1].mimeType:find("json", 1, true) then
    result.structuredContent = json.decode(contents[1].text or "")
  end
  return result
end


local function resource_example(name, example, _, root)
  local stand = standin.new(example, root)
  local odd = stand:misnamed()
  if odd then return ("given names %s, which does not exist"):format(odd) end
  local file, err = files.load("resource", name, function(module) return stand:lookup(module) end)
  if not file then return err end
  local uri = example.uri or file:table().uri
  if not uri then return "an example of a template needs a uri" end
  local result = read_result(file:read(uri, { timeout = SECONDS }))
  if stand.missing then return stand.missing end
  local wrong = (example.err or example.code) and wrong_failure(result, example)
  if not (example.err or example.code) then wrong = wrong_answer(result, example) end
  return wrong or example.did and difference.of_calls(stand.calls, example.did)
end


-- --- a command's example ----------------------------------------------------------------------

--- Returns a host with what the example says in place of a terminal and files. `said` records the command's output.
---@param example perigee.CommandExample
---@param real cli.Host
---@param name string
---@return cli.Host
local function host_of(example, real, name, said)
  local function nothing() end
  return setmetatable({
    write     = function(words) said.out = said.out .. words end,
    complain  = function(words, plain)
      said.err = said.err .. (plain and "" or ("perigee %s: "):format(name)) .. words .. "\n"
    end,
    say       = function(words) said.err = said.err .. words end,
    progress  = nothing, listen = nothing, role = nothing, log_level = nothing, hide = nothing,
    read      = function(path)
      local bytes = path == "-" and (example.stdin or "") or (example.files or {})[path]
      if bytes then return bytes end
      return nil, ("cannot read %q: no such file or directory"):format(path), "not_found"
    end,
    save      = function(path, bytes)
      if path == "-" then said.out = said.out .. bytes else said.saved[path] = bytes end
      return true
    end,
    grant     = function(directory) return directory end,
    program   = "/usr/bin/perigee", config = "/home/me/.config/perigee/mcp.json",
    color     = false, terminal = example.width ~= nil, width = example.width or false,
    interactive = example.interactive or false, stderr_terminal = false,
  }, { __index = real })
end


local function wrong_output(said, example)
  if said.status ~= (example.status or 0) then
    return ("the exit status is %s, expected %d; stderr is %s"):format(said.status, example.status or 0, shown(said.err))
  end
  if example.out and said.out ~= example.out then
    return ("the output is %s, expected %s"):format(shown(said.out), shown(example.out))
  end
  for _, part in ipairs(example.has or {}) do
    if not said.out:find(part, 1, true) then return ("the output is %s and lacks %s"):format(shown(said.out), shown(part)) end
  end
  if not said.err:find(example.err or "", 1, true) then
    return ("stderr is %s, expected %s"):format(shown(said.err), shown(example.err))
  end
  return example.saved and difference.of(said.saved, example.saved, "what was saved")
end


local function command_example(name, example, real, root)
  local stand = standin.new(example, root)
  local odd = stand:misnamed()
  if odd then return ("given names %s, which does not exist"):format(odd) end
  local file, err = files.load("command", name, function(module) return stand:lookup(module) end)
  if not file then return err end
  local said = { out = "", err = "", saved = {} }
  local status, problem, code = task.with_timeout(SECONDS, function()
    return main.try(file:table(), host_of(example, real, name, said), name, example.args or {})
  end)
  if stand.missing then return stand.missing end
  if code == "timeout" then return problem end
  said.status = status
  return wrong_output(said, example) or example.did and difference.of_calls(stand.calls, example.did)
end


-- --- a policy's example -------------------------------------------------------------------------

local function policy_example(_, example)
  local rule, err = explain.rule(compile(files.table("policy", "policy")), example)
  if not rule then return err end
  if rule.verdict == example.want then return nil end
  return ("rule %d decides: %s, expected %s"):format(rule.number, rule.verdict, shown(example.want))
end


-- --- the examples of a file ----------------------------------------------------------------

---@class testing.Result
---@field name string
---@field detail? string  what is wrong; nil if it passed

--- Examples to run: those in a file, or those that a test file has for it.
---@class testing.Unit
---@field of sys.files.File  the file that the examples are for
---@field label string       the label of the file that they are in
---@field path string
---@field name string        the name of the file that they are for
---@field test? testing.TestFile

local run_example = { tool = tool_example, resource = resource_example, command = command_example, policy = policy_example,
  service = service.run }

local function results_of_calls(file, cases, wanted, host)
  local results = {}
  for i, example in ipairs(cases) do
    local name = tostring(example[1] or "example " .. i)
    if wanted(name) then
      local _, detail = pcall(run_example[file.kind], file.name, example, host, file.root)
      results[#results + 1] = { name = name, detail = detail or nil }
    end
  end
  return results
end


--- Returns the results for prompts, rules and providers, which lib/agent/examples.lua runs.
local function results_of_other(file, cases, wanted)
  local stand = standin.new(nil, file.root)
  local loaded, err = files.load(file.kind, file.name, function(module) return stand:lookup(module) end)
  if not loaded then return { { name = "loads", detail = err } } end
  local ok, found = pcall(others[file.kind], setmetatable({ examples = cases }, { __index = loaded:table() }))
  if not ok then return { { name = "runs its examples", detail = tostring(found) } } end
  local results = {}
  for i, result in ipairs(found) do
    local name = tostring(result.name or "example " .. i)
    if wanted(name) then
      results[#results + 1] = { name = name, detail = not result.ok and (result.detail or "?") or nil }
    end
  end
  return results
end


--- Returns failures for examples with keys that no runner reads. The other examples of the file are not run.
local function results_of_keys(unit, problems, wanted)
  local results = {}
  for _, problem in ipairs(problems) do
    if wanted(problem.name) then
      local place = problem.line and ("%s:%d: "):format(unit.path, problem.line) or unit.path .. ": "
      results[#results + 1] = { name = problem.name, detail = place .. problem.message }
    end
  end
  return results
end


local function results_of_cases(unit, cases, problems, wanted, host)
  local wrong = results_of_keys(unit, problems, wanted)
  if #wrong > 0 then return wrong end
  return (run_example[unit.of.kind] and results_of_calls or results_of_other)(unit.of, cases, wanted, host)
end


local function results_of_test(unit, wanted, host)
  local cases, err = test_files.examples(unit.test)
  if not cases then return wanted "loads" and { { name = "loads", detail = err } } or {} end
  if not files.table(unit.of.kind, unit.of.name) then return {} end -- its toolset is left out, or it does not load
  return results_of_cases(unit, cases, test_files.problems(unit.test, cases), wanted, host)
end


--- Returns the results of the wanted examples. A file that does not load has one result.
---@param unit testing.Unit
local function results_of(unit, problem, wanted, host)
  if unit.test then return results_of_test(unit, wanted, host) end
  local file = unit.of
  local found, err = files.table(file.kind, file.name)
  if file.kind == "command" then problem = not found and err end
  if problem then return wanted "loads" and { { name = "loads", detail = problem } } or {} end
  if not found then return {} end -- its toolset is left out
  return results_of_cases(unit, found.examples or {}, keys.problems(file.kind, found, fs.read(file.path)), wanted, host)
end


--- True for a foreign tool. Its examples are not run, because they would really call other tools.
local function is_foreign(file)
  local found = file.kind == "tool" and files.table("tool", file.name)
  return found and found.trust == "foreign"
end


local function has_examples(file)
  local found = files.table(file.kind, file.name)
  return not found or type(found.examples) == "table" and #found.examples > 0
end


--- Returns the messages of files that do not load, by path.
local function broken()
  local list = {}
  for _, problem in ipairs(engine.status().problems) do list[problem.file] = problem.message end
  return list
end


-- --- reports ----------------------------------------------------------------------------------

local report = { tap = {}, people = {}, json = {} }

function report.tap.result(state, file, result)
  local name = (file.label .. ": " .. result.name):gsub("[#\n]", " ")
  state.io:print(("%s %d - %s"):format(result.detail and "not ok" or "ok", state.count, name))
  for line in ((result.detail or "") .. "\n"):gmatch "([^\n]+)\n" do state.io:print("# " .. line) end
end

function report.tap.finish(state)
  state.io:print("1.." .. state.count)
end

function report.people.result(state, file, result)
  local io = state.io
  if state.file ~= file then io:print(text.paint(io.color, "bold", file.label)) end
  state.file = file
  local mark = result.detail and text.paint(io.color, "red", "FAIL") or text.paint(io.color, "green", "ok  ")
  io:print(("  %s %s"):format(mark, (result.name:gsub("\n", " "))))
  for line in ((result.detail or "") .. "\n"):gmatch "([^\n]+)\n" do io:print("         " .. line) end
end

function report.people.finish(state)
  if #state.foreign > 0 then
    state.io:print(("not run, because their tools are foreign: the examples of %s"):format(table.concat(state.foreign, ", ")))
  end
  if #state.bare > 0 then state.io:print(("without examples: %s"):format(table.concat(state.bare, ", "))) end
  state.io:print(("%d passed, %d failed"):format(state.count - state.failed, state.failed))
end

function report.json.result(state, file, result)
  state.results[#state.results + 1] = { file = file.path, name = result.name, ok = not result.detail, detail = result.detail }
end

function report.json.finish(state)
  state.io:json { passed = state.count - state.failed, failed = state.failed, without_examples = json.array(state.bare),
    foreign = #state.foreign > 0 and json.array(state.foreign) or nil,
    results = json.array(state.results) }
end


-- --- all of it -----------------------------------------------------------------------------------

--- True if a filter names this file: by its name, its label or its path.
local function names(filter, file)
  return filter == file.name or filter == file.label or filter == file.path
end


--- Returns a function that is true for wanted examples. A filter that is the name of a file selects the examples of that file
--- alone; another one those with this text in the file's label or their own name.
---@param used table<string, boolean>  set for each filter that selected an example
local function chooser(filters, list, used)
  local whole = {}
  for _, filter in ipairs(filters) do
    for _, file in ipairs(list) do whole[filter] = whole[filter] or names(filter, file) end
  end
  return function(file, name)
    local wanted = #filters == 0
    for _, filter in ipairs(filters) do
      if whole[filter] and names(filter, file) or not whole[filter] and (file.label .. ": " .. name):find(filter, 1, true) then
        wanted, used[filter] = true, used[filter] or name ~= ""
      end
    end
    return wanted
  end
end


--- Returns the files that a filter means: by name, otherwise by a part of the label.
local function meant(filter, list)
  local whole, part = {}, {}
  for _, file in ipairs(list) do
    if names(filter, file) then whole[#whole + 1] = file.label end
    if file.label:find(filter, 1, true) then part[#part + 1] = file.label end
  end
  return #whole > 0 and whole or part
end


--- Returns a message about the filters that match no example; nil if each matches one.
local function unmatched(filters, used, list)
  local missing, said = {}, {}
  for _, filter in ipairs(filters) do
    local files_meant = used[filter] and {} or meant(filter, list)
    for _, label in ipairs(files_meant) do said[#said + 1] = label .. " has no examples" end
    if not used[filter] and #files_meant == 0 then missing[#missing + 1] = filter end
  end
  if #missing > 0 then
    local near = {}
    for _, file in ipairs(list) do
      if not near[file.name] then near[#near + 1], near[file.name] = file.name, true end
    end
    said[#said + 1] = "no example matches " .. table.concat(missing, ", ") .. nearest.question(missing[1], near, "; ")
  end
  return said[1] and table.concat(said, "; ")
end


--- True if the file, or the one that it tests, is in this directory.
local function is_below(directory, unit)
  local function inside(path) return path:sub(1, #directory + 1) == directory .. "/" end
  return not directory or inside(unit.path) or unit.of and inside(unit.of.path)
end


--- Returns the files with examples, each followed by its test files, and at the end test files of files that do not exist.
---@return testing.Unit[]
local function units_of(all, tests, only)
  local units, lost, of = {}, {}, {}
  for _, test in ipairs(tests) do
    local unit = { of = test.of, label = test.label, path = test.path, name = test.name, test = test }
    local list = test.of and of[test.of.path] or {}
    if test.of then of[test.of.path] = list end
    table.insert(test.of and list or lost, unit)
  end
  for _, file in ipairs(all) do
    if file.kind ~= "lib" and not file.overridden_by then
      units[#units + 1] = { of = file, label = file.label, path = file.path, name = file.name }
      local list = of[file.path] or {}
      table.move(list, 1, #list, #units + 1, units)
    end
  end
  table.move(lost, 1, #lost, #units + 1, units)
  local wanted = {}
  for _, unit in ipairs(units) do
    if is_below(only, unit) then wanted[#wanted + 1] = unit end
  end
  return wanted
end


---@param unit testing.Unit
local function run_unit(unit, state, chosen, problem)
  local function wanted(name) return chosen(unit, name) end
  if unit.of and is_foreign(unit.of) then
    if not unit.test and wanted "" then state.foreign[#state.foreign + 1] = unit.label end
    return
  end
  if not unit.test and not has_examples(unit.of) and wanted "" then state.bare[#state.bare + 1] = unit.label end
  for _, result in ipairs(results_of(unit, problem, wanted, state.io.host)) do
    state.count = state.count + 1
    if result.detail then state.failed = state.failed + 1 end
    state.to.result(state, unit, result)
  end
end


---@param filters string[]       names of files, or parts of the names of files and examples
---@param form "tap"|"people"|"json"
---@param io perigee.IO
---@param only? string  a directory: files elsewhere are left out
---@return integer? status
---@return string? err
function M.run(filters, form, io, only)
  local state = { count = 0, failed = 0, bare = {}, foreign = {}, results = {}, io = io, to = report[form] }
  local problems, all = broken(), files.list()
  local units = units_of(all, test_files.list(all, io), only)
  local used = {}
  local chosen = chooser(filters, units, used)
  for _, unit in ipairs(units) do run_unit(unit, state, chosen, problems[unit.path]) end
  state.to.finish(state)
  local missing = unmatched(filters, used, units)
  if missing then return nil, missing end
  return state.failed > 0 and 1 or 0
end


return M
