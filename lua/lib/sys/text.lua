--- sys.text: functions that Lua's string library lacks. They read text as UTF-8: they count characters and not bytes, and know
--- upper and lower case in every language.
--
-- A character is one that people see as one (an extended grapheme cluster of Unicode): a letter with its accents, a flag. Use
-- the module utf8 for code points. A byte that is not UTF-8 counts as one character, and no function changes it.
--
-- Cases, forms and widths come from the library utf8proc. Where it is missing, functions that need it return nil, message and
-- the code "module_missing".

local core = require "sys.text"

---@class sys.text
local M = {}

local SLICE = 32 * 1024   -- bytes that C handles without a break

--- Matches places where a text can be cut and its parts converted one by one: before characters that never join the one before
--- (ASCII, CJK, syllables of Korean).
local CUT = "[%z\1-\127\xE4-\xE9\xEB\xEC]"


-- --- words and lines ------------------------------------------------------------------------------------

--- White space beyond ASCII, in three bytes.
local WIDE_SPACES = {}
for point = 0x2000, 0x200A do WIDE_SPACES[utf8.char(point)] = true end
for _, point in ipairs { 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 } do WIDE_SPACES[utf8.char(point)] = true end


--- Returns the place where the white space at the beginning ends.
local function skip_spaces(text)
  local at = 1
  while true do
    local next_at = text:match("^%s+()", at) or text:match("^\xC2[\x85\xA0]()", at)
    if not next_at and WIDE_SPACES[text:sub(at, at + 2)] then next_at = at + 3 end
    if not next_at then return at end
    at = next_at
  end
end


--- Returns the last byte before the white space at the end.
local function skip_spaces_back(text)
  local at = #text
  while at > 0 do
    if text:find("^%s", at) then
      at = at - 1
    elseif text:find("^\xC2[\x85\xA0]", at - 1) and at > 1 then
      at = at - 2
    elseif at > 2 and WIDE_SPACES[text:sub(at - 2, at)] then
      at = at - 3
    else
      break
    end
  end
  return at
end


--- Removes white space at both ends, including that of Unicode, such as the no-break space.
---@param text string
---@return string
function M.trim(text)
  local first = skip_spaces(text)
  return first > #text and "" or text:sub(first, skip_spaces_back(text))
end


--- Removes white space at the beginning.
---@param text string
---@return string
function M.trim_start(text) return text:sub(skip_spaces(text)) end


--- Removes white space at the end.
---@param text string
---@return string
function M.trim_end(text) return text:sub(1, skip_spaces_back(text)) end


