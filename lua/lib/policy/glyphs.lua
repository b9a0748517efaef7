--- Text of others on one line of a question: characters that nobody sees are named, and padding is counted.

local quoting = require "desktop.quoting"

local M = {}

local RUN = 12        -- equal characters in a row from which they are counted

-- Characters beside the blank that show nothing and have a width.
local BLANKS = { [0x09] = true, [0x0B] = true, [0x0C] = true, [0xA0] = true, [0x115F] = true, [0x1160] = true, [0x1680] = true,
  [0x202F] = true, [0x205F] = true, [0x2800] = true, [0x3000] = true, [0x3164] = true, [0xFFA0] = true }
for point = 0x2000, 0x200A do BLANKS[point] = true end

-- Ends of lines. A carriage return lets a terminal write over what it has shown.
local ENDS = { [0x0A] = true, [0x0D] = true, [0x85] = true, [0x2028] = true, [0x2029] = true }

-- Marks over and under the character before them.
local MARKS = { { 0x300, 0x36F }, { 0x483, 0x489 }, { 0x1AB0, 0x1AFF }, { 0x1DC0, 0x1DFF }, { 0x20D0, 0x20FF },
  { 0xFE20, 0xFE2F } }

-- Characters that a program may show by nothing (Default_Ignorable_Code_Point of Unicode), and some that usual fonts lack.
-- Joiners and selectors are among them: a person cannot see which there are.
local IGNORABLE = { { 0xAD, 0xAD }, { 0x34F, 0x34F }, { 0x61C, 0x61C }, { 0x17B4, 0x17B5 }, { 0x180B, 0x180F },
  { 0x200B, 0x200F },
  { 0x202A, 0x202E }, { 0x2060, 0x206F }, { 0xFE00, 0xFE0F }, { 0xFEFF, 0xFEFF }, { 0xFFF0, 0xFFFB }, { 0x13430, 0x1343F },
  { 0x16FE4, 0x16FE4 }, { 0x1BCA0, 0x1BCA3 }, { 0x1D173, 0x1D17A }, { 0xE0000, 0xE0FFF } }

local function is_in(point, ranges)
  for _, range in ipairs(ranges) do
    if point >= range[1] and point <= range[2] then return true end
  end
  return false
end


--- The kind of a character: "blank", "end", "hidden", "mark"; the character itself for one that is seen.
local function kind_of(point)
  if point == 0x20 or BLANKS[point] then return "blank" end
  if ENDS[point] then return "end" end
  if point > 0x20 and point < 0x7F then return utf8.char(point) end
  if is_in(point, IGNORABLE) then return "hidden" end
  if is_in(point, MARKS) then return "mark" end
  local char = utf8.char(point)
  if quoting.plain(char) ~= char then return "hidden" end
  return char
end


-- Each shows a run of characters of its kind: their number, the first, and whether a line ends among them.
local RUNS = {}

function RUNS.blank(n, _, ends)
  if n <= 3 then return ends and ("⏎"):rep(ends) or " " end
  return ends and (" [%d line ends and blanks] "):format(n) or (" [%d blanks] "):format(n)
end

function RUNS.hidden(n, first)
  return n == 1 and ("[U+%04X]"):format(first) or ("[%d invisible characters]"):format(n)
end

function RUNS.mark(n, first) return n <= 2 and utf8.char(first):rep(n) or ("[%d marks]"):format(n) end


local function shown_run(kind, n, first, ends)
  local say = RUNS[kind]
  if say then return say(n, first, ends) end
  return n < RUN and kind:rep(n) or ("%s[%d times]"):format(kind, n)
end


local function converted(text)
  local parts, kind, n, first, ends = {}, nil, 0, nil, nil
  for _, point in utf8.codes(text) do
    local is = kind_of(point)
    local ended = is == "end"
    if ended then is = "blank" end
    if is ~= kind then
      if kind then parts[#parts + 1] = shown_run(kind, n, first, ends) end
      kind, n, first, ends = is, 0, point, nil
    end
    n = n + 1
    if ended then ends = (ends or 0) + 1 end
  end
  if kind then parts[#parts + 1] = shown_run(kind, n, first, ends) end
  return table.concat(parts)
end


--- The text as a person can read it, on one line.
---@param text string
---@param most integer  characters that are looked at: of longer text the first and the last half of so many
---@return string visible
---@return integer left_out  characters in the middle of longer text
function M.visible(text, most)
  if not utf8.len(text) then
    text = text:gsub("[\x80-\xFF]+", function(bytes) return ("[%d bytes that are not text]"):format(#bytes) end)
  end
  local length = #text > most and utf8.len(text) or 0
  if length <= most then return converted(text), 0 end
  local half = most // 2
  return converted(text:sub(1, utf8.offset(text, half + 1) - 1)) .. converted(text:sub(utf8.offset(text, length - half + 1))),
    length - 2 * half
end


return M
