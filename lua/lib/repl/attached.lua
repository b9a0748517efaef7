--- The prompts of `perigee repl --attach` in this engine: one for each connection, for as long as it lasts.

local console = require "sys.console"
local repl    = require "repl.session"
local state   = require "sys.state"

local M = {}


--- Returns the session of the connection that makes the running call. The table of its caller lasts as long as the connection.
---@return repl.Session
function M.session()
  local mine = state.open "console"
  mine.sessions = mine.sessions or setmetatable({}, { __mode = "k" })
  local caller = assert(console.caller(), "no call calls")
  mine.sessions[caller] = mine.sessions[caller] or repl.new()
  return mine.sessions[caller]
end


return M
