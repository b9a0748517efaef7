--- The hotkeys of this engine's services that keys and text press: the function of a hotkey then runs as if the user had pressed
--- it.

local chord  = require "policy.effect.chord"
local events = require "sys.events"
local typed  = require "policy.effect.typed"

local M = {}

local PASTES = { "ctrl+v", "ctrl+shift+v", "shift+insert" }   -- keys that a paste may press


--- The names of keys that may be meant. With others, a capital letter is the key of the letter, or the one with Shift.
local function names_of(keys)
  local names, small = { [chord.name(keys)] = true }, {}
  for i, key in ipairs(keys.keys) do small[i] = key:lower() end
  names[chord.name { modifiers = keys.modifiers, keys = small }] = true
  return names
end


local function same_modifiers(one, two)
  for _, modifier in ipairs { "ctrl", "alt", "meta", "fn" } do
    if one[modifier] ~= two[modifier] then return false end
  end
  return true
end


--- True if typing the text presses these keys.
local function are_typed(keys, text)
  if not same_modifiers(keys.modifiers, typed.modifiers()) then return false end
  local char = chord.text { modifiers = { shift = keys.modifiers.shift }, keys = keys.keys }
  return char ~= "" and text:gsub("\r", "\n"):find(char, 1, true) ~= nil
end


--- True for a letter of another layout of the keyboard: which key that is, nobody knows.
local function is_elsewhere(pressed, keys)
  local key, held = pressed.keys[1], pressed.modifiers
  return key ~= nil and key:byte() > 127 and chord.is_shortcut(held) and same_modifiers(held, keys.modifiers)
end


---@param pressed policy.Chord
---@param keys policy.Chord  those of a hotkey
local function is_pressed(pressed, keys)
  return names_of(pressed)[chord.name(keys)] or is_elsewhere(pressed, keys)
end


--- The chords that an action presses.
local function pressed_by(spec)
  local list = {}
  if spec.chord then list[1] = typed.chord(spec.chord) end
  if spec.chord and #list[1].keys == 0 then   -- the key that is down repeats, with these
    list[1].keys = chord.read(typed.key_down() or "").keys
  end
  for i, keys in ipairs(spec.kind == "paste" and PASTES or {}) do list[i] = typed.chord(keys) end
  return list
end


--- The service that has bound keys which it presses: "service tiling"; false: none has.
---@param effect policy.Effect
---@return string|false
function M.of(effect)
  local spec, bound = effect:fact "spec", events.bound()
  if not bound[1] or spec.kind == "key_up" or not (spec.chord or spec.text) then return false end
  local pressed = pressed_by(spec)
  for _, each in ipairs(bound) do
    local keys = chord.read(each.keys)
    for _, one in ipairs(pressed) do
      if is_pressed(one, keys) then return each.owner end
    end
    if spec.text and spec.kind ~= "paste" and are_typed(keys, spec.text) then return each.owner end
  end
  return false
end


return M
