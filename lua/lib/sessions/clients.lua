--- The callers of sessions, as they are known from one process to the next.
--
-- A realm holds the sessions that its callers may share by their names: one for all that act for the user of this machine (a
-- terminal, a program that started this server, a client with the user's token), and one for each subject of an authorization
-- server. No session is seen outside of its realm, except by the user at a terminal, who owns the file.

local console = require "sys.console"

local M = {}

---@class sessions.Client
---@field key string    one connection in this process
---@field owner string  the same client in each process
---@field realm string
---@field all boolean   it sees all sessions
---@field kind string

local OF_USER = { terminal = true, script = true, engine = true }
local USER = { key = "terminal", owner = "terminal", realm = "user", all = true, kind = "terminal" }

local known = setmetatable({}, { __mode = "k" })


---@param caller table
---@return sessions.Client
local function client_of(caller)
  if OF_USER[caller.kind] then return USER end
  local name = caller.name or ""
  local realm = caller.kind == "oauth" and "oauth:" .. (caller.subject or "") or "user"
  return { key = table.concat({ caller.kind, caller.owner, name }, "\0"), kind = caller.kind, realm = realm, all = false,
    owner = ("%s:%s"):format(caller.kind, name) }
end


--- Returns the client that a caller is; without one the user.
---@param caller? table  default: that of the running call
---@return sessions.Client
function M.of(caller)
  caller = caller or console.caller()
  if not caller then return USER end
  if not known[caller] then known[caller] = client_of(caller) end
  return known[caller]
end


return M
