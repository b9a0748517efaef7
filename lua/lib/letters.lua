--- Converts letters to lower case: Latin, Greek and Cyrillic.

local M = {}


local function lower_code(c)
  if c < 0x80 then return c >= 65 and c <= 90 and c + 32 or c end
  if c >= 0xC0 and c <= 0xDE and c ~= 0xD7 then return c + 32 end
  if (c >= 0x100 and c <= 0x137 or c >= 0x14A and c <= 0x177) and c % 2 == 0 then return c + 1 end
  if (c >= 0x139 and c <= 0x148 or c >= 0x179 and c <= 0x17E) and c % 2 == 1 then return c + 1 end
  if c >= 0x391 and c <= 0x3A9 then return c + 32 end
  if c >= 0x410 and c <= 0x42F then return c + 32 end
  if c >= 0x400 and c <= 0x40F then return c + 80 end
  return c
end


--- Returns the code points in lower case; the bytes if the text is not UTF-8.
---@param text string
---@return integer[]
function M.codes(text)
  local codes = {}
  if utf8.len(text) then
    for _, c in utf8.codes(text) do codes[#codes + 1] = lower_code(c) end
  else
    for i = 1, #text do codes[i] = lower_code(text:byte(i)) end
  end
  return codes
end


--- Returns the text in lower case, to compare it with others.
---@param text string
---@return string
function M.fold(text)
  if not text:find "[\x80-\xff]" or not utf8.len(text) then return text:lower() end
  local letters = {}
  for i, c in ipairs(M.codes(text)) do letters[i] = utf8.char(c) end
  return table.concat(letters)
end


return M
