--- The engine that lasts between commands, for tools whose later calls need the state of earlier ones, for example a
-- presentation.
--
-- It is `perigee serve` on a Unix socket in the state directory. The first such call starts it, and it ends after ten minutes
-- without a call. There is one for each display and for each value of the variables that these tools read.

local crypto  = require "sys.crypto"
local engine  = require "sys.engine"
local env     = require "sys.env"
local mcp     = require "sys.mcp"
local process = require "sys.process"

local M = {}

local IDLE = 600   -- seconds without a call
local START = 30   -- seconds until it has to serve

local VARIABLES = { "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "HOME", "KEYNOTE_DOCUMENT_MODE", "KEYNOTE_DRIVER", "KEYNOTE_THEME",
  "PERIGEE_CODE_PYTHON", "PERIGEE_DESKTOP", "PERIGEE_HOME", "PERIGEE_LUA", "PERIGEE_OF_DIRECTORY", "PERIGEE_PYTHON",
  "SCREENSHOT_PATH", "XDG_CONFIG_HOME" }


--- True if a call of this tool is made in the lasting engine. Options that change what an engine has prevent it.
---@param args table  the arguments of `perigee call`
---@param tool {keeps?: boolean}
---@return boolean
function M.takes(args, tool)
  local plain = #args.root == 0 and #args.grant == 0 and #args.mount == 0
    and not (args.toolset or args.config or args.no_user_root or args.dry_run)
  return plain and tool.keeps == true
end


--- The path of the engine's socket.
local function address(io)
  local folder, err, code = engine.state_folder "kept"
  if not folder then return nil, err, code end
  local values = { engine.status().version, io.program }
  for _, variable in ipairs(VARIABLES) do values[#values + 1] = env.get(variable, "") end
  local digest
  digest, err, code = crypto.sha256(table.concat(values, "\0"))
  if not digest then return nil, err, code end
  return ("%s/%s"):format(folder, crypto.base64url(digest):sub(1, 16))
end


local function connect(path, timeout, io)
  return mcp.connect { url = "unix:" .. path, connect_timeout = 2, timeout = timeout, max_timeout = timeout,
    elicit = io.interactive and require("cli.form").ask or nil }
end


local function start(path, io)
  local done, err = process.run { io.program, "serve", "--http", "unix:" .. path, "--idle", tostring(IDLE), "--background",
    cwd = "/", timeout = START, env = { PERIGEE_KEPT = path } }
  if not done then return nil, "the engine that stays could not be started: " .. err end
  if done.code == 0 then
    if io.stderr_terminal then
      io:error(("An engine was started that keeps what this did for later calls. It ends after %d minutes without one.")
        :format(IDLE // 60))
    end
    return true
  end
  local why = done.stderr:match "([^\n]+)\n*$" or "it gave no reason"
  return nil, "the engine that stays could not be started: " .. why
end


--- True if the tool's parameter `path` is that of a file. A menu's path may also be a list.
local function has_file_path(tool)
  local path = tool.inputSchema.properties and tool.inputSchema.properties.path
  return path ~= nil and path.type == "string"
end


--- Calls the tool in the lasting engine.
---@param tool {name: string, inputSchema: table}
---@param given table
---@param timeout? number  seconds
---@param io perigee.IO
---@return table? answer  as sys.engine.call returns it
---@return string? err
---@return string? code  "not_kept" if there is no such engine and no tool was called
function M.call(tool, given, timeout, io)
  local path, err = address(io)
  if not path then return nil, err, "not_kept" end
  -- A relative path starts in the user's directory.
  if type(given.path) == "string" and not given.path:find "^[/~]" and has_file_path(tool) then
    local here, why, code = io:grant(".", "read")
    if not here then return nil, why, code end
    given.path = here .. "/" .. given.path
  end
  local client = connect(path, timeout, io)
  if not client then
    local _, why = start(path, io)
    client, err = connect(path, timeout, io) -- another command may have started it meanwhile
    if not client then return nil, why or err, "not_kept" end
  end
  local held <close> = client
  return held:call(tool.name, given, { timeout = timeout, progress = function(...) io:progress(...) end })
end


return M
