--- A line as an application has it while it is typed: what keys make of it in shells and most text fields.

local chord = require "policy.effect.chord"

local M = {}

local MOST = 2000     -- bytes of a line that are kept
local UNDONE = 64     -- changes that can be undone

---@class policy.Line
---@field left string    before the cursor
---@field right string   behind it
---@field cut string     what was cut last
---@field past string[]  earlier states, for undo: left and right in turns


---@return policy.Line
function M.new() return { left = "", right = "", cut = "", past = {} } end


---@param line policy.Line
---@return policy.Line
function M.copy(line) return { left = line.left, right = line.right, cut = line.cut, past = { table.unpack(line.past) } } end


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

--- Cuts all behind a place of the left side, or all up to one of the right side.
local function cut_left(line, place) line.left, line.cut = line.left:sub(1, place - 1), line.left:sub(place) end
local function cut_right(line, place) line.right, line.cut = line.right:sub(place + 1), line.right:sub(1, place) end


local function insert(line, text)
  local left = line.left .. text
  line.left = #left > MOST and left:sub(-MOST) or left
end


--- Ends the line. One that goes on in the next counts as one.
local function enter(line)
  local all = (M.text(line) .. "\n"):gsub("\\\n$", "")
  line.left, line.right, line.past = all:match "^.*[^|&%s][ \t]*\n(.*)$" or all, "", {}
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
  ["alt+backspace"] = "ctrl+backspace", ["ctrl+alt+h"] = "ctrl+backspace", ["ctrl+g"] = "ctrl+c" } do
  CHANGES[name] = CHANGES[same]
end

local UNDO = { ["ctrl+z"] = true, ["ctrl+/"] = true, ["ctrl+slash"] = true, ["ctrl+_"] = true, ["ctrl+shift+-"] = true,
  ["ctrl+shift+minus"] = true, ["ctrl+shift+_"] = true }


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
  local name = chord.name(keys)
  local change, text = CHANGES[name], chord.text(keys)
  for _ = 1, count do
    if MOVES[name] then MOVES[name](line)
    elseif UNDO[name] then undo(line)
    elseif change then
      remember(line)
      change(line)
    elseif text ~= "" then M.type(line, text) end
  end
end


return M
