--- Keys by their names, read as the binding reads them (src/platform/chord.c): in any case and order, with underscores anywhere.

local M = {}

local MODIFIERS = { ctrl = "ctrl", control = "ctrl", cmd = "ctrl", command = "ctrl", cmdorctrl = "ctrl",
  commandorcontrol = "ctrl", shift = "shift", alt = "alt", option = "alt", opt = "alt", meta = "meta", super = "meta",
  win = "meta", windows = "meta", fn = "fn", ["function"] = "fn" }

local SAME = { ins = "insert", ["return"] = "enter", kpenter = "enter", kpinsert = "insert", del = "delete", esc = "escape",
  forwarddelete = "delete", arrowleft = "left", arrowright = "right", arrowup = "up", arrowdown = "down", pgup = "pageup",
  prior = "pageup", pgdn = "pagedown", next = "pagedown", printscreen = "print", play = "playpause", soundup = "volumeup",
  sounddown = "volumedown", volumemute = "mute", prevtrack = "previoustrack", mediaplaypause = "playpause",
  mediatracknext = "nexttrack", mediatrackprevious = "previoustrack", mediastop = "stop", audiovolumeup = "volumeup",
  audiovolumedown = "volumedown", audiovolumemute = "mute", xf86audioplay = "playpause", xf86audionext = "nexttrack",
  xf86audioprev = "previoustrack", xf86audiostop = "stop", xf86audioraisevolume = "volumeup", xf86audiolowervolume = "volumedown",
  xf86audiomute = "mute", xf86monbrightnessup = "brightnessup", xf86monbrightnessdown = "brightnessdown" }

-- Keys of characters, and those that shift makes of them on the keyboard of the United States.
local SIGNS = { space = " ", enter = "\n", tab = "\t", plus = "+", minus = "-", comma = ",", period = ".", dot = ".", slash = "/",
  backslash = "\\", semicolon = ";", quote = "'", grave = "`", backtick = "`", equal = "=", equals = "=", bracketleft = "[",
  bracketright = "]" }
local PLAIN, SHIFTED = "1234567890-=[]\\;',./`", "!@#$%^&*()_+{}|:\"<>?~"

-- Keys of any name that paste.
local PASTE = { insert = true, paste = true, xf86paste = true }

---@class policy.Chord
---@field modifiers table<string, true>  "ctrl", "shift", "alt", "meta", "fn"
---@field keys string[]                  the others, by one name each; a character as it is


