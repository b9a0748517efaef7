--- What `perigee check` tells: the files that do not load, scripts that are wrong, files that are overridden, and how
--- many there are.

local engine     = require "sys.engine"
local files      = require "sys.files"
local json       = require "sys.json"
local parameters = require "cli.parameters"
local scripts    = require "cli.scripts"

local M = {}

local KINDS = { "tool", "prompt", "resource", "rule", "provider", "lib", "script" }
local NAMES = { lib = "lib file", script = "AppleScript file" }


--- Splits "label:12: what" into the line and what is left.
local function parts_of(message, label)
  if message:sub(1, #label + 1) ~= label .. ":" then return nil, message end
  local rest = message:sub(#label + 2)
  local line, what = rest:match "^(%d+): (.*)$"
  return tonumber(line), what or rest:gsub("^ ", "")
end


--- lib files are loaded by those that require them; here every one is, so that none is broken unseen.
local function check_libs(all, problems)
  for _, file in ipairs(all) do
    if file.kind == "lib" and not file.overridden_by then
      local ok, err = pcall(require, file.name)
      if not ok then
        local line, what = parts_of(tostring(err), file.label)
        problems[#problems + 1] = { file = file.path, line = line, message = what }
      end
    end
  end
end


local function problems_of(all, missing)
  local labels, problems = {}, {}
  for _, root in ipairs(missing) do problems[#problems + 1] = { file = root, message = "this root is no folder" } end
  for _, file in ipairs(all) do labels[file.path] = file.label end
  for _, problem in ipairs(engine.status().problems) do
    local line, what = parts_of(problem.message, labels[problem.file] or problem.file)
    problems[#problems + 1] = { file = problem.file, line = line, message = what }
  end
  check_libs(all, problems)
  return problems
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


--- What would make a file better, though it works.
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


local function plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end


local function place_of(problem)
  if problem.column then return ("%s:%d:%d"):format(problem.file, problem.line, problem.column) end
  return problem.line and ("%s:%d"):format(problem.file, problem.line) or problem.file
end


local function print_report(report)
  for _, problem in ipairs(report.problems) do
    local place = place_of(problem)
    print(place .. ": " .. problem.message)
  end
  for _, warning in ipairs(report.warnings) do
    print(("%s: warning: %s"):format(place_of(warning), warning.message))
  end
  for _, hint in ipairs(report.hints) do print(hint.file .. ": hint: " .. hint.message) end
  for _, file in ipairs(report.overridden) do print(file.file .. ": note: overridden by " .. file.by) end
  local counts = {}
  for i, kind in ipairs(KINDS) do counts[i] = plural(report.files[kind], NAMES[kind] or kind) end
  local result = #report.problems == 0 and "all well" or plural(#report.problems, "problem")
  if #report.warnings > 0 then
    result = (#report.problems == 0 and "" or result .. ", ") .. plural(#report.warnings, "warning")
  end
  print(("%s in %s; %s"):format(table.concat(counts, ", "), plural(#report.roots, "root"), result))
end


---@class cli.check.Options
---@field json boolean
---@field strict boolean
---@field missing string[]       roots that are not there
---@field dictionaries string[]  folders of .sdef files

---@param options cli.check.Options
---@return integer status
function M.run(options)
  local all, roots = files.list(), engine.status().roots
  local checked = scripts.check(roots, options.dictionaries)
  local problems = problems_of(all, options.missing)
  table.move(checked.problems, 1, #checked.problems, #problems + 1, problems)
  local report = {
    problems   = json.array(problems),
    warnings   = json.array(checked.warnings),
    hints      = json.array(options.strict and hints_of(all) or {}),
    overridden = json.array(overridden_of(all)),
    files      = counts_of(all),
    roots      = json.array(roots),
  }
  report.files.script = checked.count
  if options.json then print(json.encode(report)) else print_report(report) end
  local wrong = #report.problems > 0 or #report.hints > 0 or options.strict and #report.warnings > 0
  return wrong and 1 or 0
end


return M
