--- Lines for a model within a budget of tokens.

local M = {}


local USUAL = 5   -- letters for each sign

--- Estimates the tokens of text: three characters each in this kind of text, one for each character that is not Latin, three
--- for an emoji. If there are more signs than usual, each of the additional signs is one token.
---@param text string
---@return integer
function M.tokens(text)
  local _, high = text:gsub("[\x80-\xff]", "")
  local _, emoji = text:gsub("[\xf0-\xf7]", "")
  local _, signs = text:gsub("%p", "")
  local ascii = #text - high
  local more = math.max(0, signs - (ascii - signs) // USUAL)
  return (ascii + 2 * more + 2) // 3 + ((utf8.len(text) or #text) - ascii) + 2 * emoji
end


--- The tokens of a line with its end.
local function cost(line) return M.tokens(line) + 1 end


---@param lines string[]
---@return integer
function M.total(lines)
  local sum = 0
  for _, line in ipairs(lines) do sum = sum + cost(line) end
  return sum
end


---@class elements.Cut
---@field limit integer  tokens of the lines that are kept
---@field first integer  the first line at which the omission may begin,
---@field last integer   and the last one
---@field rest string    the line in place of the others, with %d for how many

--- The lines that the limit has room for, and a line that counts the others.
---@param lines string[]
---@param how elements.Cut
---@return string[]
function M.cut(lines, how)
  local sum, kept = 0, {}
  for i, line in ipairs(lines) do
    sum = sum + cost(line)
    if sum > how.limit and i >= how.first and i <= how.last then
      kept[i] = how.rest:format(#lines - i + 1)
      return kept
    end
    kept[i] = line
  end
  return kept
end


return M
