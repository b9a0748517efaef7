--- Values that a run read and used later: the macro reads them again at that step.
--
--   local total_read = macro:call("get_element", { application = "shop", element = 'label near "Total"' })
--   local total = macro.part(total_read.name, "Total: ", " EUR")

local literals  = require "macros.literals"
local set_of    = require("word_set").of
local tool_text = require "dictionary.tool_text"
local wishes    = require "macros.wishes"
local words     = require "elements.read.words"

local M = {}

local SHORT = 2       -- characters of a value that is looked for
local LONG = 400      -- characters of a text in which a value is looked for
local AROUND = 24     -- characters before and behind a value by which it is found again
local DEPTH = 6

local FREE = set_of "value value_contains text option path files query"   -- arguments that hold values


---@class macros.Source_of  where a value was read
---@field at integer        place of the deed in the list
---@field step macros.Given
---@field member string     of its result
---@field text string       the whole text there


-- --- looking for a value ---------------------------------------------------------------------------------------------

--- The element of a look that has the value, as its value or its name.
local function in_elements(reading, deed, value)
  for _, node in ipairs(deed.snapshot and deed.snapshot.nodes or {}) do
    for _, member in ipairs { "value", "name" } do
      local text = member == "value" and node.value or words.own_name(node)
      if #text <= LONG and wishes.find_whole(text, value) then
        local seen = reading.outlines:element(node.ref, { nameless = member == "name" })
        local application = seen and reading.places:application(node.application)
        if application then
          local arguments = { application = application, window = seen.dialog, element = seen.line }
          return { step = { tool = "get_element", arguments = arguments }, member = member, text = text }
        end
      end
    end
  end
end


--- The path to a string or number in a result, as references have it: "clipboard.text".
local function in_result(value, wanted, path, depth)
  if type(value) == "string" or type(value) == "number" then
    local text = tostring(value)
    if #text <= LONG and wishes.find_whole(text, wanted) then return path, text end
  elseif type(value) == "table" and depth < DEPTH then
    for key, each in pairs(value) do
      local found, text = in_result(each, wanted, ("%s.%s"):format(path, key), depth + 1)
      if found then return found, text end
    end
  end
end


--- Where the value was read last before a place of the list.
local function source_of(reading, list, before, value)
  for at = before - 1, 1, -1 do
    local deed = list[at]
    if deed.kind == "look" then
      local found = in_elements(reading, deed, value)
      if not found and type(deed.made.structured) == "table" and not deed.snapshot then
        local path, text = in_result(deed.made.structured, value, "", 1)
        found = path and { step = deed.given, member = path:sub(2), text = text }
      end
      if found then
        found.at = at
        return found
      end
    end
  end
end


-- --- making it a variable ------------------------------------------------------------------------------------------------

--- The text before and behind a value, by which it is found in another text of this kind.
local function around(text, value)
  local from, to = wishes.find_whole(text, value)
  local before, behind = text:sub(1, from - 1), text:sub(to + 1)
  before = before:match "[^\n]*$"
  if #before > AROUND then before = before:sub(-AROUND):gsub("^[\x80-\xbf]+", "") end
  behind = behind:match "^[^\n]*"
  if #behind > AROUND then behind = behind:sub(1, AROUND):gsub("[\xc0-\xff]?[\x80-\xbf]*$", "") end
  return before, behind
end


local function free_name(base, taken)
  base = tool_text.slug(base):gsub("^x_", "read_"):sub(1, 20):gsub("_+$", "")
  if not literals.is_name(base) or set_of("args macro run s")[base] then base = "read" end
  local name, count = base, 2
  while taken[name] do name, count = base .. count, count + 1 end
  taken[name] = true
  return name
end


--- The values that the run wrote itself, up to a place of the list.
local function is_own(list, before, value)
  for at = 1, before - 1 do
    if list[at].kind ~= "look" then
      for _, leaf in ipairs(wishes.leaves { list[at].given }) do
        if type(leaf.value) == "string" and leaf.value:find(value, 1, true) then return true end
      end
    end
  end
  return false
end


-- --- all of them ------------------------------------------------------------------------------------------------------

--- The value of an argument, without the white space around it; nil: it holds no such value.
local function value_of(leaf)
  local value = FREE[leaf.name] and type(leaf.value) == "string" and leaf.value:match "^%s*(.-)%s*$" or ""
  return #value >= SHORT and value or nil
end


--- Marks the place of the variable in an argument.
local function mark(leaf, value, source)
  local text = leaf.holder[leaf.key]
  local from, to = text:find(value, 1, true)
  if from then leaf.holder[leaf.key] = text:sub(1, from - 1) .. wishes.mark(source.expression) .. text:sub(to + 1) end
end


--- Finds the values, and marks the places of the variables that they become.
---@param reading macros.Reading
---@param list macros.Deed[]  those that are kept, with the looks
---@param request string
---@param check? macros.Given  the step at the end, which may have such values, too
---@return table<integer, macros.Given[]> reads  the steps that read them, by the place of the look
function M.put(reading, list, request, check)
  local reads, taken, known = {}, {}, {}
  for at, deed in ipairs(list) do
    for _, leaf in ipairs(deed.kind ~= "look" and wishes.leaves { deed.given } or {}) do
      local value = value_of(leaf)
      if value and not wishes.stands(request, value) and not is_own(list, at, value) then
        local source = known[value] or source_of(reading, list, at, value)
        if source and not source.name then
          known[value] = source
          local base = source.step.arguments and source.step.arguments.element or source.step.tool
          source.name = free_name(tostring(base):match '"(.-)"' or base, taken)
          reads[source.at] = reads[source.at] or {}
          M.add(reads[source.at], source, value, taken)
        end
        if source then mark(leaf, value, source) end
      end
    end
  end
  for _, leaf in ipairs(check and wishes.leaves { check } or {}) do
    local value = value_of(leaf)
    if known[value] then mark(leaf, value, known[value]) end
  end
  return reads
end


--- Adds the steps that read a value.
function M.add(steps, source, value, taken)
  local whole = source.text == value
  local name = whole and source.name or free_name(source.name .. "_read", taken)
  steps[#steps + 1] = { tool = source.step.tool, arguments = source.step.arguments, as = name }
  local member = ("%s.%s"):format(name, source.member)
  if whole then
    source.expression = member
    return
  end
  local before, behind = around(source.text, value)
  steps[#steps + 1] = { tool = "macro.part", as = source.name, arguments = { text = wishes.mark(member), after = before,
    before = behind } }
  source.expression = source.name
end


return M
