--- Answers a question about an image by text recognition: with the text in it, and the place of a quoted part of the question.

local picture = require "sys.picture"

local M = {}

local INTRO = "Text in the image, recognized by tesseract. No AI model looked at it, so only its text is answered:"
local LIKELY, SURE = 0.3, 0.85   -- the least confidence in a text, and in a single letter
local NONE  = "Tesseract recognized no text in the image. No AI model looked at it."
local CUT   = "[not all of the image was read: the time for it was over]"


---@class vision.Label
---@field text string
---@field x integer   the middle, in pixels
---@field y integer

--- True if a label is text: icons are also read as letters, with little confidence.
local function is_text(label)
  if not label.text:find "[%w\x80-\xff]" then return false end
  return label.confidence / #label.words >= (utf8.len(label.text) == 1 and SURE or LIKELY)
end


--- Joins words that belong together, from top to bottom.
local function labels_of(words)
  local list, by_number = {}, {}
  for _, word in ipairs(words) do
    local label = by_number[word.label]
    if not label then
      label = { words = {}, confidence = 0, left = math.huge, top = math.huge, right = 0, bottom = 0 }
      by_number[word.label] = label
      list[#list + 1] = label
    end
    label.words[#label.words + 1] = word.text
    label.confidence = label.confidence + word.confidence
    label.left, label.top = math.min(label.left, word.x), math.min(label.top, word.y)
    label.right, label.bottom = math.max(label.right, word.x + word.width), math.max(label.bottom, word.y + word.height)
  end
  local texts = {}
  for _, label in ipairs(list) do
    label.text = table.concat(label.words, " ")
    label.x, label.y = (label.left + label.right) // 2, (label.top + label.bottom) // 2
    if is_text(label) then texts[#texts + 1] = label end
  end
  return texts
end


--- Returns the quoted parts of the question.
local function quoted(question)
  local list = {}
  for text in question:gmatch '"([^"]+)"' do list[#list + 1] = text end
  for text in question:gmatch "“(.-)”" do list[#list + 1] = text end
  return list
end


local function where(text, labels, is_cut)
  local places, wanted = {}, text:lower()
  for _, label in ipairs(labels) do
    if label.text:lower():find(wanted, 1, true) then places[#places + 1] = ("%d,%d"):format(label.x, label.y) end
  end
  if #places == 0 then return ('"%s" was not recognized %s.'):format(text, is_cut and "in what was read" or "anywhere") end
  return ('"%s" is at pixel %s.'):format(text, table.concat(places, " and "))
end


local function line_of(label, elements)
  for _, element in ipairs(elements or {}) do
    if element.name:lower() == label.text:lower() then return ("%s (%s)"):format(label.text, element.ref) end
  end
  return label.text
end


--- Answers by recognized text alone.
---@param bytes string
---@param question string
---@param elements? vision.Element[]
---@return string? answer
---@return string? err
---@return string? code
function M.answer(bytes, question, elements)
  local reading, err, code = picture.words(bytes)
  if not reading then return nil, err, code end
  local labels = labels_of(reading.words)
  if #labels == 0 then return reading.cut and "No text was recognized in what was read. " .. CUT or NONE end
  local lines = { INTRO }
  for _, label in ipairs(labels) do lines[#lines + 1] = line_of(label, elements) end
  for _, text in ipairs(quoted(question)) do lines[#lines + 1] = where(text, labels, reading.cut) end
  if reading.cut then lines[#lines + 1] = CUT end
  return table.concat(lines, "\n")
end


return M
