--- Where the text of an effect is from: its own words, and those that the runs which led to it were given.

local policy     = require "sys.policy"
local provenance = require "policy.provenance"

local M = {}


--- The words that go out.
---@param effect policy.Effect
---@return any[]
function M.words(effect)
  local words = effect:fact "words"
  if words then return words end
  words = {}
  for _, name in ipairs { "text", "paths", "url", "argv", "to" } do words[name] = effect:fact(name) or nil end
  return words
end


--- The same of text that completes what was typed there before. Where that is from outside by itself, by now, it does not count:
--- an application shows what it was given.
local function completed(effect, own_paths)
  local before = effect:fact "before"
  if not before or before == "" then return {} end
  local function of(text) return provenance.of(effect.caller, { text }, own_paths, effect.subject) end
  while of(before)[1] do before = before:sub(#before // 2 + 2) end
  return before ~= "" and of(before .. effect:fact "piece") or {}
end


--- The sources of its own words alone.
---@param effect policy.Effect
---@return string[]
function M.own(effect) return provenance.of(effect.caller, M.words(effect), true, effect.subject) end


---@param effect policy.Effect
---@param own_paths boolean
---@return string[]
function M.of(effect, own_paths)
  local given = effect.call and not effect:fact "bare" and policy.given(effect.call, provenance.server(effect.subject)) or 0
  local found = provenance.of(effect.caller, M.words(effect), own_paths, effect.subject, given)
  return found[1] and found or completed(effect, own_paths)
end


return M
