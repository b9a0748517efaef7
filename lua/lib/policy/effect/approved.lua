--- The part of a terminal's line that the user approved. It is not asked about again, but what is put before it, behind it or
--- into it may make of it what the user did not see.

local M = {}

local TEXTS = 4     -- of a line
local BYTES = 2000  -- of each
local WORDS = 100   -- of each, between which text may be put
local GAP = 8       -- words that may be deleted in a row


--- The list with another text.
---@param list? string[]
---@param text string
---@return string[]
function M.with(list, text)
  local all = table.move(list or {}, 1, #(list or {}), 1, {})
  all[#all + 1] = text:sub(1, BYTES)
  if #all > TEXTS then table.remove(all, 1) end
  return all
end


local function words_of(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  return list
end


--- True if the parts make a row, with or without a blank between them, and none does so alone.
---@param parts string[]  some may be empty
---@param is_found fun(text: string): boolean
local function make_row(parts, is_found)
  local list = {}
  for _, part in ipairs(parts) do
    if part ~= "" then list[#list + 1] = part end
  end
  local any = false
  for way = 0, (1 << (#list - 1)) - 1 do
    local text = list[1]
    for i = 2, #list do text = text .. (way >> (i - 2) & 1 == 0 and " " or "") .. list[i] end
    any = any or is_found(text)
  end
  if not any then return false end
  for _, part in ipairs(list) do
    if is_found(part) then return false end
  end
  return true
end


--- True if a text makes a row of words together with one that was approved, wherever in that it is put.
---@param approved string
---@param text string
---@param is_found fun(text: string): boolean
local function completes(approved, text, is_found)
  local old, new = words_of(approved), words_of(text)
  if not new[1] then return false end
  for at = 0, math.min(#old, WORDS) do
    local before = table.concat(old, " ", math.max(1, at - 1), at)
    local behind = table.concat(old, " ", at + 1, math.min(#old, at + 2))
    if #new <= 2 then
      if make_row({ before, table.concat(new, " "), behind }, is_found) then return true end
    elseif before ~= "" and make_row({ before, new[1] .. " " .. new[2] }, is_found)
        or behind ~= "" and make_row({ new[#new - 1] .. " " .. new[#new], behind }, is_found) then
      return true
    end
  end
  return false
end


--- True if words of an approved text make a row without those between them.
---@param approved string
---@param is_found fun(text: string): boolean
local function completes_cut(approved, is_found)
  local words = words_of(approved)
  for at = 1, math.min(#words, WORDS) do
    local before = table.concat(words, " ", math.max(1, at - 1), at)
    for next_one = at + 2, math.min(#words, at + 1 + GAP) do
      local behind = table.concat(words, " ", next_one, math.min(#words, next_one + 1))
      if make_row({ before, behind }, is_found) then return true end
    end
  end
  return false
end


--- True if what is put on the line, or deleted there, makes a row of words of what was approved.
---@param list string[]  the approved texts
---@param texts string[]  that are on the line beside them
---@param is_cut boolean  something of them may be deleted
---@param is_found fun(text: string): boolean
---@return boolean
function M.is_completed(list, texts, is_cut, is_found)
  for _, approved in ipairs(list) do
    for _, text in ipairs(texts) do
      if completes(approved, text, is_found) then return true end
    end
    if is_cut and completes_cut(approved, is_found) then return true end
  end
  return false
end


return M
