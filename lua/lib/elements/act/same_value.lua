--- Compares the value that an element holds with the one that was written, as far as its application reports it.
--
-- Numbers can be written in several ways. Values that are read back lack the characters that are not shown, so only the number
-- of these is known.

local captions = require "elements.read.captions"
local element  = require "sys.element"
local forms    = require "elements.act.value_forms"
local words    = require "elements.read.words"

local M = {}

local NEAR = 1e-7   -- relative: some applications hold numbers with a fraction in 32 bits


--- @return boolean
local function equal(a, b)
  if a == b then return true end
  local whole = a == math.floor(a) and b == math.floor(b)
  return not whole and math.abs(a - b) <= NEAR * math.max(math.abs(a), math.abs(b))
end


local ZEROS = { 0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xff10 }   -- Arabic, Persian, Devanagari, Bengali, Thai, full width

--- True if the text has a digit, of the scripts above also.
local function has_digit(text)
  if text:find "%d" then return true end
  for _, point in utf8.codes(text) do
    for _, zero in ipairs(ZEROS) do
      if point >= zero and point < zero + 10 then return true end
    end
  end
  return false
end


--- Compares numbers: "2000000" or "2000000.00" here; "2,000,000" or "200 %" by the number that the application reports.
local function same_number(node, number, held)
  local shown = tonumber(held)
  if shown then return equal(number, shown) end
  if not has_digit(held) then return false end   -- an empty field also reports a number
  local fresh = element.get { node.id }
  return fresh ~= nil and not fresh[1].gone and fresh[1].number ~= nil and equal(number, fresh[1].number)
end


-- --- text ---------------------------------------------------------------------------------------

--- True if sys.element removes this character from text of applications.
local function is_noise(point)
  return point < 0x20 and point ~= 10 and point ~= 9 or point >= 0x7f and point < 0xa0 or point == 0x61c or point == 0x200e
    or point == 0x200f or point >= 0x2028 and point <= 0x202e or point >= 0x2066 and point <= 0x2069 or point == 0xfffc
    or point == 0xfeff
end


--- The text without characters that are not shown, and how many these were. Line ends become one character.
local function cleaned(text)
  text = text:gsub("\r\n?", "\n")
  local kept, hidden = {}, 0
  for _, point in utf8.codes(text) do
    if is_noise(point) then hidden = hidden + 1 else kept[#kept + 1] = utf8.char(point) end
  end
  if hidden == 0 then return text, 0 end
  return table.concat(kept), hidden
end


--- Qt counts characters from U+10000 on twice, and a line end may be two characters.
local function is_length(text, length)
  local function counts(one)
    local in_utf16 = 0
    for _, point in utf8.codes(one) do in_utf16 = in_utf16 + (point > 0xffff and 2 or 1) end
    return length == utf8.len(one) or length == in_utf16
  end
  return counts(text) or counts((text:gsub("\r\n?", "\n")))
end


local READ_BACK = { effect = "confirmed", evidence = "the value was read back" }

local function told_of_hidden(node, value, hidden)
  local text = element.text(node.id, { from = 0, to = 0 })
  local what = hidden == 1 and "one character that is not shown" or ("%d characters that are not shown"):format(hidden)
  if text and is_length(value, text.length) then
    return { effect = "confirmed", evidence = ("the value was read back; of %s the number"):format(what) }
  end
  return { effect = "partial", evidence = ("what is shown of it was read back, but not %s"):format(what) }
end


--- True if the element holds exactly that value, without any character that is not shown.
---@param node elements.Node
---@param value string
---@param held string
---@return boolean
function M.exactly(node, value, held)
  local number = node.abilities.count and tonumber(value)
  return value == held or node.role == "combobox" and captions.same(value, held)
    or number and same_number(node, number, held) or false
end


--- Compares the value with the form in which the application shows it. A number that the application reports decides more than
--- its form does.
---@param value string
---@param held string
---@param before? string   what the element held before
---@param counted? boolean  the number that it holds is known, and is another
---@return elements.SameValue?
function M.in_form(value, held, before, counted)
  local told = forms.compare(value, held, before)
  if told == "same" and not counted then
    return { effect = "confirmed", evidence = "the value was read back, in the form " .. words.quote(held, 60) }
  end
  return told and { effect = "unknown",
    evidence = ("it shows %s, which may be another form of the value, or another value"):format(words.quote(held, 60)) } or nil
end


---@class elements.SameValue
---@field effect "confirmed"|"partial"|"unknown"  partial: characters that are not shown may differ; unknown: it may be the value
---                                               in another form
---@field evidence string

--- Compares the value with what the element holds; nil: it holds something else.
---@param node elements.Node
---@param value string    the value that was written
---@param held string     the value that it holds
---@param before? string  the value that it held before
---@return elements.SameValue?
function M.told(node, value, held, before)
  if M.exactly(node, value, held) then return READ_BACK end
  local clean, hidden = cleaned(value)
  local counted = node.abilities.count and tonumber(value) ~= nil
  if clean ~= held then return M.in_form(value, held, before, counted) end
  return hidden > 0 and told_of_hidden(node, value, hidden) or READ_BACK
end


return M
