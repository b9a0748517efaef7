--- A line as an application may have it while it is typed. What all shells do alike is followed: typing at the end, Backspace
--- there, Enter. Whatever else is sent makes the line unknown: it may be anything that can be made of the texts that were sent,
--- in a number of steps that grows with what is sent. A step is a place where parts of texts meet, and an end of such a part in
--- the middle of a word.

local chord  = require "policy.effect.chord"
local set_of = require("word_set").of

local M = {}

local MOST = 9000   -- bytes of text that are kept; with more than 8 kB of it, an unknown line may be anything
local PARTS = 100   -- of a line, likewise
local EARLIER = 32  -- lines that ended: as many as an unknown line is compared with, or half of them
local EARLIER_BYTES = 4000   -- likewise, where there are more than a few
local FEW = 6

-- Steps by which a line may become another one.
local INSERTED = 4   -- text within a word: two places where they meet, two halves of the word
local ADDED = 2      -- text at an end: one such place, one half
local DELETED = 3    -- one such place, two ends of words
local ANYTHING = 9   -- two characters that change their places
local BROUGHT = 5    -- a part of another earlier line

---@class policy.Line
---@field text string       what was typed last, in a row
---@field parts string[]    what was typed before that, apart from it
---@field open string[]     lines that may not have ended, and may have come back: the text may stand in them
---@field ended string[]    the last lines that ended
---@field done string[]     lines that ended by the input that comes now
---@field steps integer     0: nothing made the line unknown
---@field cut? boolean      something may have been deleted
---@field lost? boolean     it may be anything
---@field brought? boolean  earlier lines may have come back
---@field moved? integer    the steps that text costs if it is put where the cursor may be now; nil: it is at the end
---@field before? policy.Line  the line before Escape
---@field typed? string     what was typed since Escape
---@field judged? policy.LineState  of the line that ended now


---@return policy.Line
function M.new() return { text = "", parts = {}, open = {}, ended = {}, done = {}, steps = 0 } end


local function copy_of(list) return { table.unpack(list) } end

---@param line policy.Line
---@return policy.Line
function M.copy(line)
  return { text = line.text, parts = copy_of(line.parts), open = copy_of(line.open), ended = copy_of(line.ended), done = {},
    steps = line.steps, cut = line.cut, lost = line.lost, brought = line.brought, moved = line.moved, before = line.before,
    typed = line.typed }
end


