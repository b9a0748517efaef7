--- Input that was sent to applications lately, as far as it makes a difference to what is sent next: text that came in pieces,
--- keys and buttons that are still down, menus that keys opened.

local chord = require "policy.effect.chord"
local state = require "sys.state"
local time  = require "sys.time"

local M = {}

local MOST = 2000     -- bytes of a line that are kept
local APPS = 32
local OPENING = 10    -- seconds in which a menu that keys opened may come up

local function mine()
  local all = state.open "policy"
  all.sent = all.sent or { lines = {}, order = {}, keys = {} }
  return all.sent
end


--- A chord together with the keys that are held down.
---@param text string
---@return policy.Chord
function M.chord(text)
  local read = chord.read(text)
  for modifier in pairs(mine().keys) do read.modifiers[modifier] = true end
  return read
end


local function key_of(effect)
  local list = effect:fact "apps"
  return list and list[1] and (list[1].pid or list[1][1]) or false
end


--- The text of an effect as it arrives.
function M.piece(effect)
  local spec = effect:fact "spec"
  if spec.text then return spec.text end
  return spec.chord and chord.text(M.chord(spec.chord)) or false
end


--- The line of the application before it. false: nothing that this engine has sent.
---@return string|false
function M.before(effect)
  local sent = mine()
  if next(sent.lines) == nil or not M.piece(effect) then return false end
  return sent.lines[key_of(effect)] or false
end


--- The line that text makes of another: a line that goes on in the next one counts as one.
local function line_of(text)
  local count
  repeat text, count = text:gsub("[^\b]\b", "", 1) until count == 0
  text = text:gsub("\\\n", "")
  local last = text:match "^.*[^|&%s][ \t]*\n(.*)$" or text
  return #last > MOST and last:sub(-MOST) or last
end


--- True while keys are held down that make shortcuts of letters.
function M.holds_keys() return chord.is_shortcut(mine().keys) end


--- The window in which the button was pressed that is still down.
function M.button() return mine().button end


--- True if keys or a button may have opened a menu there a moment ago.
function M.opens_menu(effect)
  local menu = mine().menu
  return menu ~= nil and menu.app == key_of(effect) and time.monotonic() - menu.at < OPENING
end


local function note_text(sent, effect, text)
  local key = key_of(effect)
  if not key then return end
  if not sent.lines[key] then
    sent.order[#sent.order + 1] = key
    if #sent.order > APPS then sent.lines[table.remove(sent.order, 1)] = nil end
  end
  sent.lines[key] = line_of((sent.lines[key] or "") .. text)
end


--- Remembers an effect that is about to happen.
---@param effect policy.Effect
---@param approved boolean  the user allowed it: it does not count against what comes next
function M.note(effect, approved)
  local sent, spec = mine(), effect:fact "spec"
  local text = M.piece(effect)
  if text and text ~= "" then note_text(sent, effect, text) end
  if approved then
    local key = key_of(effect)
    if key then sent.lines[key] = "" end
  end
  if spec.chord and (spec.kind == "key_down" or spec.kind == "key_up") then
    for modifier in pairs(chord.read(spec.chord).modifiers) do sent.keys[modifier] = spec.kind == "key_down" or nil end
  end
  local pressed = spec.kind == "click" or spec.kind == "press"
  if spec.kind == "press" then sent.button = effect:fact "window" or true
  elseif spec.kind == "release" or spec.kind == "click" or spec.kind == "drag" then sent.button = nil end
  if spec.chord and chord.opens_menu(M.chord(spec.chord)) or pressed and spec.button == "right" then
    sent.menu = { app = key_of(effect), at = time.monotonic() }
  elseif spec.kind == "click" then sent.menu = nil end
end


return M
