--- Values in rules that nothing can ever have: the name of a key that no keyboard has, a host with a port. A rule with one would
--- never fit, and its author would not notice.

local M = {}

local function list_of(text)
  local list = {}
  for word in text:gmatch "%S+" do list[#list + 1] = word end
  return list
end

local function set_of(list)
  local set = {}
  for _, word in ipairs(list) do set[word] = true end
  return set
end


-- As src/platform/chord.c has them.
local MODIFIER_NAMES = list_of [[ctrl alt shift meta fn control option opt super win windows cmd command cmdorctrl
  commandorcontrol function]]
local MODIFIERS = set_of(MODIFIER_NAMES)
local KEY_NAMES = list_of [[
  return enter tab escape esc backspace delete del forwarddelete insert ins left right up down
  arrowleft arrowright arrowup arrowdown home end pageup pgup prior pagedown pgdn next menu print printscreen pause
  capslock numlock scrolllock help volumeup volumedown mute playpause nexttrack previoustrack stop
  brightnessup brightnessdown kpenter play soundup sounddown volumemute prevtrack mediaplaypause mediatracknext
  mediatrackprevious mediastop audiovolumeup audiovolumedown audiovolumemute xf86audioplay xf86audionext
  xf86audioprev xf86audiostop xf86audioraisevolume xf86audiolowervolume xf86audiomute xf86monbrightnessup
  xf86monbrightnessdown
  space plus minus comma period dot slash backslash semicolon quote grave backtick equal equals bracketleft bracketright
]]
local KEYS = set_of(KEY_NAMES)
local LAST_FUNCTION_KEY = 24

-- As src/platform/element_words.c has them.
local ROLE_NAMES = list_of [[
  element application window dialog alert button toggle checkbox radio switch entry text password label heading paragraph
  link image combobox spin slider progress scrollbar menubar menu menuitem checkitem radioitem tab tablist list listitem
  table row cell header tree treeitem toolbar statusbar tooltip notification group scrollarea separator document form
  canvas terminal
]]
local ROLES = set_of(ROLE_NAMES)


local function nearest(word, names) return require("nearest").question(word, names, "; ") end


local function is_key(name)
  local number = tonumber(name:match "^f(%d%d?)$")
  return name:find("*", 1, true) ~= nil or utf8.len(name) == 1 or KEYS[name] == true
    or number ~= nil and number >= 1 and number <= LAST_FUNCTION_KEY
end


--- The error in the keys of a rule. A part with an asterisk may be anything.
---@param text string
---@return string? err
function M.keys(text)
  local plain, keys = text:gsub("%+%+$", ""), 0
  if text == "+" then return nil end
  for word in plain:gmatch "[^+]+" do
    local name = word:lower():gsub("_", "")
    if not MODIFIERS[name] then
      if not is_key(name) then
        return ("%q is not a key%s"):format(word, nearest(name, table.move(KEY_NAMES, 1, #KEY_NAMES,
          #MODIFIER_NAMES + 1, { table.unpack(MODIFIER_NAMES) })))
      end
      keys = keys + 1
    end
  end
  if keys > 1 and not text:find("*", 1, true) then return "it has two keys that are not modifiers" end
  if plain == "" then return "it names no keys" end
end


--- The error in the host of a rule.
---@param text string
---@return string? err
function M.host(text)
  local bare = text:gsub("%*", "x")
  if text:find "://" then return "it is a URL; name its host alone" end
  if bare:find "[/@?#%s\\]" or bare == "" then return "it is not a host" end
  local name = bare:match "^(.*):%d*$"
  if name and not name:find(":", 1, true) then return "it has a port; name the host alone" end
  if not text:find("*", 1, true) and not require("sys.taint").host(text) then return "it is not a host" end
end


--- The error in the role of a rule.
---@param text string
---@return string? err
function M.role(text)
  if text:find("*", 1, true) then
    local is = require("policy.words").any(text)
    for _, name in ipairs(ROLE_NAMES) do
      if is(name) then return nil end
    end
  elseif ROLES[text] then
    return nil
  end
  return "it is not the role of an element" .. nearest(text, ROLE_NAMES)
end


local CHECKS = { keys = M.keys, host = M.host, role = M.role }

--- The error in a value, or in one of a list.
---@param name string  of the fact
---@param value any
---@return string? err
function M.wrong(name, value)
  local check = CHECKS[name]
  if not check then return nil end
  local values = type(value) == "table" and value or { value }
  for _, each in ipairs(values.one_of or values) do
    local err = type(each) == "string" and check(each)
    if err then return ("not \"%s\": %s"):format(each, err) end
  end
end


return M
