--- Whether arguments contain text that was seen elsewhere: words in a row, or one word that stands for something (an address, a
--- name of a host, a path, a number). Case, spaces, quotes, what cannot be seen and the usual encodings make no difference. What
--- was put into other words is not found.

local crypto   = require "sys.crypto"
local keys     = require "keys"
local match    = require "desktop.match"
local policy   = require "sys.policy"
local sys_text = require "sys.text"

local M = {}

local ROW = 3          -- words that make a row
local WORD = 7         -- bytes of one word that stands for something
local LONG = 12        -- bytes of a plain word that is not a common one
local PROBES = 1500    -- that are looked for; of arguments with more all counts as found
local DEPTH = 12       -- of tables
local TEXTS = 20000    -- of one value that are looked through; of one with more, too

-- Blanks that are not ASCII, and quotes.
local BLANKS = { "\u{A0}", "\u{1680}", "\xE2\x80[\x80-\x8A]", "\u{202F}", "\u{205F}", "\u{3000}", "\xE2\x80[\x98-\x9F]",
  "\u{AB}", "\u{BB}" }


--- Small letters, one space between words, nothing that only encloses.
local function plain(text)
  text = sys_text.plain(text)
  if text:find "[\x80-\xff]" then
    for _, blank in ipairs(BLANKS) do text = text:gsub(blank, " ") end
  end
  text = match.fold(text):gsub("[\"'`<>%(%)%[%]{}|,;!?*]", " "):gsub("%s+", " ")
  return ((text .. " "):gsub("[.:/]+ ", " "))   -- the end of a sentence, of a label, of a directory
end


local home   -- as plain() gives it

--- What stands for the same as a word, or is what matters of it: "--file=/etc/x", "mailto:ann@x.example", "~/x".
local function also(word)
  local list = {}
  for _, cut in ipairs { "^[^=]*=(.+)$", "^%a[%w+.-]*:/*(.+)$", "=%a[%w+.-]*:/*(.+)$" } do
    list[#list + 1] = word:match(cut)
  end
  local path = word:match "^%a*:/*(/.+)$" or word
  if path ~= word then list[#list + 1] = path end
  home = home or plain(policy.real "~" or "/"):gsub(" $", "")
  if path:sub(1, 2) == "~/" then list[#list + 1] = home .. path:sub(2) end
  if home ~= "" and path:sub(1, #home + 1) == home .. "/" then list[#list + 1] = "~" .. path:sub(#home + 1) end
  return list
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
  return list
end


--- All texts of a value, lists in their order, members by their names. `left.count` falls to 0 where there are more.
local function each_text(value, fn, depth, left)
  if left.count <= 0 then return end
  local kind = type(value)
  if kind == "string" or kind == "number" then
    left.count = left.count - 1
    fn(kind == "string" and value or math.type(value) == "float" and ("%.14g"):format(value) or tostring(value))
    return
  end
  if kind ~= "table" or depth > DEPTH then return end
  for _, item in ipairs(value) do each_text(item, fn, depth + 1, left) end
  local count = #value
  local function is_item(key) return math.type(key) == "integer" and key >= 1 and key <= count end
  for _, key in ipairs(keys.ordered(value, is_item)) do
    local is_name = depth == 0 and type(key) == "string" and key:find "^[%a_][%w_]*$"   -- of an argument: the tool chose it
    if type(key) == "string" and #key >= WORD and not is_name then fn(key) end
    each_text(value[key], fn, depth + 1, left)
  end
end


---@class policy.Probes
local Probes = {}
Probes.__index = Probes


local function add(self, probe)
  if self.known[probe] or self.except[probe] then return end
  if #self == PROBES then
    self.more = true
    return
  end
  self.known[probe] = true
  self[#self + 1] = probe
end


local function words_of(text)
  local words = {}
  for word in plain(text):gmatch "%S+" do words[#words + 1] = word end
  return words
end


local function add_pair(self, words, i)
  if words[i] and words[i + 1] then add(self, words[i] .. " " .. words[i + 1]) end
end


-- Names that Perigee gives, which every call repeats.
local OURS = { "^applications/%d+$", "^applications/%d+/windows/%d+$", "^displays/[%w-]+$", "^image%-%x+%-%d+$" }

local function is_ours(word)
  for _, pattern in ipairs(OURS) do
    if word:find(pattern) then return true end
  end
  return false
end


--- Does a word stand for something by itself?
local function stands(word)
  return #word >= WORD and word:find "[%d%./:@_\\-]" ~= nil or #word >= LONG
end


local NONE = {}

--- A word that is not to be looked for alone still is with the one before it and the one after it: "rm thesis.odt" may be
--- copied, whoever named the file first.
local function add_words(self, text)
  local words = words_of(text)
  for i, word in ipairs(words) do
    if stands(word) then
      if not is_ours(word) then add(self, word) end
      if self.except[word] then
        add_pair(self, words, i - 1)
        add_pair(self, words, i)
      end
    end
    for _, part in ipairs(word:find "[=:~/]" and also(word) or NONE) do
      if stands(part) and not is_ours(part) then add(self, part) end
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
  local self, joined, left = new(except), {}, { count = TEXTS }
  each_text(args, function(text)
    for _, reading in ipairs(readings(text)) do add_words(self, reading) end
    add_words(self, text:reverse())
    joined[#joined + 1] = text
  end, 0, left)
  if #joined > 1 then add_words(self, table.concat(joined, " ")) end   -- one text may be cut in several arguments
  self.more = self.more or left.count <= 0
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
    local texts, left = {}, { count = TEXTS }
    each_text(brought.value, function(text)
      for _, reading in ipairs(readings(text)) do texts[#texts + 1] = plain(reading) end
    end, 0, left)
    brought.plain, brought.value, brought.more = table.concat(texts, "\n"), nil, left.count <= 0
  end
  return brought.plain
end


--- Is any of it in what a call brought?
---@param brought {value: any, plain?: string}
---@return boolean
function Probes:meet(brought)
  if #self == 0 and not self.more then return false end
  local text = plain_of(brought)
  if brought.more or self.more and text ~= "" then return true end
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
