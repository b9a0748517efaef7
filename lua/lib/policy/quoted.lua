--- The caller's own words in the results of its call: "There is no window "X"." The rest of such
--- a result is text from outside, and they are not. Text that was from outside before stays so: it was kept when it came.

local mapped = require "policy.mapped"
local text   = require "sys.text"

local M = {}

local DEPTH = 8
local MOST = 100000   -- bytes of words that are compared
local MODIFIERS = { alt = true, cmd = true, command = true, control = true, ctrl = true, meta = true, option = true, shift = true,
  super = true, win = true }


local function one_line(words) return (text.plain(words):gsub("⏎", " "):gsub("%s+", " ")) end


local function gather(value, list, depth)
  if type(value) == "string" then list[#list + 1] = value end
  if type(value) ~= "table" or depth == 0 then return list end
  for _, each in pairs(value) do gather(each, list, depth - 1) end
  return list
end


--- Takes a text out of a sentence, in capital letters or not.
local function taken(sentence, each)
  local from, to = sentence:lower():find(each, 1, true)
  while from do
    sentence = sentence:sub(1, from - 1) .. sentence:sub(to + 1)
    from, to = sentence:lower():find(each, from, true)
  end
  return sentence
end


--- Takes text in quotation marks out of a sentence if it is among the words, whole or cut, and combinations of keys, even where
--- they are without.
local function unquoted(sentence, words, alone)
  for _, each in ipairs(alone) do sentence = taken(sentence, each) end
  return (sentence:gsub('"([^"\n]*)"', function(part)
    if words:find(one_line(part:gsub("…$", "")), 1, true) then return '""' end
  end))
end


--- Takes lines out of a text that are lines of the words, as a traceback has lines of the code.
local function unlisted(value, words)
  return (value:gsub("[^\n]+", function(line)
    local one = one_line(line):match "^%s*(.-)%s*$"
    if one ~= "" and words:find(one, 1, true) then return "" end
  end))
end


--- A whole result without the text that says the same as its structure.
local function unrepeated(result)
  local structure, content = result.structuredContent, result.content
  local block = type(structure) == "table" and type(content) == "table" and content[1]
  if type(block) ~= "table" or block.text ~= require("sys.json").encode(structure) then return result end
  local copy, blocks = {}, { table.unpack(content, 2) }
  for key, value in pairs(result) do copy[key] = value end
  copy.content = blocks
  return copy
end


--- The result of a call without words of its arguments.
---@param args table
---@param first any
---@param message any
---@return any first
---@return any message
function M.without(args, first, message)
  local list = gather(args, {}, DEPTH)
  local words, alone = table.concat(list, "\n"), {}
  if #words > MOST then return first, message end
  for _, each in ipairs(list) do
    local one = text.plain(each):lower()
    if one:find '["\\]' then alone[#alone + 1] = ('"%s"'):format(one:gsub('[\\"]', "\\%0"))
    elseif MODIFIERS[one:match "^(%a+)%+%S+$" or ""] then alone[#alone + 1] = one end
  end
  words = one_line(words)
  if type(first) == "table" then first = unrepeated(first) end
  local function rest_of(value)
    if words:find(one_line(value), 1, true) then return "" end
    if value:find("\n", 1, true) then value = unlisted(value, words) end
    return (alone[1] or value:find('"', 1, true)) and unquoted(value, words, alone) or value
  end
  return mapped(first, DEPTH, rest_of), type(message) == "string" and unquoted(message, words, alone) or message
end


return M
