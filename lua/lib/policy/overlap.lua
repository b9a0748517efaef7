--- Whether arguments contain text that was seen elsewhere: words in a row, or one word that stands for something (an address, a
--- name of a host, a path, a number). Case, spaces, quotes and the usual encodings make no difference. A text that was put into
--- other words is not found.

local crypto = require "sys.crypto"

local M = {}

local ROW = 3          -- words that make a row
local WORD = 7         -- bytes of one word that stands for something
local LONG = 12        -- bytes of a plain word that is not a common one
local PROBES = 400     -- that are looked for
local DEPTH = 12       -- of tables
local TEXTS = 4000     -- of one value that are looked through


--- Lower case, one space between words, nothing that only encloses.
local function plain(text)
  return (text:lower():gsub("[\"'`<>%(%)%[%]{}|,;!?*]", " "):gsub("%s+", " "))
end


local function unpercent(text)
  return (text:gsub("%%(%x%x)", function(hex) return string.char(tonumber(hex, 16)) end):gsub("+", " "))
end


--- The text, and what it is when it is decoded.
local function readings(text)
  local list = { text }
  if text:find "%%%x%x" or text:find "%w%+%w" then list[#list + 1] = unpercent(text) end
  for word in text:gmatch "[%w+/_=-]+" do
    if #word >= 12 then
      local decoded = crypto.unbase64(word) or crypto.unbase64url((word:gsub("=+$", "")))
      if decoded and not decoded:find "[%z\1-\8\14-\31]" then list[#list + 1] = decoded end
      local hex = #word % 2 == 0 and word:find "^%x+$"
        and word:gsub("%x%x", function(pair) return string.char(tonumber(pair, 16)) end)
      if hex and not hex:find "[%z\1-\8\14-\31]" then list[#list + 1] = hex end
    end
  end
  list[#list + 1] = text:reverse()
  return list
end


local function each_text(value, fn, depth, left)
  if left.count <= 0 then return end
  if type(value) == "string" then
    left.count = left.count - 1
    fn(value)
    return
  end
  if type(value) ~= "table" or depth > DEPTH then return end
  for key, item in pairs(value) do
    if type(key) == "string" and #key >= WORD then fn(key) end
    each_text(item, fn, depth + 1, left)
  end
end


---@class policy.Probes
local Probes = {}
Probes.__index = Probes


local function add(self, probe)
  if not self.known[probe] and not self.except[probe] and #self < PROBES then
    self.known[probe] = true
    self[#self + 1] = probe
  end
end


local function words_of(text)
  local words = {}
  for word in plain(text):gmatch "%S+" do words[#words + 1] = word end
  return words
end


local function add_pair(self, words, i)
  if words[i] and words[i + 1] then add(self, words[i] .. " " .. words[i + 1]) end
end


--- A word that is not to be looked for alone still is with the one before it and the one after it: "rm thesis.odt" may be
--- copied, whoever named the file first.
local function add_words(self, text)
  local words = words_of(text)
  for i, word in ipairs(words) do
    if #word >= WORD and word:find "[%d%./:@_\\-]" or #word >= LONG then
      local probe = word:gsub("[.:]+$", "")
      add(self, probe)
      if self.except[probe] then
        add_pair(self, words, i - 1)
        add_pair(self, words, i)
      end
    end
    if words[i + ROW - 1] then add(self, table.concat(words, " ", i, i + ROW - 1)) end
  end
end


local function new(except) return setmetatable({ known = {}, except = except or {} }, Probes) end


--- What to look for of these arguments.
---@param args table
---@param except? table<string, boolean>  what not to look for
---@return policy.Probes
function M.probes(args, except)
  local self = new(except)
  each_text(args, function(text)
    for _, reading in ipairs(readings(text)) do add_words(self, reading) end
  end, 0, { count = TEXTS })
  -- One text may be cut in several arguments.
  local joined = {}
  each_text(args, function(text) joined[#joined + 1] = text end, 0, { count = TEXTS })
  table.sort(joined)
  if #joined > 1 then add_words(self, table.concat(joined, " ")) end
  return self
end


--- All that there is to look for of a path, of the directories that it is in, and of its last name.
---@param path string
---@return policy.Probes
function M.of_path(path)
  local self = new()
  local parts = { path:match "[^/]*$" }
  while path and path ~= "" do
    parts[#parts + 1] = path
    path = path:match "^(.*)/[^/]*$"
  end
  for _, part in ipairs(parts) do
    add_words(self, part)
    local words = words_of(part)
    for i in ipairs(words) do add_pair(self, words, i) end
  end
  return self
end


--- What a call brought, as it is looked through: made once.
---@param brought {value: any, plain?: string}
---@return string
local function plain_of(brought)
  if not brought.plain then
    local texts = {}
    each_text(brought.value, function(text) texts[#texts + 1] = plain(text) end, 0, { count = TEXTS })
    brought.plain, brought.value = table.concat(texts, "\n"), nil
  end
  return brought.plain
end


--- Is any of it in what a call brought?
---@param brought {value: any, plain?: string}
---@return boolean
function Probes:meet(brought)
  if #self == 0 then return false end
  local text = plain_of(brought)
  for i = 1, #self do
    if text:find(self[i], 1, true) then return true end
  end
  return false
end


--- Takes those out that are in what a call brought.
---@param brought {value: any, plain?: string}
function Probes:drop(brought)
  if #self == 0 then return end
  local text = plain_of(brought)
  for i = #self, 1, -1 do
    if text:find(self[i], 1, true) then table.remove(self, i) end
  end
end


return M
