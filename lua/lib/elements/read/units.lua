--- The text of labels: captions, sentences, separators and units.

local words = require "elements.read.words"

local M = {}

local CAPTION_MAX = 80   -- bytes of a label that names something

--- Words that are written behind a number. A field's own name is seldom one of them.
local UNITS = words.set("hours hour hrs hr h minutes minute mins min m seconds second secs sec s ms milliseconds us ns days day "
  .. "d weeks week months month years year times px pixels pixel points point pt dpi ppi em rem ex mm cm dm km "
  .. "in inch inches ft feet yd mi miles "
  .. "pages lines columns rows characters chars words items files entries messages bytes byte b kb mb gb tb kib "
  .. "mib gib tib kbit mbit bits bit kb/s mb/s kib/s mib/s kbps mbps hz khz mhz ghz fps bpm rpm db w kw v mv a ma g kg mg t lb "
  .. "oz l ml degrees deg rad percent per eur usd gbp cent "
  .. "stunden minuten sekunden tage wochen monate jahre std heures minutes secondes jours semaines mois ans horas minutos "
  .. "segundos días semanas meses años ore minuti secondi giorni settimane mesi anni uur minuten dagen weken maanden jaar "
  .. "часов часа минут секунд дней суток недель месяцев лет")

local SIGNS = { "%", "‰", "°", "€", "$", "£", "¥", "₽", "″", "′", "µ" }


--- The label's text as a name, without the colon.
---@param label elements.Node
---@return string
function M.text_of(label)
  return (words.own_name(label):gsub("%s*:$", ""):gsub("%s*：$", ""))
end


---@param label elements.Node
---@return boolean
function M.has_colon(label)
  local text = words.own_name(label)
  return text:find "[:=]$" ~= nil or text:find "：$" ~= nil
end


local function begins_with_sign(text)
  for _, sign in ipairs(SIGNS) do
    if text:sub(1, #sign) == sign then return true end
  end
  return false
end


--- True if the label is written behind a number: "px", "%", "(minutes)", "minutes ago".
---@param label elements.Node
---@return boolean
function M.is_unit(label)
  local text = M.text_of(label)
  if M.has_colon(label) then return false end
  if begins_with_sign(text) then return true end
  local first = words.fold(text):match "^[%(%[]?([^%s%)%]%.,]+)"
  return first ~= nil and UNITS[first] == true
end


--- True if the label is a unit and then begins the next field's text: "weeks, until week" in "[2] weeks, until week [9]".
---@param label elements.Node
---@return boolean
function M.goes_on(label) return M.is_unit(label) and M.text_of(label):find "[,;]%s*%S" ~= nil end


--- True if the label begins with a small letter or a sign.
---@param label elements.Node
---@return boolean
function M.is_small(label)
  local text = M.text_of(label):gsub("^[%(%[]", "")
  return text:find "^%u" == nil
end


--- Blocks of Unicode with marks only: of Latin-1, of punctuation, arrows and mathematics, of Chinese punctuation.
local MARKS = { { 0xA0, 0xBF }, { 0xD7, 0xD7 }, { 0x2000, 0x206F }, { 0x2190, 0x23FF }, { 0x2500, 0x27BF }, { 0x3000, 0x3004 } }

local function is_mark(code)
  for _, block in ipairs(MARKS) do
    if code >= block[1] and code <= block[2] then return true end
  end
  return code < 0x80 and not utf8.char(code):find "%w"
end


--- True if the label separates fields and names none: "x" in "[10] x [20]", or only marks, as the ratio sign of clocks.
local function is_separator(text)
  if text == "x" then return true end
  if text:find "%w" or begins_with_sign(text) then return false end
  for _, code in utf8.codes(text, true) do
    if not is_mark(code) then return false end
  end
  return true
end


--- "caption": the label can name something. "sentence": a warning above a text field is not the field's name. nil: it says
--- nothing.
---@param label elements.Node
---@return "caption"|"sentence"|nil
function M.kind(label)
  local text = M.text_of(label)
  if text == "" or is_separator(text) then return nil end
  if #text > CAPTION_MAX or text:find "[.!]$" and not text:find "%.%.%.$" then return "sentence" end
  return "caption"
end


return M