---@param text string
---@return policy.Chord
function M.read(text)
  local chord = { modifiers = {}, keys = {} }
  if text == "+" or text:find "%+%+$" then
    chord.keys[1], text = "+", text:sub(1, -2)
  end
  for word in text:gmatch "[^+%s]+" do
    local name = word:lower():gsub("_", "")
    local modifier = MODIFIERS[name]
    if modifier then chord.modifiers[modifier] = true
    elseif #word == 1 or utf8.len(word) == 1 then chord.keys[#chord.keys + 1] = word
    else chord.keys[#chord.keys + 1] = SAME[name] or name end
  end
  return chord
end


local ORDER = { "ctrl", "alt", "shift", "meta", "fn" }

--- One spelling of keys: "ctrl+shift+s". Of a pattern, the parts without an asterisk have theirs.
---@param text string
---@return string
function M.spelling(text)
  if not text:find("*", 1, true) then return M.name(M.read(text)) end
  local chord = M.read((text:gsub("(%a+)%*", function(word) return (MODIFIERS[word:lower()] or word) .. "*" end)))
  for i, key in ipairs(chord.keys) do chord.keys[i] = key:find "^%u$" and key:lower() or key end
  return M.name(chord)
end


--- With modifiers, a letter is its key, whatever its case: "Ctrl+W" presses ctrl+w.
---@param chord policy.Chord
---@return string
function M.name(chord)
  local list, keys, shifted = {}, {}, false
  for i, key in ipairs(chord.keys) do
    local sign = SIGNS[key] or key
    local at = #sign == 1 and sign ~= "*" and SHIFTED:find(sign, 1, true)
    if at then sign, shifted = PLAIN:sub(at, at), true end
    if key:find "^%u$" and next(chord.modifiers) == nil then shifted = true end
    keys[i] = (sign:find "^%s$" and key or sign):lower()
  end
  for _, modifier in ipairs(ORDER) do
    if chord.modifiers[modifier] or modifier == "shift" and shifted then list[#list + 1] = modifier end
  end
  table.move(keys, 1, #keys, #list + 1, list)
  return table.concat(list, "+")
end


--- True if keys make shortcuts of letters while they are down.
---@param modifiers table<string, true>
function M.is_shortcut(modifiers) return modifiers.ctrl or modifiers.alt or modifiers.meta or false end


--- The text that it types.
---@param chord policy.Chord
---@return string
function M.text(chord)
  local key = chord.keys[1]
  if #chord.keys ~= 1 or M.is_shortcut(chord.modifiers) then return "" end
  local char = SIGNS[key] or utf8.len(key) == 1 and key or ""
  if not chord.modifiers.shift then return char end
  local at = #char == 1 and PLAIN:find(char, 1, true)
  return at and SHIFTED:sub(at, at) or char:upper()
end


--- True for keys that paste: V with any modifier, Insert, and those that are called so.
---@param chord policy.Chord
function M.pastes(chord)
  if M.name(chord) == "ctrl+insert" then return false end   -- it copies
  for _, key in ipairs(chord.keys) do
    if PASTE[key] or key:lower() == "v" and next(chord.modifiers) then return true end
    -- With several layouts of the keyboard, programs take the key of a shortcut by its place: it may be that of V.
    if key:byte() > 127 and M.is_shortcut(chord.modifiers) then return true end
  end
  return false
end


--- True for keys that paste nothing else than the clipboard.
---@param chord policy.Chord
function M.is_of_clipboard(chord) return #chord.keys == 1 and chord.keys[1]:lower() == "v" end


-- Keys with Alt that window managers take, and keys by which they only move or choose windows.
local WITH_ALT = { tab = true, escape = true, [" "] = true, space = true, grave = true, backtick = true, ["`"] = true }
local CHOOSING = { tab = true, escape = true, left = true, right = true, up = true, down = true, home = true, ["end"] = true,
  pageup = true, pagedown = true, grave = true, ["`"] = true, delete = true }
-- Keys of the desktop, whatever has the focus.
local DESKTOP = { print = true, printscreen = true, volumeup = true, volumedown = true, mute = true, playpause = true,
  nexttrack = true, previoustrack = true, stop = true, brightnessup = true, brightnessdown = true }

--- True for keys that window managers take before any window gets them, as a rule: all with Super, Ctrl+Alt, Alt with Tab or a
--- function key. They start programs, and move, choose and close windows.
---@param chord policy.Chord
---@return boolean
function M.is_of_manager(chord)
  local held, key = chord.modifiers, chord.keys[1] or ""
  if held.meta or held.ctrl and held.alt then return true end
  if held.alt then return WITH_ALT[key] == true or key:find "^f%d+$" ~= nil end
  return DESKTOP[key] == true or key:find "^xf86" ~= nil or held.ctrl == true and key == "escape"
end


--- True for such keys after which a window manager may read what is typed: a command, the name of a program.
---@param chord policy.Chord
---@return boolean
function M.opens_prompt(chord)
  local key = chord.keys[1]
  if not key then return chord.modifiers.meta == true end   -- Super alone opens a menu; others are held for a key to come
  if not M.is_of_manager(chord) or CHOOSING[key] or key:find "^%d$" then return false end
  return chord.modifiers.meta == true or chord.modifiers.alt == true and key ~= "space" and key ~= " "
end


--- True for keys that open a menu: Alt with the letter that is underlined in its name.
---@param chord policy.Chord
function M.opens_menu(chord)
  local key = chord.keys[1]
  if key == "f10" or key == "menu" then return true end
  return chord.modifiers.alt and key ~= nil and utf8.len(key) == 1 and key:find "[%a\x80-\xFF]" ~= nil or false
end


return M
