--- A line as an application has it while it is typed: what keys make of it in shells and most text fields.

local chord = require "policy.effect.chord"

local M = {}

local MOST = 2000     -- bytes of a line that are kept
local UNDONE = 64     -- changes that can be undone

local PARKED = 6      -- lines that may still be open elsewhere, and lines of the history

---@class policy.Line
---@field left string      before the cursor
---@field right string     behind it
---@field cut string       what was cut last
---@field past string[]    earlier states, for undo: left and right in turns
---@field done string[]    lines that ended since the copy was made
---@field parked string[]  as the line was before keys that may have led elsewhere: to another tab, to the end of a search
---@field ended string[]   lines that ended, for keys that bring them back
---@field cutting? boolean the last key cut something
---@field escape? boolean  Escape was pressed: the next key is one with Alt
---@field swallow? boolean  the next key does not become part of the line


---@return policy.Line
function M.new() return { left = "", right = "", cut = "", past = {}, done = {}, parked = {}, ended = {} } end


local function copy_of(list) return { table.unpack(list) } end

---@param line policy.Line
---@return policy.Line
function M.copy(line)
  return { left = line.left, right = line.right, cut = line.cut, past = copy_of(line.past), done = {},
    parked = copy_of(line.parked), ended = copy_of(line.ended), cutting = line.cutting, escape = line.escape,
    swallow = line.swallow }
end


---@param line policy.Line
---@return string
function M.text(line) return line.left .. line.right end


local LAST, FIRST = "[\0-\x7F\xC2-\xFD][\x80-\xBF]*$", "^[\0-\x7F\xC2-\xFD][\x80-\xBF]*"   -- a character

--- The place where a part of the left side begins, or one of the right side ends.
local function begins(text, pattern) return text:find(pattern) or #text + 1 end
local function ends(text, pattern) return select(2, text:find(pattern)) or 0 end


local function word_begins(text) return begins(text, "[%w\x80-\xFF]+[^%w\x80-\xFF]*$") end
local function word_ends(text) return ends(text, "^[^%w\x80-\xFF]*[%w\x80-\xFF]+") end


local function to_left(line, place)
  line.left, line.right = line.left:sub(1, place - 1), line.left:sub(place) .. line.right
end

local function to_right(line, place)
  line.left, line.right = line.left .. line.right:sub(1, place), line.right:sub(place + 1)
end

--- Cuts all behind a place of the left side, or all up to one of the right side. Cuts in a row are one.
local function cut_left(line, place)
  line.left, line.cut = line.left:sub(1, place - 1), line.left:sub(place) .. (line.cutting and line.cut or "")
end

local function cut_right(line, place)
  line.right, line.cut = line.right:sub(place + 1), (line.cutting and line.cut or "") .. line.right:sub(1, place)
end


