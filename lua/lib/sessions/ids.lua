--- The names of sessions: "sessions/ID".

local crypto = require "sys.crypto"

local M = {}

M.PATTERN = "^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$"        -- of an ID, for a schema
local LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"     -- 32 of them: five bits each


--- Returns an ID that is not to be guessed.
---@return string
function M.new()
  return (crypto.random(16):gsub(".", function(byte)
    local at = byte:byte() % 32 + 1
    return LETTERS:sub(at, at)
  end))
end


--- Returns the resource name of a session.
---@param session {name: string}
---@return string
function M.full(session) return "sessions/" .. session.name end


--- Returns the ID in a name.
---@param said string
---@return string
function M.short(said) return said:match "^sessions/(.+)$" or said end


return M
