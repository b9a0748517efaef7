--- The curated examples: dictionary/NAME.lua of every root, each a table
---
---     { app = "com.apple.finder", name = "Finder", words = "file folder",
---       examples = { { task = "Empty the trash.", command = "empty", script = [[...]] }, ... } }
---
--- `app` is the id of an application, or an interface of D-Bus; `words` are words that people use for it. `command` is the name
--- of a row of the search. An example of D-Bus has `call` instead of `script`: to, path, interface, member and args of a method;
--- to, path, action, and args or state, of an action; to, path, interface, property, and a value to set, of a property; desktop
--- and action of a desktop entry. Without `to` it is the application's own name on the bus.
--
-- The files are read again when files of the roots have changed. A file of a later root replaces one of the same name. While a
-- file is wrong, the last version that was right counts. All files are read within a search, so each has little time: one that
-- takes longer is wrong, and is not tried again until it changes.

local engine       = require "sys.engine"
local example_file = require "dictionary.example_file"
local files        = require "sys.files"
local log          = require "sys.log"

local M = {}

local SECONDS = 0.2     -- of processor time for a file's statements

---@class dictionary.Example
---@field task string     one sentence
---@field command string  "make", "folder.unread count", "PlayPause"
---@field script? string  AppleScript
---@field call? table     a call over D-Bus

---@class dictionary.Curated
---@field label string  "dictionary/finder.lua"
---@field app string
---@field name string
---@field words string
---@field examples dictionary.Example[]


-- --- one file ---------------------------------------------------------------------------------------

--- True of a file of examples.
---@param file sys.files.File
---@return boolean
function M.is_file(file)
  return file.kind == "lib" and file.label:gsub("^packs/[^/]+/", ""):find "^dictionary/[^/]+%.lua$" ~= nil
end


--- Loads a file, and returns the table that it returns, if that is one.
---@param file sys.files.File
---@return any value
---@return string? err   "dictionary/finder.lua:3: what is wrong"
---@return string? code
function M.load(file)
  local value, err, code = files.lib(file.name, file.root, SECONDS)
  if value == nil and err:find("took longer than", 1, true) then err = err .. ". Write the table out instead of computing it" end
  return value, err, code
end


-- --- all files --------------------------------------------------------------------------------------

local newest = { good = {}, bad = {} }   -- {generation, list, problems, good and bad: by path what is known of a file}

--- Says what is wrong with a file's table. The tests check the files that come with Perigee.
local function fault_of(file, value, shipped)
  if file.root == shipped then return nil end
  local faults = example_file.faults(value)
  if not faults[1] then return nil end
  local more = #faults > 1 and ("; %d further examples are wrong. `perigee check` lists them"):format(#faults - 1) or ""
  return file.label .. ": " .. faults[1].message .. more
end


--- Reads a file; if it is wrong, returns its problem and the table that has it instead.
local function read(file, shipped)
  local value, problem = M.load(file)
  local bad = newest.bad[file.path]
  if value == nil then
    if not problem:find(file.label, 1, true) then problem = file.label .. ": " .. problem end
  elseif bad and bad.value == value then
    problem = bad.problem
  else
    problem = fault_of(file, value, shipped)
  end
  if problem then return nil, { problem = problem, value = value } end
  return { label = file.label, app = value.app, name = value.name, words = value.words or "", examples = value.examples,
           value = value }
end


--- Tells a problem once.
local function tell(file, bad, good)
  local told = newest.bad[file.path]
  if told and told.problem == bad.problem then return end
  log.warn(bad.problem .. (good and ". The last version that was right counts" or ". The search goes on without it"))
end


local function load_all()
  local made = { generation = engine.generation(), list = {}, problems = {}, good = {}, bad = {} }
  local shipped = engine.status().roots[1]
  for _, file in ipairs(files.list()) do
    if M.is_file(file) and not file.shadowed_by and not file.foreign then
      local known = newest.good[file.path]
      local one, bad = read(file, shipped)
      if one and known and one.value == known.value then one = known end
      if bad then
        tell(file, bad, known)
        made.bad[file.path], made.problems[#made.problems + 1] = bad, bad.problem
      end
      made.good[file.path] = one or known
      made.list[#made.list + 1] = one or known
    end
  end
  return made
end


local function current()
  if newest.generation ~= engine.generation() then newest = load_all() end
  return newest
end


--- Returns all files that are right.
---@return dictionary.Curated[]
function M.all() return current().list end


--- Returns a message for each file that is wrong.
---@return string[]
function M.problems() return current().problems end


local function has_interface(model, name)
  for _, suite in ipairs(model.suites) do
    if suite.name == name then return true end
  end
  return false
end


--- True if a file, or its table, is about a model.
---@param file {app: string, name: string}
---@param model table
---@return boolean
function M.is_about(file, model)
  local app = file.app:lower()
  return app == model.id:lower() or model.source == "sdef" and file.name:lower() == model.name:lower()
    or has_interface(model, file.app)
end


local memory = setmetatable({}, { __mode = "k" })   -- by model {files, result}

---@class dictionary.Curation
---@field words string
---@field examples dictionary.Example[]

--- Returns the words and examples about a model: the same table until a file about it changes.
---@param model table
---@return dictionary.Curation
function M.of(model)
  local about, known = {}, memory[model]
  for _, file in ipairs(M.all()) do
    if M.is_about(file, model) then about[#about + 1] = file end
  end
  local same = known and #known.files == #about
  for i, file in ipairs(about) do same = same and known.files[i] == file end
  if same then return known.result end
  local words, examples = {}, {}
  for i, file in ipairs(about) do
    words[i] = file.words
    table.move(file.examples, 1, #file.examples, #examples + 1, examples)
  end
  local result = { words = table.concat(words, " "), examples = examples }
  memory[model] = { files = about, result = result }
  return result
end


return M