local function keep(list, text)
  if text == "" then return end
  for _, each in ipairs(list) do
    if each == text then return end
  end
  list[#list + 1] = text
end


--- Keeps a line that ended, as the last one. With many, or long ones, the first are left out.
local function keep_ended(list, text)
  keep(list, text)
  local bytes = 0
  for _, each in ipairs(list) do bytes = bytes + #each end
  while #list > EARLIER or #list > FEW and bytes > EARLIER_BYTES do bytes = bytes - #table.remove(list, 1) end
end


local function is_empty(line) return line.text == "" and not line.parts[1] and line.steps == 0 and not line.lost end


--- True after Escape and (the beginning of) an order that ends an editor: in a shell, none of these keys edits.
local function is_leaving(line) return line.before ~= nil and (line.typed == "" or line.typed:find "^:[wq]*!?$" ~= nil) end


--- The steps by which the line may have been changed.
---@param line policy.Line
---@return integer
function M.steps(line) return is_leaving(line) and line.before.steps or line.steps end


--- The texts that the line may be made of: what was typed in it last, what before that, and lines that it may go on.
---@param line policy.Line
---@return string[]
---@return integer own  how many are of the line itself
local function texts_of(line)
  local list = { line.text, table.unpack(line.parts) }
  local own = #list
  return table.move(line.open, 1, #line.open, own + 1, list), own
end


---@class policy.LineState
---@field texts string[]
---@field own integer
---@field steps integer
---@field cut? boolean  something may have been deleted
---@field lost? boolean  there were more texts than these

---@param line policy.Line
---@return policy.LineState
function M.state(line)
  local texts, own = texts_of(line)
  return { texts = texts, own = own, steps = M.steps(line), cut = line.cut, lost = line.lost }
end


--- Earlier lines may be a part of this one from now on.
local function recall(line)
  for _, text in ipairs(line.ended) do keep(line.open, text) end
end


--- Something else than typing at the end: it may have changed the line in so many steps.
local function change(line, steps)
  line.steps, line.moved, line.cut = line.steps + steps, INSERTED, true
end


--- Does something that is not known: it may bring back an earlier line as well, and on an empty line nothing else.
local function change_anyhow(line, times)
  if not is_empty(line) then change(line, ANYTHING * times)
  elseif line.brought or times > 1 then change(line, BROUGHT * (line.brought and times or times - 1)) end
  line.moved, line.brought = line.moved or ADDED, true
  recall(line)
end


--- The cursor may be anywhere in the line: a click, a key.
---@param line policy.Line
function M.move(line) line.moved = INSERTED end


--- The line stays open elsewhere, though what comes next is perhaps not in it.
---@param line policy.Line
function M.leave(line) keep(line.open, line.text) end


--- Begins a line: another program may read what comes next.
---@param line policy.Line
function M.part(line)
  for _, text in ipairs { line.text, table.unpack(line.parts) } do keep(line.open, text) end
  line.text, line.parts, line.steps = "", {}, 0
  line.moved, line.before, line.typed = nil, nil, nil
end


local function insert(line, text)
  if text == "" then return end
  if line.typed then line.typed = line.typed .. text end
  if line.moved and not (is_empty(line) and not line.open[1]) then
    keep(line.parts, line.text)
    line.text, line.steps = "", line.steps + line.moved
    if #line.parts > PARTS then line.parts, line.lost = {}, true end
  end
  if text:find "[!^]" then recall(line) end   -- a shell puts an earlier line there
  line.moved, line.text = nil, (line.text .. text):sub(-MOST)
end


--- The line is what it was before Escape.
local function leave_editor(line)
  local before = line.before
  line.text, line.parts, line.open = before.text .. line.typed:sub(2), before.parts, before.open
  line.steps, line.cut, line.moved = before.steps, before.cut, before.moved
end


--- Ends the line. Where that is not sure, or what the line is, it may still be open. One that goes on in the next counts as one.
local function enter(line, sure)
  if is_leaving(line) and line.typed ~= "" then leave_editor(line) end
  local known = line.steps == 0 and not line.moved and sure
  if known and line.text:find "[\\|&][ \t]*$" then
    line.text = line.text:gsub("\\$", "") .. "\n"
    return
  end
  line.judged = line.judged or M.state(line)
  line.done[#line.done + 1] = line.text
  if known then line.open = {} end
  for _, text in ipairs { line.text, table.unpack(line.parts) } do
    keep_ended(line.ended, text)
    if not known then keep(line.open, text) end
  end
  -- A key that is not known may have opened a prompt, whose answer ended and may have moved the cursor in the line.
  line.moved = not known and (line.brought or line.before) and INSERTED or nil
  line.text, line.parts, line.steps = "", {}, 0
  line.cut, line.lost, line.brought, line.before, line.typed = nil, nil, nil, nil, nil
end


--- Adds text that is put there as it is: a line end in it may be none of the line. Characters that control something are keys,
--- which may do anything. A tab completes a word, or ends a field.
---@param line policy.Line
---@param text string
function M.paste(line, text)
  text = text:gsub("\r\n?", "\n"):gsub("\xC2[\x80-\x9F]", "\0"):gsub("\t", "")
  for part, control in text:gmatch "([^%z\1-\8\11-\31\127]*)([%z\1-\8\11-\31\127]?)" do
    insert(line, part)
    if control ~= "" then change_anyhow(line, 1) end
  end
end


--- Types text. Where some of it cannot be typed, all of it may be pasted.
---@param line policy.Line
---@param text string
function M.type(line, text)
  if text:find "[\x80-\xFF]" then return M.paste(line, text) end
  for part, ending in text:gsub("\r\n?", "\n"):gmatch "([^\n]*)(\n?)" do
    M.paste(line, part)
    if ending == "\n" then enter(line, true) end
  end
end


local NOTHING = set_of "tab shift ctrl+l print"
for i = 1, 24 do NOTHING["f" .. i] = true end   -- no shell takes them

local MOVES = set_of [[left right home end pageup pagedown ctrl+a ctrl+e ctrl+b ctrl+f alt+b alt+f ctrl+left ctrl+right alt+left
  alt+right]]
-- At the end of a line, fish and others put the rest of an earlier one there.
local ACCEPTS = set_of "right end ctrl+e ctrl+f alt+f alt+right ctrl+right"
local EARLIER_ONES = set_of "up down ctrl+p ctrl+n ctrl+r"
local DELETES = set_of "backspace delete ctrl+c ctrl+d ctrl+h ctrl+k ctrl+u ctrl+w alt+d alt+backspace ctrl+backspace ctrl+delete"
local EMPTIES = set_of "ctrl+c ctrl+u"
local CODES = set_of "ctrl+shift+u"   -- GTK, IBus and kitty: the digits that follow are the code of any character
local ENDS = set_of "enter ctrl+j ctrl+m ctrl+o"   -- the first one with any modifiers

local LAST = "[\0-\x7F\xC2-\xFD][\x80-\xBF]*$"   -- a character


--- True for keys that delete something, somewhere in the line.
---@param keys policy.Chord
---@return boolean
function M.deletes(keys) return DELETES[chord.name(keys)] == true or keys.keys[1] == "backspace" or keys.keys[1] == "delete" end


--- Deletes something: the end of a line that is known, or one does not know what.
local function delete(line, name, count, held)
  local known = line.steps == 0 and not line.moved
  if known and name == "backspace" and not held and line.text ~= "" then
    for _ = 1, count do line.text = line.text:gsub(LAST, "") end
  elseif known and EMPTIES[name] then
    M.leave(line)   -- it may have ended something else
    keep_ended(line.ended, line.text)
    line.text = ""
  elseif not is_empty(line) or line.open[1] then
    change(line, DELETED)
  end
end


local function escape(line)
  local before = line.before and is_leaving(line) and line.before or M.copy(line)
  if is_empty(line) then line.moved = line.moved or ADDED else change(line, INSERTED) end
  recall(line)
  line.before, line.typed = before, ""
end


--- The text that keys type: with Super as well, which many applications ignore.
local function text_of(keys)
  local held = keys.modifiers
  if not held.meta or held.ctrl or held.alt then return chord.text(keys) end
  return chord.text { modifiers = { shift = held.shift }, keys = keys.keys }
end


--- Moves the cursor. At the end of a line the key may add to it.
local function move(line, name)
  local brings = ACCEPTS[name] and not is_empty(line) and line.ended[1] ~= nil
  if brings then recall(line) end
  if line.steps > 0 or name ~= "end" and name ~= "ctrl+e" then M.move(line)
  elseif brings then line.moved = line.moved or ADDED end
end


--- Presses keys, so many times; those that are held down, any number of times.
---@param line policy.Line
---@param keys policy.Chord
---@param count integer
---@param held boolean
function M.press(line, keys, count, held)
  local name, text = chord.name(keys), text_of(keys)
  if #keys.keys == 0 or NOTHING[name] then return end
  if keys.keys[1] == "enter" or ENDS[name] then
    for _ = 1, count do enter(line, name == "enter") end
    return
  end
  if text ~= "" then insert(line, text:rep(count)) end
  if text ~= "" and not held then
    if keys.modifiers.meta then line.steps = line.steps + DELETED end   -- a window manager may have taken it
    return
  end
  if name == "escape" then return escape(line) end
  line.before = nil
  if CODES[name] then line.lost = true end
  if EARLIER_ONES[name] then
    M.leave(line)
    recall(line)
    line.moved = line.moved or is_empty(line) and ADDED or INSERTED
  elseif DELETES[name] then delete(line, name, count, held)
  elseif not MOVES[name] then change_anyhow(line, held and MOST or count)
  else move(line, name) end
end


return M
