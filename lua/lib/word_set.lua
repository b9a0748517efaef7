--- Sets of words, written as a text: for lists of names in code.

local M = {}


--- The words of a text, which blanks and line ends part, as keys.
---@param text string
---@return table<string, true>
function M.of(text)
  local set = {}
  for word in text:gmatch "%S+" do set[word] = true end
  return set
end


return M