--- Returns the parts between the separators, which are plain text: { "a", "", "b" } for "a,,b". sys.regex splits by patterns.
---@param text string
---@param separator string  at least one byte
---@param limit? integer    at most so many parts, the last of which has the rest (default: no limit)
---@return string[]
function M.split(text, separator, limit)
  if separator == "" then error("the separator is empty. To get its characters, use characters()", 2) end
  local parts, at = {}, 1
  while not limit or #parts + 1 < limit do
    local first, last = text:find(separator, at, true)
    if not first then break end
    parts[#parts + 1] = text:sub(at, first - 1)
    at = last + 1
  end
  parts[#parts + 1] = text:sub(at)
  return parts
end


--- Returns the lines, without their ends: LF, CR LF or CR. A line end at the end of the text begins no line.
---@param text string
---@return string[]
function M.lines(text)
  local lines, at = {}, 1
  while at <= #text do
    local stop, next_at = text:match("()\r?\n?()", text:find("[\r\n]", at) or #text + 1)
    lines[#lines + 1] = text:sub(at, stop - 1)
    at = next_at
  end
  return lines
end


--- True if the text begins with the prefix.
---@param text string
---@param prefix string
---@return boolean
function M.starts(text, prefix) return text:sub(1, #prefix) == prefix end


--- True if the text ends with the suffix.
---@param text string
---@param suffix string
---@return boolean
function M.ends(text, suffix) return suffix == "" or text:sub(-#suffix) == suffix end


--- Replaces plain text by plain text: no character has a special meaning.
---@param text string
---@param part string   at least one byte
---@param by string
---@param limit? integer  at most so many times, from the beginning (default: no limit)
---@return string changed
---@return integer count  the number of replacements
function M.replace(text, part, by, limit)
  if part == "" then error("there is nothing to replace: the part is empty", 2) end
  local parts = M.split(text, part, limit and limit + 1)
  return table.concat(parts, by), #parts - 1
end


-- --- cases and forms ----------------------------------------------------------------------------------

local function converted(text, form)
  local parts, at = {}, 1
  repeat
    local stop = text:find(CUT, at + SLICE) or #text + 1
    local part, err, code = core.convert(text:sub(at, stop - 1), form)
    if not part then return nil, err, code end
    parts[#parts + 1], at = part, stop
  until at > #text
  return table.concat(parts)
end


--- Converts to lower case, letter by letter: "ärger" for "ÄRGER".
---@param text string
---@return string? lower
---@return string? err
---@return string? code  "module_missing", "module_broken"
function M.lower(text) return converted(text, "lower") end


--- Converts to upper case, letter by letter: "ß" becomes "ẞ", and not two letters.
---@param text string
---@return string? upper
---@return string? err
---@return string? code  as lower
function M.upper(text) return converted(text, "upper") end


--- Returns a form to compare text by. It is the same for two strings that differ only in case, in how accents are encoded, in
--- full or half width, ligatures or invisible characters (NFKC_Casefold). It is not for people to read: "ß" becomes "ss".
---@param text string
---@return string? folded
---@return string? err
---@return string? code  as lower
function M.fold(text) return converted(text, "fold") end


local FORMS = { NFC = true, NFD = true, NFKC = true, NFKD = true }

--- Converts to a normal form of Unicode.
---@param text string
---@param form? "NFC"|"NFD"|"NFKC"|"NFKD"  default: "NFC"
---@return string? normal
---@return string? err
---@return string? code  as lower
function M.normalize(text, form)
  form = form or "NFC"
  if not FORMS[form] then error(("%s is not a normal form. Use NFC, NFD, NFKC or NFKD"):format(tostring(form)), 2) end
  return converted(text, form)
end


-- --- characters and columns ---------------------------------------------------------------------------

--- Walks over as many characters as fit, however long. Returns the byte behind them, their number and their columns.
local function walk(text, at, characters, columns)
  local seen, wide = 0, 0
  while true do
    local next_at, count, width = core.walk(text, at, characters and characters - seen, columns and columns - wide)
    if not next_at then return nil, count, width end
    seen, wide = seen + count, wide + width
    if next_at == at or next_at > #text then return next_at, seen, wide end
    at = next_at
  end
end


--- Returns the number of characters.
---@param text string
---@return integer? count
---@return string? err
---@return string? code  as lower
function M.len(text)
  if not text:find "[\r\x80-\xFF]" then return #text end
  local behind, count, code = walk(text, 1)
  if not behind then return nil, count, code end
  return count
end


--- Returns the text from the first to the last character, as string.sub does for bytes: -1 is the last character.
---@param text string
---@param first integer
---@param last? integer  default: -1
---@return string? part
---@return string? err
---@return string? code  as lower
function M.sub(text, first, last)
  last = last or -1
  if not text:find "[\r\x80-\xFF]" then return text:sub(first, last) end
  if first < 0 or last < 0 then
    local count, err, code = M.len(text)
    if not count then return nil, err, code end
    if first < 0 then first = first + count + 1 end
    if last < 0 then last = last + count + 1 end
  end
  first = math.max(first, 1)
  if last < first then return "" end
  local from, err, code = walk(text, 1, first - 1)
  if not from then return nil, err, code end
  return text:sub(from, walk(text, from, last - first + 1) - 1)
end


--- Returns the characters, one by one.
---@param text string
---@return string[]? characters
---@return string? err
---@return string? code  as lower
function M.characters(text)
  local list, at = {}, 1
  while at <= #text do
    local next_at, err, code = core.walk(text, at, 1)
    if not next_at then return nil, err, code end
    list[#list + 1] = text:sub(at, next_at - 1)
    at = next_at
  end
  return list
end


--- Returns the number of columns in a terminal: 2 for wide characters and emoji, 0 for control characters, including tabs and
--- line ends.
---@param text string
---@return integer? columns
---@return string? err
---@return string? code  as lower
function M.width(text)
  if not text:find "[^ -~]" then return #text end
  local behind, count, columns = walk(text, 1)
  if not behind then return nil, count, columns end
  return columns
end


--- Fills text up to a width; text that is as wide or wider stays as it is.
---@param text string
---@param columns integer
---@param align? "left"|"right"|"center"  the side of the text (default: "left")
---@param fill? string  a character one column wide (default: a space)
---@return string? padded
---@return string? err
---@return string? code  as lower
function M.pad(text, columns, align, fill)
  local width, err, code = M.width(text)
  if not width then return nil, err, code end
  fill, align = fill or " ", align or "left"
  if M.width(fill) ~= 1 then error("the text to fill with must be one column wide", 2) end
  local missing = math.max(columns - width, 0)
  if align == "left" then return text .. fill:rep(missing) end
  if align == "right" then return fill:rep(missing) .. text end
  if align ~= "center" then error(('align must be "left", "right" or "center", not %q'):format(tostring(align)), 2) end
  return fill:rep(missing // 2) .. text .. fill:rep(missing - missing // 2)
end


--- Cuts text to at most so many columns: wider text loses characters at its end, and a mark shows it.
---@param text string
---@param columns integer  0 or more
---@param mark? string  default: "…"; it is left out if there is no room for it
---@return string? short
---@return string? err
---@return string? code  as lower
function M.truncate(text, columns, mark)
  local behind, err, code = walk(text, 1, nil, columns)
  if not behind then return nil, err, code end
  if behind > #text then return text end
  mark = mark or "…"
  local room = columns - M.width(mark)
  if room < 0 then return text:sub(1, behind - 1) end
  return text:sub(1, walk(text, 1, nil, room) - 1) .. mark
end


return M
