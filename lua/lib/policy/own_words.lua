--- Texts that callers chose themselves: those that they typed, copied or opened before these were anywhere outside.
--- Afterwards they are on the screen, on the clipboard or in a file, and may be sent again as they are.

local crypto = require "sys.crypto"
local json   = require "sys.json"
local mapped = require "policy.mapped"
local policy = require "sys.policy"

local M = {}

local MOST = 1024   -- that are remembered, of all callers
local DEPTH = 8

local WORD = "[^%s\"#$&'()*,!;<>?%[%]^`{|}]+"   -- as the comparison parts words (src/taint/clean.c)
local NOTHING = " perigee-own-words "           -- in place of the caller's own words: no row goes across it


local function mark_of(caller, text)
  return crypto.hex(assert(crypto.sha256(json.encode { caller.kind, caller.name or "", caller.subject or "", text })))
end


local function mine()
  local all = policy.memory()
  all.own_words = all.own_words or { marks = {}, order = {}, at = 0 }
  return all.own_words
end


local function keep(own, mark)
  if own.marks[mark] then return end
  own.at = own.at % MOST + 1
  if own.order[own.at] then own.marks[own.order[own.at]] = nil end
  own.order[own.at], own.marks[mark] = mark, true
end


--- The texts of at least three words. Others may be parts of one that is not the caller's.
local function texts_of(value, list, depth)
  if type(value) == "string" and value:find "%S%s+%S+%s+%S" then list[#list + 1] = value:match "^%s*(.-)%s*$" end
  if type(value) ~= "table" or depth == 0 then return list end
  for _, each in pairs(value) do texts_of(each, list, depth - 1) end
  return list
end


local function count_of(value, depth)
  if type(value) ~= "table" then return type(value) == "string" and value ~= "" and 1 or 0 end
  local count = 0
  for _, each in pairs(depth > 0 and value or {}) do count = count + count_of(each, depth - 1) end
  return count
end


--- Remembers words of which none are from outside: all of them together, and each text.
---@param caller table
---@param words table
function M.keep(caller, words)
  local own = mine()
  keep(own, mark_of(caller, words))
  for _, text in ipairs(texts_of(words, {}, DEPTH)) do keep(own, mark_of(caller, text)) end
end


--- The rest of a text of the caller's own: the two words at each end, which may be in a row with others. nil: these are from
--- outside by themselves, so that it cannot be told whether they are in such a row.
local function ends_of(text, is_found)
  local words = {}
  for word in text:gmatch(WORD) do words[#words + 1] = word end
  if #words < 3 then return nil end
  local first, last = table.concat(words, " ", 1, 2), table.concat(words, " ", #words - 1)
  return not is_found(first) and not is_found(last) and first .. NOTHING .. last or nil
end


--- The arguments without what is the caller's own; nil: nothing is.
---@param caller table
---@param args table
---@param is_found fun(text: string): boolean  true if words are from outside by themselves
---@return table?
function M.without(caller, args, is_found)
  local own = mine()
  if own.at == 0 then return nil end
  if own.marks[mark_of(caller, args)] then return {} end
  local alone = count_of(args, DEPTH) == 1
  local function is_own(value)
    local text = value:match "^%s*(.-)%s*$"
    return text:find "%S%s+%S+%s+%S" ~= nil and own.marks[mark_of(caller, text)] == true
  end
  local function in_quotes(literal) return is_own(literal) and ends_of(literal, is_found) or nil end
  local rest = mapped(args, DEPTH, function(value)
    if not is_own(value) then return (value:gsub('%f["]"([^"\n]*)', in_quotes):gsub("%f[']'([^'\n]*)", in_quotes)) end
    return alone and "" or ends_of(value, is_found) or value
  end)
  return rest ~= args and rest or nil
end


return M
