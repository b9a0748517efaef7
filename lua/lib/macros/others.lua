--- Other values for the parameters of a macro, to try that it does not only repeat: of the same kind, and as long.

local words = require "elements.read.words"

local M = {}

---@class macros.Other
---@field value string|number
---@field same boolean  true: no other value is known to be possible


-- --- by kind ------------------------------------------------------------------------------------------------

--- The next letter of each letter: other words that look alike.
local function other_words(text)
  return (text:gsub("%a", function(letter)
    if letter == "z" then return "a" elseif letter == "Z" then return "A" end
    return string.char(letter:byte() + 1)
  end):gsub("%d", function(digit) return tostring((tonumber(digit) + 1) % 10) end))
end


local function other_number(text)
  local whole = math.tointeger(tonumber(text))
  if whole and text:find "^%-?%d+$" then return ("%0" .. #text .. "d"):format(whole + 1) end
  return (text:gsub("%d(%D*)$", function(behind)   -- the last digit, so that separators stay where they are
    return (math.tointeger(tonumber(text:match "(%d)%D*$")) + 1) % 10 .. behind
  end))
end


--- Another date or time of the same form.
local function other_date(text)
  local head, day = text:match "^(%d%d%d%d%-%d%d%-)(%d%d)$"
  if day then return head .. ("%02d"):format(tonumber(day) % 28 + 1) end
  local before, year, behind = text:match "^(.*)(%d%d%d%d)(.*)$"
  if year and text:find "%d[/.%s-]%d" then return before .. ("%04d"):format(tonumber(year) + 1) .. behind end
  local hours, minutes, rest = text:match "^(%d%d?:)(%d%d)(.*)$"
  return minutes and hours .. ("%02d"):format((tonumber(minutes) + 1) % 60) .. rest or nil
end


local function is_number(text) return text:find "^%-?[%d.,' ]*%d[%d.,]*$" ~= nil end


-- --- by what was seen ------------------------------------------------------------------------------------------

--- The value that the element of a choice had before.
local function held_before(reading, wish)
  local name = wish.element and wish.element:match '"(.-)"'
  for _, deed in ipairs(reading.deeds) do
    for _, node in ipairs(deed.snapshot and deed.snapshot.nodes or {}) do
      local value = node.role == "combobox" and words.clean(node.value) or ""
      if value ~= "" and value ~= wish.value and (not name or words.own_name(node) == name) then return value end
    end
  end
end


--- The name of another element beside the one of this name, of the same role.
local function beside(reading, wish)
  for _, deed in ipairs(reading.deeds) do
    for _, node in ipairs(deed.snapshot and deed.snapshot.nodes or {}) do
      local name = node.up and words.own_name(node) or ""
      local from, to = name:find(wish.value, 1, true)
      for _, other in ipairs(from and node.up.down or {}) do
        local its = words.own_name(other)
        local head, tail = name:sub(1, from - 1), name:sub(to + 1)
        local fits = other ~= node and other.role == node.role and its:sub(1, #head) == head
          and (tail == "" or its:sub(-#tail) == tail)
        local rest = fits and its:sub(#head + 1, #its - #tail) or ""
        if rest ~= "" and rest ~= wish.value then return rest end
      end
    end
  end
end


local CHOSEN = words.set "option element click menu button to"

--- Another value for a parameter.
---@param wish macros.Wish
---@param reading macros.Reading
---@return macros.Other
function M.of(wish, reading)
  local value = wish.value
  if type(value) == "number" then return { value = value + 1, same = false } end
  if CHOSEN[wish.from] or (wish.element or ""):find "^combobox" then
    local is_box = wish.from == "option" or (wish.element or ""):find "^combobox"
    local other = is_box and held_before(reading, wish) or not is_box and beside(reading, wish) or nil
    return { value = other or value, same = other == nil }
  end
  if wish.kind == "path" then
    local folder, stem, ending = value:match "^(.*/)([^/]-)(%.?[^./]*)$"
    if not folder then return { value = value, same = true } end
    if stem == "" then stem, ending = ending, "" end
    return { value = ("%s%s-2%s"):format(folder, stem, ending), same = false }
  end
  if value:find "^%a+://" or value == "true" or value == "false" then return { value = value, same = true } end
  local other = other_date(value) or is_number(value) and other_number(value) or other_words(value)
  return { value = other, same = other == value }
end


return M
