--- Writes tool files from a dictionary: each calls one command, and is the user's to edit.

local apple_tool = require "dictionary.apple_tool"
local bus_tool   = require "dictionary.bus_tool"
local tool_text  = require "dictionary.tool_text"

local M = {}


--- The name of an application's directory of tools.
---@param model dictionary.Model
---@return string
function M.folder(model) return tool_text.slug(model.name) end


---@param model dictionary.Model
---@param command applescript.DeclaredCommand
---@return string
function M.name(model, command) return tool_text.slug(model.name) .. "_" .. tool_text.slug(command.name) end


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
