--- Words that callers chose themselves: those that they sent before these were anywhere outside. Afterwards they are on the
--- screen, in a title or an address bar, and may be sent once more as they are.

local crypto = require "sys.crypto"
local json   = require "sys.json"
local policy = require "sys.policy"

local M = {}

local MOST = 512   -- that are remembered, of all callers


local function mark_of(caller, words)
  return crypto.hex(assert(crypto.sha256(json.encode { caller.kind, caller.name or "", caller.subject or "", words })))
end


local function mine()
  local all = policy.memory()
  all.own_words = all.own_words or { marks = {}, order = {}, at = 0 }
  return all.own_words
end


---@param caller table
---@param words any
---@return boolean
function M.has(caller, words)
  local own = mine()
  return own.at > 0 and own.marks[mark_of(caller, words)] == true
end


--- Remembers words of which none are from outside.
---@param caller table
---@param words any
function M.keep(caller, words)
  local own, mark = mine(), mark_of(caller, words)
  if own.marks[mark] then return end
  own.at = own.at % MOST + 1
  if own.order[own.at] then own.marks[own.order[own.at]] = nil end
  own.order[own.at], own.marks[mark] = mark, true
end


return M
