--- Splits text into words as a shell does: '...', "..." and \x.

local M = {}


--- Returns the word that begins at `at`, where it ends, and `open`: true if a quote in it was not closed.
local function word_at(text, at)
  local parts, quote = {}, nil
  while at <= #text do
    local c = text:sub(at, at)
    if not quote and c:find "%s" then break end
    if c == "\\" and quote ~= "'" and at < #text then
      at = at + 1
      parts[#parts + 1] = text:sub(at, at)
    elseif c == quote then
      quote = nil
    elseif not quote and (c == "'" or c == '"') then
      quote = c
    else
      parts[#parts + 1] = c
    end
    at = at + 1
  end
  return table.concat(parts), at, quote ~= nil
end


---@param text string
---@return string[]? words
---@return string? err  if a quote is not closed
function M.split(text)
  local words, at = {}, 1
  while true do
    at = text:find("%S", at)
    if not at then return words end
    local word, open
    word, at, open = word_at(text, at)
    if open then return nil, "a quote is not closed" end
    words[#words + 1] = word
  end
end


return M
