--- Keys and buttons by their names, as sys.input and sys.events.input() have them, from what a system reports of them.
-- X: "The X Protocol", Event Formats, and the names of keysymdef.h. macOS: CGEventType and kVK_* of Events.h.

local M = {}

local KEYS = [[return tab escape backspace delete insert left right up down home end pageup pagedown menu print pause capslock
  numlock scrolllock help]]

-- Names of X's keys, in lower case and without underscores, that are not the same.
local X_KEYS = { prior = "pageup", next = "pagedown", kpenter = "kp_enter", xf86audioraisevolume = "volumeup",
  xf86audiolowervolume = "volumedown", xf86audiomute = "mute", xf86audioplay = "playpause", xf86audionext = "nexttrack",
  xf86audioprev = "previoustrack", xf86audiostop = "stop", xf86monbrightnessup = "brightnessup",
  xf86monbrightnessdown = "brightnessdown" }
for name in KEYS:gmatch "%S+" do X_KEYS[name] = name end

local X_MODIFIERS = { Shift = "shift", Control = "ctrl", Alt = "alt", Super = "meta", Meta = "meta" }
local X_BITS = { ctrl = 4, alt = 8, shift = 1, meta = 64 }
local X_BUTTONS = { "left", "middle", "right", "wheel_up", "wheel_down", "wheel_left", "wheel_right", "back", "forward" }
local X_KEY_UP, X_BUTTON_UP = 3, 5   -- types of events: 2 and 4 are the presses

local MAC_KEYS = { [36] = "return", [48] = "tab", [51] = "backspace", [53] = "escape", [57] = "capslock", [71] = "numlock",
  [76] = "kp_enter", [114] = "help", [115] = "home", [116] = "pageup", [117] = "delete", [119] = "end", [121] = "pagedown",
  [123] = "left", [124] = "right", [125] = "down", [126] = "up" }
for number, code in ipairs { 122, 120, 99, 118, 96, 97, 98, 100, 101, 109, 103, 111, 105, 107, 113, 106, 64, 79, 80, 90 } do
  MAC_KEYS[code] = "f" .. number
end
local MAC_MODIFIERS = { [54] = "meta", [55] = "meta", [56] = "shift", [60] = "shift", [58] = "alt", [61] = "alt", [59] = "ctrl",
  [62] = "ctrl" }
local MAC_BITS = { shift = 0x20000, ctrl = 0x40000, alt = 0x80000, meta = 0x100000 }
local MAC_BUTTONS = { [0] = "left", "right", "middle", "back", "forward" }
local MAC_KEY, MAC_KEY_UP, MAC_CHANGED, MAC_WHEEL = 10, 11, 12, 22
local MAC_UP = { [2] = true, [4] = true, [MAC_KEY_UP] = true, [26] = true }
local MAC_PRIVATE = 0xF700   -- characters from here to 0xF8FF are arrows and the like

local ORDER = { "ctrl", "alt", "shift", "meta" }   -- as chord.c writes them


local function held_of(state, bits)
  local held = {}
  for name, bit in pairs(bits) do held[name] = state & bit ~= 0 or nil end
  return held
end


--- "ctrl+shift+t"
local function chord(held, key)
  local parts = {}
  for _, name in ipairs(ORDER) do parts[#parts + 1] = held[name] and name or nil end
  parts[#parts + 1] = key
  return table.concat(parts, "+")
end


local function is_character(point) return point > 32 and point ~= 127 and (point < MAC_PRIVATE or point > 0xF8FF) end

--- The name of a key without modifiers; nil: it has none.
local function key_name(point, other)
  if point == 32 then return "space" end
  return other or is_character(point) and utf8.char(point) or nil
end


--- A key, with what it types unless a modifier of shortcuts is held.
local function key(event, held, modifier, name, typed, shortcut)
  if modifier then held[modifier] = true end
  event.key = chord(held, name)
  if not modifier and not name then event.key = "" end
  if not shortcut and (typed == 32 or is_character(typed)) then event.text = utf8.char(typed) end
  return event
end


local function x11(raw, event)
  local held = held_of(raw.state, X_BITS)
  event.what = (raw.type == X_KEY_UP or raw.type == X_BUTTON_UP) and "released" or "pressed"
  if raw.type > X_KEY_UP then
    event.button, event.held = X_BUTTONS[raw.code] or "", chord(held)
    return event
  end
  local modifier = X_MODIFIERS[raw.symbol:match "^(%a+)_[LR]$"]
  local plain = raw.symbol:lower():gsub("_", "")
  local name = X_KEYS[plain] or X_KEYS[plain:gsub("^kp", "")] or plain:match "^f%d%d?$"
  return key(event, held, modifier, key_name(raw.plain, name), raw.typed, held.ctrl or held.alt or held.meta)
end


local function macos(raw, event)
  local held = held_of(raw.state, MAC_BITS)
  event.what = MAC_UP[raw.type] and "released" or "pressed"
  if raw.type == MAC_WHEEL then
    event.button, event.held = raw.code > 0 and "wheel_up" or "wheel_down", chord(held)
    return raw.code ~= 0 and event or nil
  end
  if raw.type < MAC_KEY or raw.type > MAC_CHANGED then
    event.button, event.held = MAC_BUTTONS[raw.code] or "", chord(held)
    return event
  end
  local modifier = raw.type == MAC_CHANGED and MAC_MODIFIERS[raw.code] or nil
  if modifier and not held[modifier] then event.what = "released" end   -- its state is the one after it
  return key(event, held, modifier, key_name(raw.plain, MAC_KEYS[raw.code]), raw.typed, held.ctrl or held.meta)
end


--- The event of sys.events.input(), and for a notch of a Mac's wheel the one after it; nil: there is none.
---@param raw sys.events.Event  of sys.events.presses()
---@return sys.events.Event? event
---@return sys.events.Event? next
function M.named(raw)
  if raw.about ~= "input" then return raw end
  local event = { about = raw.about, at = raw.at, x = raw.x, y = raw.y }
  if raw.what == "rests" then
    event.what = raw.what
    return event
  end
  if raw.symbol ~= "" then return x11(raw, event) end
  event = macos(raw, event)
  if not event or raw.type ~= MAC_WHEEL then return event end
  local after = {}
  for name, value in pairs(event) do after[name] = value end
  after.what = "released"
  return event, after
end


return M
