--- The text of a field, before and after text was entered. Afterwards the field has to contain its earlier text, with exactly
--- the entered text at the caret or in place of the selection.

local talking = require "desktop.field_talk"

local M = {}

local ask, call, has, property, value = talking.ask, talking.call, talking.has, talking.property, talking.value
local ACCESSIBLE, ROOT = talking.ACCESSIBLE, talking.ROOT

local TEXT = "org.a11y.atspi.Text"

local AROUND = 24         -- characters before and behind the text that have to stay as they are
local MORE = 400          -- characters that are read in place of the text

--- Bits of the first word of an object's states, and roles (atspi-constants.h).
local EDITABLE, FOCUSED, MULTI_LINE = 1 << 7, 1 << 12, 1 << 17
local WANTED = EDITABLE | FOCUSED
local PASSWORD, TERMINAL, PARAGRAPH = 40, 60, 73


--- The number of units that the application counts in text: Qt counts those of UTF-16.
---@param text string
---@param utf16 boolean
---@return integer
function M.units(text, utf16)
  local count = 0
  for _, point in utf8.codes(text) do count = count + (utf16 and point > 0xffff and 2 or 1) end
  return count
end


--- Facts of a field that has the focus. Offsets are in units.
---@class field_text.Facts
---@field states    integer[]
---@field readable  boolean
---@field caret     integer
---@field count     integer
---@field start     integer  the beginning of text that is entered,
---@field stop      integer  and the end of the part that it replaces
---@field from?     integer  the beginning of `before`
---@field before?   string   AROUND characters before `start`,
---@field behind?   string   and behind `stop`
---@field lines     boolean  it can have several lines
---@field paragraph boolean  it is one of several, each with an object of its own
---@field utf16     boolean

--- The facts except the text around the caret.
---@return field_text.Facts?  nil: it does not have the focus, or does not report it
function M.facts(talk, object)
  local answers = ask(talk, {
    call(object, ACCESSIBLE, "GetState"), call(object, ACCESSIBLE, "GetRole"), property(object, TEXT, "CaretOffset"),
    call(object, TEXT, "GetNSelections"), call(object, TEXT, "GetSelection", "i", { 0 }),
    property({ object[1], ROOT }, "org.a11y.atspi.Application", "ToolkitName"), property(object, TEXT, "CharacterCount") }) or {}
  local states, role, caret, count = value(answers[1]), value(answers[2]), value(answers[3]), value(answers[7])
  if not has(states, WANTED) then return nil end
  local start, stop = caret, caret
  if (value(answers[4]) or 0) > 0 and answers[5].values then
    start = math.min(answers[5].values[1], answers[5].values[2])
    stop = math.max(answers[5].values[1], answers[5].values[2])
  end
  local readable = role ~= PASSWORD and role ~= TERMINAL and count ~= nil and caret ~= nil and caret >= 0
  return { states = states, readable = readable, caret = caret, count = count, start = start, stop = stop,
           lines = has(states, MULTI_LINE), paragraph = role == PARAGRAPH, utf16 = value(answers[6]) == "Qt" }
end


local function get(object, from, to) return call(object, TEXT, "GetText", "ii", { from, math.max(from, to) }) end


--- Completes the facts of a readable field. For an empty one no question is needed.
---@return boolean  false: the application does not answer
function M.read_around(talk, object, facts)
  facts.from = math.max(0, facts.start - AROUND)
  facts.before, facts.behind = "", ""
  local last = math.min(facts.count, facts.stop + AROUND)
  if facts.from == facts.start and last <= facts.stop then return true end
  local answers = ask(talk, { get(object, facts.from, facts.start), get(object, facts.stop, last) }) or {}
  facts.before = facts.from < facts.start and value(answers[1]) or ""
  facts.behind = last > facts.stop and value(answers[2]) or ""
  return value(answers[1]) ~= nil and value(answers[2]) ~= nil
end


--- The facts after the text has arrived, with the caret behind it.
---@return field_text.Facts
function M.facts_after(facts, text)
  local after = {}
  for name, fact in pairs(facts) do after[name] = fact end
  local length, before = M.units(text, facts.utf16), facts.before .. text
  after.start = facts.start + length
  after.caret, after.stop = after.start, after.start
  after.count = facts.count - (facts.stop - facts.start) + length
  after.before = before:sub(utf8.offset(before, -math.min(AROUND, utf8.len(before))) or 1)
  after.from = after.start - M.units(after.before, facts.utf16)
  return after
end


--- The questions to a field that should still be as these facts say, and the expected answers.
---@return table[] calls
---@return table[] answers
function M.questions(object, facts)
  local calls, answers = { call(object, ACCESSIBLE, "GetState") }, { { values = { facts.states } } }
  if facts.readable then
    calls[2], answers[2] = property(object, TEXT, "CaretOffset"), { values = { facts.caret } }
    calls[3], answers[3] = property(object, TEXT, "CharacterCount"), { values = { facts.count } }
  end
  return calls, answers
