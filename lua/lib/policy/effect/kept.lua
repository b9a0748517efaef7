--- Text that a run makes of what it was given from outside, and keeps where any call may read it: in files, in stores, on the
--- clipboard. It stays marked by its content, whatever the run made of it.

local fs         = require "sys.fs"
local json       = require "sys.json"
local policy     = require "sys.policy"
local provenance = require "policy.provenance"
local runs       = require "policy.runs"

local M = {}

local MOST = 16 * 1024 * 1024   -- bytes of a store


local function values_of(text)
  local values = text and json.decode(text)
  return type(values) == "table" and values or {}
end


--- The values that a store did not have before: a change of one writes them all.
local function changed(path, text)
  local before, list = values_of((fs.read(path, MOST))), {}
  for key, value in pairs(values_of(text)) do
    if before[key] == nil or json.encode(before[key]) ~= json.encode(value) then list[#list + 1] = value end
  end
  return list
end


--- Keeps the text of an effect that passed. What stands in the arguments of the run as it is, is the caller's own, or marked
--- there.
---@param effect policy.Effect
function M.note(effect)
  local bits, server = policy.given(effect.call)
  local text = bits > 0 and effect:fact "text"
  if not text or runs.has(effect.call, { text }) then return end
  local paths = effect.effect == "file" and effect:fact "own" and effect:fact "paths"
  local kept = paths and paths[1]:find "%.json$" and changed(paths[1], text) or text
  if not runs.has(effect.call, kept) then provenance.note_kept(bits, server, effect.caller, kept) end
end


return M
