--- Messages of our own that repeat words of the caller: "No element matches X." The repeated words are not text from outside,
--- even if the rest of the message is.
--
-- A message is known as a whole, by what made it, and never by a search for the words: text from outside may be the same.

local M = {}

local MOST = 32   -- messages

local kept, order, at = {}, {}, 0


local function keep(message, rest)
  at = at % MOST + 1
  if order[at] then kept[order[at]] = nil end
  kept[message], order[at] = rest, message
  return message
end


--- Makes a message.
---@param format string
---@param words string  the caller's words
---@param ... any       other values of the format
---@return string message
function M.says(format, words, ...) return keep(format:format(words, ...), format:format("", ...)) end


--- Makes a message longer.
---@param message string
---@param more string
---@return string message
function M.adds(message, more)
  local rest = kept[message]
  return rest and keep(message .. more, rest .. more) or message .. more
end


--- Returns the same, and still knows the message.
---@param message string
---@return string
function M.rest(message) return kept[message] or message end


--- Returns the message without the caller's words, once for each time it was made; one that is not known, as it is.
---@param message string
---@return string
function M.without(message)
  local rest = kept[message]
  kept[message] = nil
  return rest or message
end


return M
