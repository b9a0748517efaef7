--- Splits names and sentences into the words that the search of dictionaries compares.

local rings = require "dictionary.rings"

local M = {}

local LONG  = 4       -- letters that a word needs to lose an ending
local KNOWN = 20000   -- words whose stems are remembered


--- "RenameFile" and "openURL" as separate words.
local function split_humps(text)
  if not text:find "%l%u" and not text:find "%u%u%l" then return text end
  return (text:gsub("(%l)(%u)", "%1 %2"):gsub("(%u)(%u%l)", "%1 %2"))
end


--- Takes the ending off a word, so that "files", "closing" and "closed" are "file" and "close".
local function cut(word)
  if #word < LONG or word:find "%d" then return word end
  if word:find "ies$" and #word > LONG then word = word:sub(1, -4) .. "y"
  elseif word:find "[sx]es$" or word:find "[cs]hes$" then word = word:sub(1, -3)
  elseif word:find "[^su]s$" then word = word:sub(1, -2) end
  local short = word:match "^(.*[aeiouy].*)ing$" or word:match "^(.*[aeiouy].*[^e])ed$"
  if short and #short >= 2 then word = short:gsub("([^aeiouls])%1$", "%1") end
  if #word > LONG + 1 then word = word:gsub("our$", "or"):gsub("ise$", "ize") end   -- British spelling
  if #word >= LONG and word:find "[^e]e$" then word = word:sub(1, -2) end
  return word
end


local stems, known = {}, 0

---@param word string  lower case
---@return string
function M.stem(word)
  local stem = stems[word]
  if stem then return stem end
  if known >= KNOWN then stems, known = {}, 0 end
  stem = cut(word)
  stems[word], known = stem, known + 1
  return stem
end


--- Returns the phrase that begins at a place of a list.
local function phrase_at(list, i)
  for _, phrase in ipairs(rings.PHRASES[list[i]] or {}) do
    local fits = true
    for k, word in ipairs(phrase[1]) do fits = fits and list[i + k] == word end
    if fits then return phrase end
  end
  return nil
end


--- Returns the words of a text in lower case, with its phrases as dictionaries write them.
local function plain(text)
  local list, found = {}, {}
  if text:find "['\u{2019}]" then text = text:gsub("['\u{2019}]+s?%f[^%w]", " ") end
  for word in split_humps(text):lower():gmatch "[%w\128-\255]+" do list[#list + 1] = word end
  local i = 1
  while i <= #list do
    local phrase = phrase_at(list, i)
    if phrase then
      table.move(phrase[2], 1, #phrase[2], #found + 1, found)
      i = i + #phrase[1]
    else
      found[#found + 1] = list[i]
    end
    i = i + 1
  end
  return found
end


--- Returns the words of a name or a description.
---@param text string
---@return string[]
function M.of(text)
  local list = plain(text)
  for i, word in ipairs(list) do list[i] = M.stem(word) end
  return list
end


--- Returns the words of a question that say something, each once, and for each whether it says little.
---@param text string
---@return string[] words
---@return table<string, boolean> weak
function M.asked(text)
  local list, weak = {}, {}
  for _, word in ipairs(plain(text)) do
    local stem = M.stem(word)
    if not rings.STOP[word] and weak[stem] == nil then
      list[#list + 1], weak[stem] = stem, rings.WEAK[word] or false
    end
  end
  return list, weak
end


local mates   -- for each word the other words of its rings; made at the first question

local function make_mates()
  local made = {}
  rings.each(function(ring)
    for i, word in ipairs(ring) do ring[i] = M.stem(word) end
    for _, word in ipairs(ring) do
      local own = made[word] or {}
      made[word] = own
      for _, other in ipairs(ring) do
        if other ~= word then own[other] = true end
      end
    end
  end)
  return made
end


--- Returns the set of words that mean the same as this one.
---@param word string  a word of M.of or M.asked
---@return table<string, true>
function M.mates(word)
  mates = mates or make_mates()
  return mates[word] or {}
end


return M
