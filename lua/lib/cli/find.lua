--- Looks up what a user named.

local engine = require "sys.engine"
local env    = require "sys.env"
local files  = require "sys.files"

local M = {}


--- Finds the tool of this name or alias.
---@param name string
---@return sys.engine.Tool?
---@return string? err
---@return string? code
function M.tool(name)
  local tool = engine.tool(name)
  if tool then return tool end
  if files.table("tool", name) then return nil, ("the tool '%s' is not for this platform"):format(name), "usage" end
  local nearest, names = require "nearest", {}
  for i, known in ipairs(engine.tools()) do names[i] = known.name end
  return nil, ("there is no tool '%s'%s"):format(name, nearest.question(name, names, "; ")), "usage"
end


---@class cli.Callable
---@field name string
---@field inputSchema table
---@field keeps? boolean  as the tool's file says
---@field call fun(arguments: table, options: table): sys.engine.Result?, string?, string?

--- Finds a tool to be called: its input schema, and the function to call. If its name says which file it is, no other is
-- loaded.
---@param args table  the arguments of a command; its common options may leave out tools, or add others
---@param name string
---@return cli.Callable?
---@return string? err
---@return string? code
function M.callable(args, name)
  local file = not args.toolset and #args.mount == 0 and files.load("tool", name)
  local declared = file and file:table() or {}
  local here = not declared.platforms
  for _, platform in ipairs(declared.platforms or {}) do here = here or platform == env.platform end
  if file and here then
    return { name = name, inputSchema = declared.inputSchema, keeps = declared.keeps,
      call = function(...) return file:call(...) end }
  end
  local tool, err, code = M.tool(name)
  if not tool then return nil, err, code end
  return { name = tool.name, inputSchema = tool.inputSchema, keeps = (files.table("tool", tool.name) or {}).keeps,
    call = function(...) return engine.call(tool.name, ...) end }
end


return M
