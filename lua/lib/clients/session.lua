--- The facts by which another program can start this one later, in the same desktop session.

local env     = require "sys.env"
local json    = require "sys.json"
local process = require "sys.process"

local M = {}


local function home() return env.get "HOME" or "~" end


--- True if a path outlives the session.
local function lasts(path) return path:sub(1, #home() + 1) == home() .. "/" end


--- Returns the variables of this session that a server needs and that outlive it, and a note about those that do not.
---@return table<string, string> variables
---@return string? note
function M.variables()
  local found = json.object()
  if env.platform ~= "linux" then return found end
  local display, authority = env.get "DISPLAY", env.get "XAUTHORITY"
  if not display then
    return found, "DISPLAY is not set here, so the entry does not have it. Perigee looks for the session's display itself."
  end
  if authority and not lasts(authority) then
    return found, ("DISPLAY is not written, because the key to it (XAUTHORITY, %s) changes with each login. Perigee looks for "
      .. "both itself."):format(authority)
  end
  found.DISPLAY, found.XAUTHORITY = display, authority
  local bus, runtime = env.get("DBUS_SESSION_BUS_ADDRESS", ""), env.get "XDG_RUNTIME_DIR"
  if runtime and runtime:find "^/run/user/" then
    found.XDG_RUNTIME_DIR = runtime
    if bus:find("unix:path=" .. runtime, 1, true) then found.DBUS_SESSION_BUS_ADDRESS = bus end
  end
  if bus ~= "" and not found.DBUS_SESSION_BUS_ADDRESS then
    return found, ("The session's D-Bus is not written, because its address (%s) changes with each login. Perigee looks for it "
      .. "itself."):format(bus)
  end
  return found
end


--- Returns the lasting path of the program: Homebrew's own has the version in it, and the next version removes it.
function M.program(program)
  local prefix, formula, rest = program:match "^(.*)/Cellar/([^/]+)/[^/]+/(.*)$"
  local stays = prefix and ("%s/opt/%s/%s"):format(prefix, formula, rest)
  return stays and process.exists(stays) and stays or program
end


return M
