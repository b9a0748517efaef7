--- The text of a script file as UTF-8, whatever its encoding.
--
-- A file declares its encoding by a mark at its start, or not at all. Without a mark it is UTF-8 if it is valid UTF-8, UTF-16
-- if every second byte of its ASCII letters is 0, and otherwise MacRoman, in which every byte is valid.

local M = {}

local MAC_ROMAN = "ÄÅÇÉÑÖÜáàâäãåçéèêëíìîïñóòôöõúùûü†°¢£§•¶ß®©™´¨≠ÆØ∞±≤≥¥µ∂∑∏π∫ªºΩæø¿¡"
               .. "¬√ƒ≈∆«»…\u{A0}ÀÃÕŒœ–—“”‘’÷◊ÿŸ⁄€‹›ﬁﬂ‡·‚„‰ÂÊÁËÈÍÎÏÌÓÔ\u{F8FF}ÒÚÛÙıˆ˜¯˘˙˚¸˝˛ˇ"
local CHUNK = 4096      -- bytes or units that become one string

local from_mac = {}
do
  local at = 128
  for _, code in utf8.codes(MAC_ROMAN) do
    from_mac[string.char(at)] = utf8.char(code)
    at = at + 1
  end
end


---@param bytes string
---@return string
function M.from_mac_roman(bytes)
  return (bytes:gsub("[\128-\255]", from_mac))
end


local function unit_at(bytes, at, big)
  local first, second = bytes:byte(at, at + 1)
  return big and first << 8 | second or second << 8 | first
end


--- Converts UTF-16; nil if it is not valid: an odd number of bytes, or half of a pair.
local function from_utf16(bytes, from, big)
  if (#bytes - from + 1) % 2 ~= 0 then return nil end
  local parts, codes, at = {}, {}, from
  while at < #bytes do
    local code = unit_at(bytes, at, big)
    at = at + 2
    if code >= 0xD800 and code <= 0xDBFF and at < #bytes then
      local low = unit_at(bytes, at, big)
      if low < 0xDC00 or low > 0xDFFF then return nil end
      code, at = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00), at + 2
    elseif code >= 0xD800 and code <= 0xDFFF then
      return nil
    end
    codes[#codes + 1] = utf8.char(code)
    if #codes == CHUNK then parts[#parts + 1], codes = table.concat(codes), {} end
  end
  parts[#parts + 1] = table.concat(codes)
  return table.concat(parts)
end


--- The byte order of UTF-16 without a mark, found by the places of its zero bytes; nil if it does not look like UTF-16.
local function unmarked_utf16(bytes)
  local sample = bytes:sub(1, CHUNK)
  local zeros = { [0] = 0, 0 }
  local at = sample:find("\0", 1, true)
  while at do
    zeros[at % 2] = zeros[at % 2] + 1
    at = sample:find("\0", at + 1, true)
  end
  local pairs_there = #sample // 2
  if zeros[0] * 4 > pairs_there * 3 and zeros[1] * 8 < pairs_there then return "little" end
  if zeros[1] * 4 > pairs_there * 3 and zeros[0] * 8 < pairs_there then return "big" end
  return nil
end


---@alias applescript.Encoding "UTF-8"|"UTF-16"|"MacRoman"

--- The text of a file; nil if the bytes are not text.
---@param bytes string
---@return string? text
---@return applescript.Encoding|string encoding  or the reason why it is not text
function M.read(bytes)
  if bytes:sub(1, 3) == "\xEF\xBB\xBF" then
    if utf8.len(bytes) then return bytes:sub(4), "UTF-8" end
    return nil, "it declares UTF-8, but is not valid UTF-8"
  end
  local mark = bytes:sub(1, 2)
  local order = mark == "\xFF\xFE" and "little" or mark == "\xFE\xFF" and "big"
  local from = order and 3 or 1
  order = order or unmarked_utf16(bytes)
  if order then
    local text = from_utf16(bytes, from, order == "big")
    if text then return text, "UTF-16" end
    if from == 3 then return nil, "it declares UTF-16, but is not valid UTF-16" end
  end
  if bytes:find("\0", 1, true) then return nil, "it contains zero bytes" end
  if utf8.len(bytes) then return bytes, "UTF-8" end
  return M.from_mac_roman(bytes), "MacRoman"
end


return M
