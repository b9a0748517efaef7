--- The prompts of `perigee repl --attach` in this engine: one for each connection, as long as that lasts.

local console = require "sys.console"
local repl    = require "repl.session"
local state   = require "sys.state"

local M = {}


--- That of the connection which makes the running call. The table of its caller lasts as long as itself.
---@return repl.Session
function M.session()
  local mine = state.open "console"
  mine.sessions = mine.sessions or setmetatable({}, { __mode = "k" })
  local caller = assert(console.caller(), "no call calls")
  mine.sessions[caller] = mine.sessions[caller] or repl.new()
  return mine.sessions[caller]
end


return M
