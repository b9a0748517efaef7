--- perigee tools generate: writes a tool file for each command of an application into the user's files.

local engine   = require "sys.engine"
local generate = require "dictionary.generate"
local json     = require "sys.json"
local library  = require "dictionary.library"
local nearest  = require "nearest"

local M = {}


---@class cli.generate.One
---@field command applescript.DeclaredCommand
---@field label string  its name in full
---@field name string   of its tool

--- The commands of a model that are not hidden, in their order, each once.
---@return cli.generate.One[]
local function commands_of(model)
  local commands, list, seen = {}, {}, {}
  for _, suite in ipairs(model.suites) do
    for _, command in ipairs(suite.hidden and {} or suite.commands) do
      local label = generate.label(command):lower()
      if not command.hidden and not seen[label] and suite.source ~= "intents" then
        seen[label] = true
        commands[#commands + 1] = command
      end
    end
  end
  for i, name in ipairs(generate.names(model, commands)) do
    list[i] = { command = commands[i], label = generate.label(commands[i]), name = name }
  end
  return list
end


--- True if a class of the model has a property of this name, in lower case.
local function has_property(model, key)
  for _, suite in ipairs(model.suites) do
    for _, class in ipairs(suite.classes) do
      for _, property in ipairs(class.properties) do
        if property.name:lower() == key then return true end
      end
    end
  end
  return false
end


--- The fault of a name that no command has.
local function fault_of_name(model, name, names)
  if not has_property(model, name:lower()) then
    return ("%s has no command '%s'%s"):format(model.name, name, nearest.question(name, names, "; "))
  end
  return ("'%s' is a property of %s, and only commands become tools. %s"):format(name, model.name, model.source == "sdef"
    and "A script reads or sets it" or "call_dbus reads or sets it")
end


--- The wanted commands; all without names. A name may be that of several: all of them are meant, one is by its name in full.
---@return cli.generate.One[]? chosen
---@return string? err
---@return string? code
local function wanted_of(model, wanted)
  local list, chosen, names = commands_of(model), {}, {}
  if #wanted == 0 then return list end
  for i, one in ipairs(list) do names[i] = one.command.name end
  for _, name in ipairs(wanted) do
    local count, key = #chosen, name:lower()
    for _, one in ipairs(list) do
      if one.label:lower() == key or one.command.name:lower() == key then chosen[#chosen + 1] = one end
    end
    if #chosen == count then return nil, fault_of_name(model, name, names), "not_found" end
  end
  return chosen
end


--- The directory for the user's own tools of an application.
local function folder_for(model, io)
  local roots = engine.status().roots
  if #roots < 2 then return nil, "there is no directory for files of your own. Name one with --root DIRECTORY", "usage" end
  return io:grant(("%s/tools/%s"):format(roots[#roots], generate.folder(model)), "write")
end


--- Writes one file. Nil and no error: it was left as it is.
local function write(io, path, text, force)
  local _, err, code = io:read(path)
  if code ~= "not_found" and not force then
    if code then return nil, err, code end
    return false
  end
  return io:save(path, text)
end


local function say(io, args, result)
  if args.json then
    io:json(result)
    return
  end
  for _, one in ipairs(result.written) do io:print(one.path) end
  for _, path in ipairs(result.kept) do io:print(("%s exists, and was left as it is (--force replaces it)"):format(path)) end
  for _, one in ipairs(result.skipped) do io:print(("left out: %s"):format(one)) end
  if #result.written > 0 then
    io:print(("Check them:  perigee test %s\nA running server has them at once."):format(result.written[1].name))
  end
end


---@param args {name: string, commands: string[], force?: boolean, json?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local app, err, code = library.find(args.commands[1])
  if not app then return nil, err, code end
  local model, chosen, folder
  model, err, code = library.model(app)
  if not model then return nil, err, code end
  chosen, err, code = wanted_of(model, table.move(args.commands, 2, #args.commands, 1, {}))
  if not chosen then return nil, err, code end
  folder, err, code = folder_for(model, io)
  if not folder then return nil, err, code end
  local result = { written = json.array {}, kept = json.array {}, skipped = json.array {} }
  for _, one in ipairs(chosen) do
    local text, why = generate.tool(model, one.command)
    local path = ("%s/%s.lua"):format(folder, one.name)
    if not text then
      if why ~= result.skipped[#result.skipped] then result.skipped[#result.skipped + 1] = why end
    else
      local written
      written, err, code = write(io, path, text, args.force)
      if written == nil then return nil, err, code end
      local list = written and result.written or result.kept
      list[#list + 1] = written and { name = one.name, path = path } or path
    end
  end
  say(io, args, result)
  if #result.written + #result.kept == 0 then
    return nil, ("no command of %s can be a tool"):format(model.name), "not_supported"
  end
end


return M