end


--- The questions after the last key of the text, for is_told(). The caret's position is asked for before the next text.
---@return table[] calls
function M.questions_after(object, facts, text)
  local stop = facts.start + M.units(text, facts.utf16) + M.units(facts.behind, facts.utf16)
  return { property(object, TEXT, "CharacterCount"), get(object, facts.from, stop) }
end


--- True if the answers prove that exactly this text is there.
---@param facts field_text.Facts
---@param text string
---@param told sys.dbus.Answer[]?
---@return boolean
function M.is_told(facts, text, told)
  if not told then return false end
  return value(told[1]) == facts.count - (facts.stop - facts.start) + M.units(text, facts.utf16)
         and value(told[2]) == facts.before .. text .. facts.behind
end


---@class field_text.Now
---@field found   string   the text in place of the selection,
---@field before  string   and the text around it, as long as before
---@field behind  string
---@field at_caret string  the text before the caret, as long as the entered text
---@field caret   integer
---@field count   integer
---@field left?   boolean  the field no longer has the focus

--- Reads a field after text was entered.
---@param field {talk: read_back.Talk, object: string[], facts: field_text.Facts}
---@param text string
---@return field_text.Now?  nil: it does not report its text
function M.read(field, text)
  local object, facts, talk = field.object, field.facts, field.talk
  local answers = ask(talk, { call(object, ACCESSIBLE, "GetState"), property(object, TEXT, "CaretOffset"),
    property(object, TEXT, "CharacterCount") }) or {}
  local states, caret, count = value(answers[1]), value(answers[2]), value(answers[3])
  if not states or not caret or not count then return nil end
  local length = M.units(text, facts.utf16)
  local stop = math.max(facts.start, count - (facts.count - facts.stop))
  local last = math.min(count, stop + M.units(facts.behind, facts.utf16))     -- beyond the end LibreOffice reports nothing
  local told = ask(talk, { get(object, facts.start, math.min(stop, facts.start + length + MORE)),
    get(object, facts.from, facts.start), get(object, stop, last),
    get(object, math.max(0, caret - length), math.max(0, caret)) }) or {}
  local found, before, behind, at_caret = value(told[1]), value(told[2]), value(told[3]), value(told[4])
  if stop > facts.start and not found then return nil end
  return { found = stop > facts.start and found or "", before = facts.from < facts.start and before or "",
           behind = last > stop and behind or "", at_caret = at_caret, caret = caret, count = count,
           left = not has(states, FOCUSED) or nil }
end


--- True if exactly this text is there now. Keys that were sent before may have moved the caret after the field was looked at,
--- or removed the selection: then the text is right before the caret.
---@param facts field_text.Facts
---@param now field_text.Now
---@param text string
---@return boolean
function M.is(facts, now, text)
  if now.found == text and now.before == facts.before and now.behind == facts.behind then return true end
  local length = M.units(text, facts.utf16)
  local rest = now.count - length
  return not now.left and text ~= "" and now.at_caret == text and now.caret ~= facts.start + length
         and (rest == facts.count or rest == facts.count - (facts.stop - facts.start))
end


--- True if the lines of the text are paragraphs now, one below the other; `object` is the last of them.
---@param facts field_text.Facts  the facts of the paragraph into which the text was entered
---@param text string
---@return boolean
function M.are_paragraphs(talk, facts, object, text)
  local lines = {}
  for line in (text .. "\n"):gmatch "([^\n]*)\n" do lines[#lines + 1] = line end
  local answers = ask(talk, { property(object, ACCESSIBLE, "Parent"), call(object, ACCESSIBLE, "GetIndexInParent") }) or {}
  local parent, index = value(answers[1]), value(answers[2])
  if not parent or not index or index < #lines - 1 then return false end
  local calls = {}
  for i = 1, #lines do calls[i] = call(parent, ACCESSIBLE, "GetChildAtIndex", "i", { index - #lines + i }) end
  local children = ask(talk, calls) or {}
  for i = 1, #lines do
    local child = value(children[i])
    if not child then return false end
    calls[i] = get(child, 0, -1)
    calls[i].args[2] = -1
  end
  lines[1], lines[#lines] = facts.before .. lines[1], lines[#lines] .. facts.behind
  local told = ask(talk, calls) or {}
  for i, line in ipairs(lines) do
    local held = value(told[i])
    if not held then return false end
    if i == 1 and facts.from > 0 then held = held:sub(-#line) end      -- more text is before it than is known
    if i == #lines and facts.stop + M.units(facts.behind, facts.utf16) < facts.count then held = held:sub(1, #line) end
    if held ~= line then return false end
  end
  return true
end


return M
