--- Writes tool files from a dictionary: each calls one command, and is the user's to edit.

local apple_tool = require "dictionary.apple_tool"
local bus_tool   = require "dictionary.bus_tool"
local tool_text  = require "dictionary.tool_text"

local M = {}


--- The name of an application's directory of tools.
---@param model dictionary.Model
---@return string
function M.folder(model) return tool_text.slug(model.name) end


--- The name of a command in full, if it is not the only one of its name; over D-Bus several objects have methods of one name.
---@param command applescript.DeclaredCommand
---@return string
function M.label(command) return command.call and bus_tool.label(command) or command.name end


--- The names of the tools for commands, all different: a second one of a name gets that of its interface or group in front, or a
--- number behind.
---@param model dictionary.Model
---@param commands applescript.DeclaredCommand[]
---@return string[]
function M.names(model, commands)
  local names, taken = {}, {}
  local function free(name)
    if taken[name] then return false end
    taken[name] = true
    return name
  end
  for i, command in ipairs(commands) do
    local app, word = tool_text.slug(model.name), tool_text.slug(command.name)
    local group = M.label(command):sub(1, -#command.name - 2):match "[^.]*$"
    names[i] = free(app .. "_" .. word) or group ~= "" and free(("%s_%s_%s"):format(app, tool_text.slug(group), word))
    local count = 2
    while not names[i] do
      names[i], count = free(("%s_%s_%d"):format(app, word, count)), count + 1
    end
  end
  return names
end


--- The text of a tool file for a command; nil if it has an argument that JSON cannot express.
---@param model dictionary.Model
---@param command applescript.DeclaredCommand
---@return string? text
---@return string? err
---@return string? code  "not_supported"
function M.tool(model, command)
  return (command.call and bus_tool or apple_tool).text(model, command)
end


return M
