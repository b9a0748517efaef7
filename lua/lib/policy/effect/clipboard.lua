--- The facts about the clipboard.

local crypto = require "sys.crypto"
local policy = require "sys.policy"

local M = {}

local KEPT = 2000   -- bytes of what was copied, for the line in which it is pasted


local function mark_of(text) return crypto.hex(assert(crypto.sha256(text))) end


---@return string|false
function M.text(effect)
  local parts, list = effect.given[1], {}
  for _, bytes in pairs(effect.how == "write" and type(parts) == "table" and parts or {}) do list[#list + 1] = tostring(bytes) end
  return list[1] and table.concat(list, "\n") or false
end


--- Remembers what a call wrote, if none of it is from outside.
---@param effect policy.Effect
function M.note(effect)
  if effect.how == "keep_history" then return end
  local mine, text = policy.memory(), M.text(effect)
  local origin = require "policy.effect.origin"
  local from = text and origin.of(effect, false)
  mine.copied = text and not from[1] and mark_of(text) or nil
  mine.copied_text = text and text:sub(1, KEPT) or nil
  if mine.copied then origin.note(effect) end
end


--- True if what is on the clipboard was written by a call, of words that are not from outside.
---@return boolean
function M.is_own()
  local copied = policy.memory().copied
  local clip = copied and require("sys.clipboard").read { types = { "text/plain" } }
  return clip ~= nil and clip ~= false and clip.parts["text/plain"] ~= nil and mark_of(clip.parts["text/plain"]) == copied
end


return M
