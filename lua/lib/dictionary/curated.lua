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
-- file is broken, the last version that was right counts.

local engine = require "sys.engine"
local files  = require "sys.files"
local log    = require "sys.log"

local M = {}

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

local function is_text(value) return type(value) == "string" and value:find "%S" ~= nil end


local function fault_of_call(call)
  if type(call) ~= "table" then return "call is not a table" end
  if call.desktop then
    return not (is_text(call.desktop) and is_text(call.action)) and "call.action of the desktop entry is missing" or nil
  end
  if call.to ~= nil and not (is_text(call.to) and call.to:find "^[%w_-]+%.[%w_.-]+$") then
    return "call.to is not a name on the bus"
  end
  if not (is_text(call.path) and call.path:find "^/[%w_/]*$") then return "call.path is not an object's path" end
  if is_text(call.action) then return nil end
  if not is_text(call.interface) then return "call.interface is missing" end
  if not (is_text(call.member) or is_text(call.property)) then return "call has no member, property or action" end
  return nil
end


local function fault_of_example(example)
  if type(example) ~= "table" then return "it is not a table" end
  if not is_text(example.task) then return "task is missing" end
  if not is_text(example.command) then return "command is missing" end
  if example.call ~= nil then return fault_of_call(example.call) end
  if not is_text(example.script) then return "it has neither a script nor a call" end
  return nil
end


--- Returns the first fault of a file's table; nil if it is right.
---@param value any
---@return string?
function M.fault(value)
  if type(value) ~= "table" then return "it does not return a table" end
  for _, key in ipairs { "app", "name" } do
    if not is_text(value[key]) then return key .. " is missing" end
  end
  if value.words ~= nil and type(value.words) ~= "string" then return "words is not a string" end
  if type(value.examples) ~= "table" then return "examples is missing" end
  for i, example in ipairs(value.examples) do
    local fault = fault_of_example(example)
    if fault then return ("examples[%d]: %s"):format(i, fault) end
  end
  return nil
end


--- True of a file of examples.
---@param file sys.files.File
---@return boolean
function M.is_file(file)
  return file.kind == "lib" and file.label:gsub("^packs/[^/]+/", ""):find "^dictionary/[^/]+%.lua$" ~= nil
end


-- --- all files --------------------------------------------------------------------------------------

local newest = { good = {} }   -- {generation, list, problems, good: by path the last version that was right}


local function load_file(file)
  local value, err = files.lib(file.name, file.root)
  local fault = value == nil and err or M.fault(value)
  if fault then return nil, fault:find(file.label, 1, true) and fault or file.label .. ": " .. fault end
  return { label = file.label, app = value.app, name = value.name, words = value.words or "", examples = value.examples,
           value = value }
end


local function load_all()
  local made = { generation = engine.generation(), list = {}, problems = {}, good = {} }
  for _, file in ipairs(files.list()) do
    if M.is_file(file) and not file.shadowed_by and not file.foreign then
      local known = newest.good[file.path]
      local one, problem = load_file(file)
      if one and known and one.value == known.value then one = known end
      if problem then
        made.problems[#made.problems + 1] = problem
        log.warn(problem .. (known and ". The last version that was right counts" or ""))
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


local function is_about(file, model)
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
    if is_about(file, model) then about[#about + 1] = file end
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
