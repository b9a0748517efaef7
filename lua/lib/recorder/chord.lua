--- The meaning of pressed keys: a character, moving or editing in a field, or a command.

local words = require "elements.read.words"

local M = {}

local MODIFIERS = words.set "shift ctrl alt meta cmd option fn altgr super hyper capslock numlock"
local COMMANDS = words.set "ctrl alt meta cmd"   -- modifiers that make a command of a character

-- Keys of a field, by their names without shift and ctrl.
local MOVES = words.set "left right up down home end pageup pagedown"
local EDITS = words.set "backspace delete"

-- Chords of a field that change its text, or what is selected in it: the text that is read afterwards covers them.
local EDITING = words.set "ctrl+x ctrl+v ctrl+z ctrl+y ctrl+shift+z shift+insert shift+delete"
local SELECTING = words.set "ctrl+a"


--- The name of the key, without its modifiers: "s" of "ctrl+shift+s".
local function last_of(chord) return chord:match "[^+]+$" or chord:match "%+$" or chord end


--- True if only modifiers are held, or the key has no name.
---@param chord string
---@return boolean
function M.is_modifier(chord) return chord == "" or MODIFIERS[last_of(chord)] ~= nil end


local function has(chord, modifiers)
  for part in chord:gmatch "([^+]+)%+" do
    if modifiers[part] then return true end
  end
  return false
end


---@alias recorder.Meaning
---| "modifier"  nothing yet
---| "text"      a character
---| "edit"      changes the text of a field
---| "move"      moves the caret of a field, or selects
---| "line"      Return
---| "focus"     Tab: gives the keyboard to another field
---| "command"   anything else: a shortcut, Escape, a function key

---@param event {key: string, text?: string}
---@return recorder.Meaning
function M.meaning(event)
  local chord = event.key
  local last = last_of(chord)
  if EDITING[chord] then return "edit" end
  if SELECTING[chord] then return "move" end
  if last == "return" or last == "enter" or last == "kp_enter" then
    return has(chord, COMMANDS) and "command" or "line"
  end
  if last == "tab" and not has(chord, COMMANDS) then return "focus" end
  local plain = not has(chord, words.set "alt meta cmd")
  if plain and EDITS[last] then return "edit" end
  if plain and MOVES[last] then return "move" end
  if event.text and not has(chord, COMMANDS) then return "text" end
  return M.is_modifier(chord) and "modifier" or "command"
end


return M
