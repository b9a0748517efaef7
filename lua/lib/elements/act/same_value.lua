--- Whether what an element holds is what was written, as far as its application tells.
--
-- Numbers are written in more than one way. What is read is cleaned of characters that are not shown, so that of those only the
-- number is known.

local captions = require "elements.read.captions"
local element  = require "sys.element"

local M = {}

local NEAR = 1e-7   -- of numbers with a fraction, which some applications hold in 32 bits


--- @return boolean
local function equal(a, b)
  if a == b then return true end
  local whole = a == math.floor(a) and b == math.floor(b)
  return not whole and math.abs(a - b) <= NEAR * math.max(math.abs(a), math.abs(b))
end


--- "2000000", "2000000.00", or what only its application can read: "2,000,000", "200 %".
local function same_number(node, number, held)
  local shown = tonumber(held)
  if shown then return equal(number, shown) end
  if not held:find "%d" then return false end   -- an empty field has a number, too
  local fresh = element.get { node.id }
  return fresh ~= nil and not fresh[1].gone and fresh[1].number ~= nil and equal(number, fresh[1].number)
end


-- --- text ---------------------------------------------------------------------------------------

--- As sys.element cleans what applications say.
local function is_noise(point)
  return point < 0x20 and point ~= 10 and point ~= 9 or point >= 0x7f and point < 0xa0 or point == 0x61c or point == 0x200e
    or point == 0x200f or point >= 0x2028 and point <= 0x202e or point >= 0x2066 and point <= 0x2069 or point == 0xfffc
    or point == 0xfeff
end


--- Without what is not shown, and how many characters of it there were; line ends are one character.
local function cleaned(text)
  text = text:gsub("\r\n?", "\n")
  local kept, hidden = {}, 0
  for _, point in utf8.codes(text) do
    if is_noise(point) then hidden = hidden + 1 else kept[#kept + 1] = utf8.char(point) end
  end
  if hidden == 0 then return text, 0 end
  return table.concat(kept), hidden
end


--- Qt counts characters beyond the first 65,536 twice, and a line end may be two.
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


--- Whether it holds that, with nothing in it that is not shown.
---@param node elements.Node
---@param value string
---@param held string
---@return boolean
function M.exactly(node, value, held)
  local number = node.abilities.count and tonumber(value)
  return value == held or node.role == "combobox" and captions.same(value, held)
    or number and same_number(node, number, held) or false
end


---@class elements.SameValue
---@field effect "confirmed"|"partial"  partial: what is not shown may differ
---@field evidence string

--- nil: it holds something else.
---@param node elements.Node
---@param value string  that was written
---@param held string   that it holds
---@return elements.SameValue?
function M.told(node, value, held)
  if M.exactly(node, value, held) then return READ_BACK end
  local clean, hidden = cleaned(value)
  if clean ~= held then return nil end
  return hidden > 0 and told_of_hidden(node, value, hidden) or READ_BACK
end


return M
