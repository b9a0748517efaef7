--- Structured results that the journal of a run keeps, within bounds.

local json = require "sys.json"

local M = {}

M.RESULT = 64 * 1024        -- bytes of one structured result
M.RUN    = 8 * 1024 * 1024  -- bytes of all of a run
local LONG = 200            -- bytes from which a string that the text has already is left out


--- The value without the strings that are the result's text once more, as the outline of an application is.
local function without_text(value, text)
  if type(value) ~= "table" then return value end
  local copy, same = {}, true
  for key, each in pairs(value) do
    local is_text = each == text and #text > LONG
    if not is_text then copy[key] = each end
    same = same and not is_text
  end
  return same and value or copy
end


--- Returns what the journal keeps of an answer's structured content; otherwise how many bytes it has. Neither: it has none.
---@param kept {bytes: integer}  of the run so far
---@param answer agent.Answer
---@return any structured
---@return integer? bytes
function M.of(kept, answer)
  if answer.structured == nil then return nil end
  local value = without_text(answer.structured, answer.text)
  local bytes = #(json.encode(value) or "")
  if bytes > M.RESULT or kept.bytes + bytes > M.RUN then return nil, bytes end
  kept.bytes = kept.bytes + bytes
  return value
end


return M
