--- A list that filters as one types: which items have all the words, in which order, and how a row is written.

local json = require "sys.json"
local text = require "sys.text"

local M = {}

local SHOWN_MOST = 300   -- bytes of a line of a row; all of it is searched


--- Returns text for one line of a window: without control characters, and not longer than a line.
---@param given string
---@return string
function M.line(given)
  local line = given:sub(1, 4 * SHOWN_MOST):gsub("[%c\127]+", " ")
  if #line <= SHOWN_MOST then return line end
  return line:sub(1, (utf8.offset(line, 0, SHOWN_MOST + 1) or SHOWN_MOST + 1) - 1) .. "…"
end


local function folded(given) return text.convert(given, "fold") or given:lower() end
local function spaced(given) return " " .. given:gsub("[^%w\128-\255]", " ") end


---@class ui.Entry
---@field item table|string
---@field key string     what is searched
---@field starts string  the same, with a space before each word
---@field row string     JSON

--- Reads the items. `first` is the number of the first row.
---@param items (sys.ui.Item|string)[]
---@param first integer
---@return ui.Entry[]
function M.entries(items, first)
  local entries = {}
  for i, item in ipairs(items) do
    local above, below = item, ""
    if type(item) == "table" then above, below = item.text, item.subtext or "" end
    local key = folded(above .. " " .. below)
    entries[i] = { item = item, key = key, starts = spaced(key),
      row = assert(json.encode { M.line(above), M.line(below), first + i - 1 }) }
  end
  return entries
end


--- Returns how well an entry fits: 1 if it begins with the first word and each word begins a word in it, 2 if each begins a word,
--- 3 if each is in it; nil if one is not.
local function fit(entry, words)
  local rank = entry.starts:sub(1, #words[1] + 1) == spaced(words[1]) and 1 or 2
  for _, word in ipairs(words) do
    if not entry.key:find(word, 1, true) then return nil end
    if not entry.starts:find(spaced(word), 1, true) then rank = 3 end
  end
  return rank
end


--- Returns the entries that have all words of the text, in any order and any case. First come those that begin with its first
--- word, then those in which each word begins a word; otherwise they keep their order.
---@param entries ui.Entry[]
---@param typed string
---@return ui.Entry[]
function M.matches(entries, typed)
  local words, ranked = {}, { {}, {}, {} }
  for word in folded(typed):gmatch "%S+" do words[#words + 1] = word end
  if #words == 0 then return entries end
  for _, entry in ipairs(entries) do
    local rank = fit(entry, words)
    if rank then table.insert(ranked[rank], entry) end
  end
  for rank = 2, 3 do table.move(ranked[rank], 1, #ranked[rank], #ranked[1] + 1, ranked[1]) end
  return ranked[1]
end


--- Returns the line that shows these entries, with the first one selected.
---@param entries ui.Entry[]
---@return string
function M.rows(entries)
  local rows = {}
  for i, entry in ipairs(entries) do rows[i] = entry.row end
  return ('{"rows":[%s]%s}'):format(table.concat(rows, ","), #entries > 0 and ',"select":0' or "")
end


return M
