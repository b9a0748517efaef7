--- `perigee call --attach`: calls a tool in an engine that runs already.

local arguments = require "cli.arguments"
local engines   = require "cli.engines"
local log       = require "sys.log"
local nearest   = require "nearest"

local M = {}

local LONGEST = 86400   -- seconds: the engine has limits of its own
local ANSWERS = 10   -- seconds for the engine to tell what the tool takes, however short the call itself may be

--- Options that say what an engine is made of. They cannot apply to one that runs already.
local MADE = { "root", "toolset", "grant", "mount", "config", "no_user_root", "dry_run" }


---@return string? message
local function contradiction(args)
  for _, key in ipairs(MADE) do
    local value = args[key]
    if value and (type(value) ~= "table" or #value > 0) then
      return ("--%s is for an engine that is started, and --attach takes one that runs. Omit one of them"):format(
        (key:gsub("_", "-")))
    end
  end
end


--- Reads the words behind --attach. The process id may be the first.
---@return integer? pid
---@return string? tool
---@return string[] words
local function read_words(args)
  local words = { args.tool, table.unpack(args.arguments) }
  local pid = words[1]:find "^%d+$" and math.tointeger(tonumber(table.remove(words, 1))) or nil
  return pid, table.remove(words, 1), words
end


--- Returns the tool's definition in that engine. A list of tools has less of a schema, and no aliases.
local function describe(client, pid, name)
  local found, err, code = engines.ask(client, pid, "describe_tool", { name = name })
  if found or code ~= "failed" then return found, err, code end
  local names = {}
  for i, tool in ipairs(client:list_tools() or {}) do
    if tool.name == name then return tool end -- a tool of the console
    names[i] = tool.name
  end
  return nil, ("the engine %d has no tool '%s'%s"):format(pid, name, nearest.question(name, names, "; ")), "usage"
end


--- Makes a relative path absolute, because it means the user's directory, not the engine's.
local function settle_path(given, io)
  if type(given.path) ~= "string" or given.path:find "^[/~]" then return true end
  local here, err, code = io:grant(".", "read")
  if not here then return nil, err, code end
  given.path = here .. "/" .. given.path
  return true
end


local function call(client, pid, name, words, args, io)
  local tool, err, code = describe(client, pid, name)
  if not tool then return nil, err, code end
  local given
  given, err = arguments.read(tool.inputSchema, words, args.args, io)
  if not given then return nil, ("%s: %s"):format(tool.name, err), "usage" end
  local ok
  ok, err, code = settle_path(given, io)
  if not ok then return nil, err, code end
  local answer
  answer, err, code = client:call(tool.name, given, { timeout = args.timeout or LONGEST,
    progress = function(...) io:progress(...) end })
  io:progress()
  if answer then return answer end
  if code == "timeout" and args.timeout then
    return nil, ("%s did not end within %g s, and was cancelled"):format(tool.name, args.timeout), code
  end
  return nil, engines.trouble(pid, err, code), code
end


--- Calls the tool in the engine.
---@param args table  the arguments of `perigee call`
---@param io perigee.IO
---@return table? answer  as sys.mcp.Client.call returns it
---@return string? err
---@return string? code
function M.call(args, io)
  local wrong = contradiction(args)
  if wrong then return nil, wrong, "usage" end
  local pid, name, words = read_words(args)
  if not name then return nil, "which tool? `perigee call --attach PID TOOL` calls it in the engine PID", "usage" end
  local client <close>, found, code = engines.attach(pid, io, {
    timeout = math.max(args.timeout or LONGEST, ANSWERS), max_timeout = LONGEST, log_level = "info",
    log = function(line) log.info(line) end,
    elicit = io.interactive and require("cli.form").ask or nil,
  })
  if not client then return nil, found, code end
  return call(client, found, name, words, args, io)
end


return M
