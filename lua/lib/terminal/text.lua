--- Text for a terminal: columns, wrapping, colors.

local M = {}

local CODES = { bold = "1", dim = "2", red = "31", green = "32", yellow = "33", cyan = "36" }


--- True for characters beyond ASCII that hide words: those of src/base/hidden.h, except the joiners that scripts and emoji
--- need.
local function is_hidden(c)
  return c >= 0x80 and c < 0xA0 or c == 0xAD or c == 0x61C or c == 0x200B or c == 0x200E or c == 0x200F
    or c >= 0x2028 and c <= 0x202E or c >= 0x2060 and c <= 0x206F or c == 0xFEFF or c >= 0xFFF9 and c <= 0xFFFB
    or c >= 0xE0000 and c <= 0xE007F
end


local MAY_HIDE = "[\xc2\xd8\xe2\xef\xf3][\x80-\xbf]+"   -- the first bytes of these characters

---@param text string
---@param how fun(c: integer): string
local function marked(text, how)
  return (text:gsub(MAY_HIDE, function(char)
    local c = utf8.len(char) == 1 and utf8.codepoint(char)
    if c and is_hidden(c) then return how(c) end
  end))
end


local function as_unit(c)
  if c < 0x10000 then return ("\\u%04x"):format(c) end
  return ("\\u%04x\\u%04x"):format(0xD800 + (c - 0x10000 >> 10), 0xDC00 + (c & 0x3FF))
end


local function in_brackets(c) return ("<%02x>"):format(c) end


--- Returns JSON of the same meaning, without control sequences of terminals and without hidden characters.
---@param encoded string
---@return string
function M.escaped(encoded)
  if not encoded:find "[\x7f-\xbf]" then return encoded end
  return marked((encoded:gsub("\x7f", "\\u007f")), as_unit)
end


--- Shows control characters as ^X and hidden ones as <202e>, so that a terminal obeys none of them. All functions below that
--- make lines of text do this; text that is printed without them needs it.
---@param text string
---@return string
function M.clean(text)
  if not text:find "[%c\x80-\xbf]" then return text end
  text = marked(text, in_brackets)
  return (text:gsub("\r\n", "\n"):gsub("[%z\1-\8\11-\31\127]", function(c) return "^" .. string.char(c:byte() ~ 0x40) end))
end


--- Returns the columns of a text, if every character is one column wide.
---@param text string
---@return integer
function M.width(text)
  return utf8.len(text) or #text
end


---@param text string
---@param width integer
---@return string
function M.pad(text, width)
  text = M.clean(text)
  return text .. (" "):rep(width - M.width(text))
end


--- Returns the text, or as much of it as fits, with an ellipsis.
---@param text string
---@param width? integer  nil means no limit
---@return string
function M.cut(text, width)
  if not width or M.width(text) <= width then return text end
  if width < 1 then return "" end
  local stop = utf8.offset(text, width)
  return (stop and text:sub(1, stop - 1) or text:sub(1, width - 1)):gsub("%s+$", "") .. "…"
end


--- Returns the first sentence of a description, on one line.
---@param text string
---@return string
function M.summary(text)
  local paragraph = (text .. "\n\n"):match "^%s*(.-)\n%s*\n"
  local line = M.clean((paragraph:gsub("%s+", " ")))
  return line:match "^(.-%.)%s+%u" or line
end


--- Wraps text into lines of at most `width` columns, at spaces. Line ends in the text are kept.
---@param text string
---@param width integer
---@return string[]
function M.wrap(text, width)
  local lines = {}
  text = M.clean(text)
  for paragraph in (text:gsub("%s+$", "") .. "\n"):gmatch "(.-)\n" do
    local line = paragraph:match "^%s*"
    local empty = true
    for word in paragraph:gmatch "%S+" do
      if not empty and M.width(line) + 1 + M.width(word) > width then
        lines[#lines + 1] = line
        line, empty = "", true
      end
      line = empty and line .. word or line .. " " .. word
      empty = false
    end
    lines[#lines + 1] = line
  end
  return lines
end


--- Returns the text in a style, if colors are wanted.
---@param colour boolean
---@param style "bold"|"dim"|"red"|"green"|"cyan"
---@param text string
---@return string
function M.paint(colour, style, text)
  text = M.clean(text)
  if not colour or text == "" then return text end
  return ("\27[%sm%s\27[0m"):format(CODES[style], text)
end


return M
