--- Values as text, as one would write them in Lua: `inspect(value)`, or `inspect(value, { depth = 2 })`.
--
-- It changes nothing, calls no metamethods (except __tostring of userdata), and stays within its limits whatever it gets: tables
-- in themselves, a million items, a long text.

local json = require "sys.json"

local DEPTH = 8        -- of tables in tables
local ITEMS = 200      -- of one table
local BYTES = 100000   -- in all
local WIDTH = 100      -- columns of a table on one line
local SORTED = 5000    -- keys

---@class inspect.Options
---@field depth? integer  of tables in tables (default: 8)
---@field items? integer  of one table (default: 200)
---@field width? integer  columns in which a table is written on one line (default: 100)
---@field measure? fun(text: string): integer  columns of a text (default: its characters)
---@field bytes? integer  of one string (default: 100000)
---@field hide? fun(key: string): boolean  is the value of this key shown as ***?


local function quoted(value)
  return (("%q"):format(value):gsub("\\\n", "\\n"):gsub("\\9", "\\t"):gsub("\\13", "\\r"))
end


local function is_word(key)
  return type(key) == "string" and key:find "^[%a_][%w_]*$" ~= nil
end


--- The keys that are not of the list, of very many the first that there are; and how many there are.
local function sorted_keys(value, count)
  local keys, all = {}, 0
  for key in next, value do
    if not (math.type(key) == "integer" and key >= 1 and key <= count) then
      all = all + 1
      if all <= SORTED then keys[all] = key end
    end
  end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) < type(b) end
    if type(a) == "number" or type(a) == "string" then return a < b end
    return tostring(a) < tostring(b)
  end)
  return keys, all
end


local write

--- The parts of a table, each as text that fits after `indent`.
local function parts_of(value, state, indent)
  local parts, count = {}, rawlen(value)
  for i = 1, math.min(count, state.items) do parts[i] = write(rawget(value, i), state, indent) end
  local keys, all = sorted_keys(value, count)
  for i = 1, math.min(#keys, state.items - #parts) do
    local key = keys[i]
    local name = is_word(key) and key or "[" .. write(key, state, indent) .. "]"
    local hidden = state.hide and type(key) == "string" and state.hide(key)
    parts[#parts + 1] = name .. " = " .. (hidden and "***" or write(rawget(value, key), state, indent))
  end
  local more = count + all - #parts
  if more > 0 then parts[#parts + 1] = ("... %d more"):format(more) end
  return parts
end


local function write_table(value, state, indent)
  if state.within[value] then return "{...}" end
  if #indent / 2 >= state.depth or state.bytes > BYTES then return next(value) == nil and "{}" or "{...}" end
  state.within[value] = true
  local parts = parts_of(value, state, indent .. "  ")
  state.within[value] = nil
  if #parts == 0 then return "{}" end
  local line = "{ " .. table.concat(parts, ", ") .. " }"
  if not line:find("\n", 1, true) and state.measure(line) + #indent <= state.width then return line end
  return "{\n" .. indent .. "  " .. table.concat(parts, ",\n" .. indent .. "  ") .. "\n" .. indent .. "}"
end


--- The first bytes of a string, cut where a character begins, and how many there are.
local function beginning(value, most)
  local stop = most
  while stop > 0 and (value:byte(stop + 1) & 0xC0) == 0x80 do stop = stop - 1 end
  return ("%s... %d bytes"):format(quoted(value:sub(1, stop)), #value)
end


function write(value, state, indent)
  local shown
  if type(value) == "table" then
    shown = write_table(value, state, indent)
  elseif type(value) == "string" then
    shown = #value > state.text and beginning(value, state.text) or quoted(value)
    if #shown > BYTES then shown = shown:sub(1, BYTES) .. "..." end
  elseif value == json.null then
    shown = "null"
  else
    shown = tostring(value)
  end
  state.bytes = state.bytes + #shown
  return shown
end


local function characters(text) return utf8.len(text) or #text end


---@param value any
---@param options? inspect.Options
---@return string
return function(value, options)
  options = options or {}
  return write(value, { depth = options.depth or DEPTH, items = options.items or ITEMS, width = options.width or WIDTH,
    measure = options.measure or characters, text = options.bytes or BYTES, hide = options.hide, within = {}, bytes = 0 }, "")
end