local function keep(list, text)
  if text == "" or list[#list] == text then return end
  list[#list + 1] = text
  if #list > PARKED then table.remove(list, 1) end
end


--- Keeps the line as it is now: what comes next may be of it, though it does not look so.
---@param line policy.Line
function M.park(line) keep(line.parked, M.text(line)) end


local function insert(line, text)
  local left = line.left .. text
  if #left > MOST then
    M.park(line)   -- what is inserted may be deleted again
    left = left:sub(-MOST)
  end
  line.left = left
end


--- Ends the line. One that goes on in the next counts as one.
local function enter(line)
  local all = (M.text(line) .. "\n"):gsub("\\\n$", "")
  local rest = all:match "^.*[^|&%s][ \t]*\n(.*)$" or all
  if rest == "" then
    line.done[#line.done + 1] = M.text(line)
    keep(line.ended, M.text(line))
  end
  line.left, line.right, line.past = rest, "", {}
end


local function swap(line)
  local before = begins(line.left, LAST)
  if line.right == "" then to_left(line, before) end
  local one, two = begins(line.left, LAST), ends(line.right, FIRST)
  if one > #line.left or two == 0 then return to_right(line, #line.right) end
  line.left, line.right = line.left:sub(1, one - 1) .. line.right:sub(1, two) .. line.left:sub(one), line.right:sub(two + 1)
end


local function undo(line)
  local past = line.past
  if #past < 2 then return end
  line.right, line.left = table.remove(past), table.remove(past)
end


local MOVES = {
  left = function(line) to_left(line, begins(line.left, LAST)) end,
  right = function(line) to_right(line, ends(line.right, FIRST)) end,
  home = function(line) to_left(line, 1) end,
  ["end"] = function(line) to_right(line, #line.right) end,
  ["ctrl+left"] = function(line) to_left(line, word_begins(line.left)) end,
  ["ctrl+right"] = function(line) to_right(line, word_ends(line.right)) end,
}

local CHANGES = {
  backspace = function(line) line.left = line.left:sub(1, begins(line.left, LAST) - 1) end,
  delete = function(line) line.right = line.right:sub(ends(line.right, FIRST) + 1) end,
  enter = enter,
  ["ctrl+c"] = function(line) line.left, line.right = "", "" end,
  ["ctrl+k"] = function(line) cut_right(line, #line.right) end,
  ["ctrl+u"] = function(line) cut_left(line, 1) end,
  ["ctrl+w"] = function(line) cut_left(line, begins(line.left, "%S+%s*$")) end,
  ["ctrl+backspace"] = function(line) cut_left(line, word_begins(line.left)) end,
  ["ctrl+delete"] = function(line) cut_right(line, word_ends(line.right)) end,
  ["ctrl+y"] = function(line) insert(line, line.cut) end,
  ["ctrl+t"] = swap,
}

-- Other keys that do the same: those of Readline.
for name, same in pairs { ["ctrl+b"] = "left", ["ctrl+f"] = "right", ["ctrl+a"] = "home", ["ctrl+e"] = "end",
  ["alt+b"] = "ctrl+left", ["alt+f"] = "ctrl+right", ["alt+left"] = "ctrl+left", ["alt+right"] = "ctrl+right" } do
  MOVES[name] = MOVES[same]
end
for name, same in pairs { ["ctrl+h"] = "backspace", ["shift+backspace"] = "backspace", ["ctrl+d"] = "delete",
  ["ctrl+j"] = "enter", ["ctrl+m"] = "enter", ["shift+enter"] = "enter", ["alt+d"] = "ctrl+delete",
  ["alt+backspace"] = "ctrl+backspace", ["ctrl+alt+h"] = "ctrl+backspace", ["ctrl+alt+d"] = "ctrl+delete" } do
  CHANGES[name] = CHANGES[same]
end

local UNDO = { ["ctrl+z"] = true, ["ctrl+/"] = true, ["ctrl+slash"] = true, ["ctrl+_"] = true, ["ctrl+shift+-"] = true,
  ["ctrl+shift+minus"] = true, ["ctrl+shift+_"] = true }


-- Keys that may end or undo something else than the line, those that bring earlier lines back, and those before a key of no text.
local PARKS = { ["ctrl+c"] = true, ["ctrl+u"] = true, ["ctrl+z"] = true }
local RECALLS = { up = true, ["ctrl+p"] = true, ["ctrl+r"] = true, ["ctrl+s"] = true, ["ctrl+o"] = true, ["alt+."] = true,
  ["alt+_"] = true, ["alt+p"] = true, ["alt+<"] = true, ["ctrl+alt+y"] = true, ["alt+period"] = true }
local SWALLOWS = { ["ctrl+]"] = true, ["ctrl+bracketright"] = true, ["ctrl+alt+]"] = true }

-- Keys that change nothing.
local SILENT = { escape = true, shift = true, ["ctrl+l"] = true }


--- Earlier lines may be part of this one from now on.
---@param line policy.Line
function M.recall(line)
  for _, text in ipairs(line.ended) do keep(line.parked, text) end
end


local function remember(line)
  local past = line.past
  past[#past + 1], past[#past + 2] = line.left, line.right
  if #past > 2 * UNDONE then table.move(past, 3, #past + 2, 1) end
end


--- Types text. A tab completes a word, or ends a field.
---@param line policy.Line
---@param text string
function M.type(line, text)
  remember(line)
  line.escape, line.swallow, line.cutting = nil, nil, nil
  if text:find "[!^]" then M.recall(line) end
  for part, ending in text:gsub("\r\n?", "\n"):gmatch "([^\n]*)(\n?)" do
    insert(line, (part:gsub("\t", "")))
    if ending == "\n" then enter(line) end
  end
end


--- Presses keys.
---@param line policy.Line
---@param keys policy.Chord
---@param count integer
function M.press(line, keys, count)
  local name, text = chord.name(keys), chord.text(keys)
  if line.swallow then
    line.swallow = nil
    return
  end
  if line.escape and not keys.modifiers.alt then name, text = "alt+" .. name, "" end
  line.escape, line.swallow = name == "escape" or nil, SWALLOWS[name]
  if not CHANGES[name] then line.cutting = nil end
  if RECALLS[name] then M.recall(line) end
  if PARKS[name] or not (MOVES[name] or CHANGES[name] or UNDO[name] or text ~= "" or SILENT[name]) then M.park(line) end
  for _ = 1, count do
    if MOVES[name] then MOVES[name](line)
    elseif UNDO[name] then undo(line)
    elseif CHANGES[name] then
      remember(line)
      local cut = line.cut
      CHANGES[name](line)
      line.cutting = line.cut ~= cut and name ~= "ctrl+y" or nil
    elseif text ~= "" and name ~= "tab" then
      local swallow = line.swallow
      M.type(line, text)
      line.swallow = swallow
    end
  end
end


return M
