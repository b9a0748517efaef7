--- Checks the files of curated examples: their form, and each example against the dictionary of its application where that is at
--- hand. The application may be newer or older than the example, so what its dictionary lacks is a warning.

local curated       = require "dictionary.curated"
local dictionaries  = require "scripting.dictionaries"
local example_check = require "dictionary.example_check"
local example_file  = require "dictionary.example_file"
local fs            = require "sys.fs"
local library       = require "dictionary.library"
local rows          = require "dictionary.rows"
local targets       = require "applescript.targets"

local M = {}


-- --- the application ----------------------------------------------------------------------------------

--- The model of the application that a file is about; for an interface that of the first application that has it. Nothing is
--- started for it.
local function model_of(value)
  local app = library.find(value.app)
  local model = app and library.model(app)
  if model then return model end
  for _, each in ipairs((library.models())) do
    if curated.is_about(value, each) then return each end
  end
  return nil
end


--- The names of the rows of a model, in lower case; of a property on the bus also the last part.
local function row_names(model)
  local names = {}
  rows.each(model, function(row)
    local name = row.name:lower()
    names[name] = true
    if row.kind == "property" then names[name:match "[^.]*$"] = true end
  end)
  return names
end


-- --- an example ---------------------------------------------------------------------------------------

--- Checks a script against the dictionaries here, or against those that the user named if it is for none of these.
local function fault_of_script(example, app, named)
  local how, err = example_check.run(example, { dictionaries = dictionaries.of(targets.of(example.script), app) })
  if how ~= "structure" or not named then return err end
  return select(2, example_check.run(example, { dictionaries = named }))
end


--- True if the model has the part that an example is about. A program that does not run, or has no window, shows only a part.
local function has_part(model, example)
  local call = example.call
  if call and (call.desktop or call.to and call.to:lower() ~= model.id:lower()) then return false end
  local actions = call and call.action and (call.path:find "/window/" and "Window actions" or "Application actions")
  local part = actions or call and call.interface
  for _, suite in ipairs(model.suites) do
    if part and suite.name == part or not part and suite.source == "sdef" then return true end
  end
  return false
end


local function fault_of(example, value, model, names, named)
  local at_hand = model and has_part(model, example)
  local fault
  if example.script then fault = fault_of_script(example, value.app, named)
  elseif at_hand then fault = select(2, example_check.run(example, { model = model })) end
  if not fault and at_hand and not names[example.command:lower()] then
    return ("%s has no command, property or action %q"):format(model.name, example.command)
  end
  return fault
end


-- --- a file -------------------------------------------------------------------------------------------

--- The line of a file that has this task.
local function line_of(text, task)
  local at = task and text and text:find(task, 1, true)
  return at and select(2, text:sub(1, at):gsub("\n", "")) + 1 or nil
end


---@class cli.ExampleFinding
---@field message string
---@field line? integer

--- Checks the table that a file returned.
---@param file sys.files.File
---@param value any
---@param named? applescript.Dictionaries  further dictionaries
---@return cli.ExampleFinding[] problems
---@return cli.ExampleFinding[] warnings
function M.findings(file, value, named)
  local problems, warnings, wrong, text = {}, {}, {}, fs.read(file.path)
  for i, fault in ipairs(example_file.faults(value)) do
    problems[i] = { message = fault.message, line = line_of(text, fault.task) }
    if not fault.example then return problems, warnings end
    wrong[fault.example] = true
  end
  if #problems == #value.examples then return problems, warnings end
  local model = model_of(value)
  local names = model and row_names(model)
  for i, example in ipairs(value.examples) do
    local fault = not wrong[i] and fault_of(example, value, model, names, named)
    if fault then
      warnings[#warnings + 1] = { message = ("examples[%d]: %s"):format(i, fault), line = line_of(text, example.task) }
    end
  end
  return problems, warnings
end


return M
