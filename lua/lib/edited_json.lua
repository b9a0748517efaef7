--- JSON as people edit it: with comments, and a comma behind the last member.

local json = require "sys.json"

local M = {}


--- Returns the place behind the string that begins here.
local function string_end(text, at)
  local stop = at + 1
  while true do
    local found = text:find('["\\]', stop)
    if not found then return #text + 1 end
    if text:byte(found) == 34 then return found + 1 end
    stop = found + 2
  end
end


--- Returns the place behind the comment that begins here; nil: it is none, or it does not end.
local function comment_end(text, at)
  local kind, _, stop = text:sub(at + 1, at + 1)
  if kind == "/" then return text:find("\n", at, true) or #text + 1 end
  if kind == "*" then _, stop = text:find("*/", at + 2, true) end
  return stop and stop + 1
end


--- Puts blanks in the places of comments. Behind a "/" that begins none, nothing is JSON any more.
local function without_comments(text)
  local parts, from, at = {}, 1, 1
  while true do
    local found = text:find('["/]', at)
    if not found then break end
    if text:byte(found) == 34 then
      at = string_end(text, found)
    else
      at = comment_end(text, found)
      if not at then break end
      parts[#parts + 1] = text:sub(from, found - 1)
      parts[#parts + 1] = text:sub(found, at - 1):gsub("[^\n]", " ")
      from = at
    end
  end
  parts[#parts + 1] = text:sub(from)
  return table.concat(parts)
end


--- Puts a blank in the place of each comma between a value and the end of its list.
local function without_last_commas(text)
  local parts, from, at, empty = {}, 1, 1, true   -- empty: no value since the bracket, colon or comma at the end
  while true do
    local found = text:find('["%[{:,]', at)
    if not found then break end
    local c = text:sub(found, found)
    if c == '"' then
      at, empty = string_end(text, found), false
    else
      local value = not empty or text:find("[^ \t\r\n]", at) < found
      if c == "," and value and text:find("^[ \t\r\n]*[}%]]", found + 1) then
        parts[#parts + 1] = text:sub(from, found - 1) .. " "
        from = found + 1
      end
      at, empty = found + 1, true
    end
  end
  parts[#parts + 1] = text:sub(from)
  return table.concat(parts)
end


--- Returns the value of the text, as sys.json.decode() does. A byte order mark is skipped. Blanks take the places of what JSON
--- does not have, so that errors name the line and column of the text.
---@param text string
---@return any value
---@return string? err
---@return string? code
function M.decode(text)
  if text:sub(1, 3) == "\xEF\xBB\xBF" then text = text:sub(4) end   -- as Windows does
  local value, err, code = json.decode(text)
  if not err then return value end
  if not text:find("[/,]") then return nil, err, code end
  return json.decode(without_last_commas(without_comments(text)))
end


return M
