--- Test files: ROOT/tests/tools/NAME_test.lua returns more examples of the tool NAME, in the form of its `examples`. Prompts,
--- resources, providers, commands and services have theirs in tests/prompts, tests/resources, ... The files of the first root
--- may also have theirs in tests/ beside it, so that the source tree keeps them out of what is installed.

local engine  = require "sys.engine"
local files   = require "sys.files"
local fs      = require "sys.fs"
local keys    = require "cli.example_keys"
local nearest = require "nearest"

local M = {}

local FOLDERS = { "tools", "prompts", "resources", "providers", "commands", "services" }

---@class testing.TestFile
---@field path  string           absolute
---@field label string           "tests/tools/NAME_test.lua"
---@field name  string           the name of the file that it tests
---@field of?   sys.files.File   the file that it tests
---@field problem? string        why it cannot run: "PATH:LINE: what is wrong. What to do"


--- Returns the files in tests/FOLDER that are in effect, by name, and those of this root that another root overrides.
local function tested(all, folder, root)
  local found, overridden, names = {}, {}, {}
  for _, file in ipairs(all) do
    local at = file.label:match "^packs/[^/]+/(.*)$" or file.label
    if at:match "^[^/]+" == folder or folder == "tools" and at:match "^foreign/" then
      if not file.overridden_by then
        found[file.name], names[#names + 1] = file, file.name
      elseif file.root == root then
        overridden[file.name] = true
      end
    end
  end
  return found, overridden, names
end


---@return testing.TestFile?  nil if the file that it tests is overridden, which the test file then is as well
local function test_file(directory, folder, entry, all, root)
  local path = ("%s/%s/%s"):format(directory, folder, entry.name)
  local file = { path = path, label = ("tests/%s/%s"):format(folder, entry.name), name = entry.name:match "^(.*)_test%.lua$" }
  if not file.name then
    file.name = entry.name:gsub("%.lua$", "")
    file.problem = ("%s:1: it is not run. Rename it to %s_test.lua, or move it to testing/ if tests require it"):format(path,
      file.name)
    return file
  end
  local found, overridden, names = tested(all, folder, root)
  if overridden[file.name] then return nil end
  file.of = found[file.name]
  if not file.of then
    local kind, question = folder:gsub("s$", ""), nearest.question(file.name, names, "; ")
    file.problem = ("%s:1: there is no %s %q%s Rename the file to the name of a %s and _test.lua, or remove it"):format(path,
      kind, file.name, question ~= "" and question or ".", kind)
  end
  return file
end


local function add_directory(list, directory, all, root)
  for _, folder in ipairs(FOLDERS) do
    local entries = fs.list(("%s/%s"):format(directory, folder)) or {}
    table.sort(entries, function(a, b) return a.name < b.name end)
    for _, entry in ipairs(entries) do
      if entry.kind ~= "directory" and entry.name:find "%.lua$" and entry.name:sub(1, 1) ~= "." then
        list[#list + 1] = test_file(directory, folder, entry, all, root)
      end
    end
  end
end


--- Returns all test files of the roots and packs.
---@param all sys.files.File[]
---@param io perigee.IO
---@return testing.TestFile[]
function M.list(all, io)
  local list, known = {}, {}
  local roots = { table.unpack(engine.status().roots or {}) }
  for _, root in ipairs(roots) do known[root] = true end
  for _, file in ipairs(all) do
    if file.root and not known[file.root] then roots[#roots + 1], known[file.root] = file.root, true end
  end
  local beside = roots[1] and roots[1]:match "^(.+)/[^/]+$"
  if beside and io:grant(beside .. "/tests", "read") then add_directory(list, beside .. "/tests", all, roots[1]) end
  for _, root in ipairs(roots) do
    io:grant(root, "read")
    add_directory(list, root .. "/tests", all, root)
  end
  return list
end


--- Returns the examples in a test file.
---@param file testing.TestFile
---@return table[]? examples
---@return string? err  "PATH:LINE: what is wrong. What to do"
function M.examples(file)
  if file.problem then return nil, file.problem end
  local cases, err = files.test(file.path)
  if err then
    local line, what = err:match "^[^:]+:(%d+): (.*)$"
    return nil, ("%s:%s: %s"):format(file.path, line or "1", what or err)
  end
  if type(cases) ~= "table" then
    return nil, ("%s:1: it returns %s. End it with a list of examples: return { { \"what it shows\", args = {} } }"):format(
      file.path, type(cases) == "nil" and "nothing" or "a " .. type(cases))
  end
  return cases
end


--- Returns what is wrong with the examples of a test file, at most one problem for each.
---@param file testing.TestFile
---@param cases table[]
---@return cli.ExampleProblem[]
function M.problems(file, cases)
  local found = files.table(file.of.kind, file.of.name) or {}
  return keys.problems(file.of.kind, { examples = cases, arguments = found.arguments }, fs.read(file.path))
end


return M
