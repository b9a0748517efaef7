--- The check at the end of a macro: the last look of a run, or its last verify, if it came after all that the run did.

local set_of = require("word_set").of
local wishes = require "macros.wishes"
local words  = require "elements.read.words"

local M = {}

local SHORT = 2


--- The texts that the run wrote, the longest first: what it read afterwards says whether they are there.
local function written(list)
  local texts, known = {}, {}
  local function add(text)
    if #text >= SHORT and not known[text] then
      known[text] = true
      texts[#texts + 1] = text
    end
  end
  for _, deed in ipairs(list) do
    local args = deed.given.arguments or {}
    for _, value in ipairs { args.value or "", args.text or "", args.option or "", args.path or "",
      table.unpack(type(args.files) == "table" and args.files or {}) } do
      if type(value) == "string" and deed.kind ~= "look" and deed.kind ~= "verify" and deed.kind ~= "menu" then
        add(value:match "^%s*(.-)%s*$")
        if value:find "^[/~]" then add(value:match "([^/]+)/*$" or value) end
      end
    end
  end
  table.sort(texts, function(a, b) return #a > #b end)
  return texts
end


--- The written text that a text has.
local function found_in(text, texts)
  for _, each in ipairs(texts) do
    if text == each or wishes.find_whole(text, each) then return each end
  end
end


local function of_node(reading, node, texts)
  local value = words.clean(node.value)
  local has = value ~= "" and found_in(value, texts)
  local seen = has and reading.outlines:element(node.ref)
  if not seen then return nil end
  -- Outlines do not show the white space of texts.
  return { element = seen.line, [value == has and node.role ~= "text" and "value" or "value_contains"] = has }, seen.dialog
end


--- The text in a title that says that it is the meant one: of a path its last name, because titles shorten paths.
local function in_title(title, texts)
  local has = found_in(title, texts)
  local base = has and has:find "^[/~]" and has:match "([^/]+)/*$"
  return base or has
end


--- The check for an outline: a title that has what was written, and a field that holds it, otherwise a text.
local function of_outline(reading, deed, texts)
  local list, dialog = {}, nil
  for _, node in ipairs(deed.snapshot.nodes) do
    local has = node.role == "window" and not node.up and in_title(node.name, texts)
    if has then list[#list + 1] = { condition = "title", text = has } end
  end
  for _, node in ipairs(deed.snapshot.nodes) do
    local predicate, inside = of_node(reading, node, texts)
    if predicate then
      list[#list + 1], dialog = predicate, inside
      break
    end
  end
  for _, node in ipairs(list[1] and {} or deed.snapshot.nodes) do
    local has = node.up and found_in(node.name, texts)
    if has then return { { text = node.name } } end
  end
  return list[1] and list or nil, dialog
end


local function of_windows(deed, texts)
  local facts = type(deed.made.structured) == "table" and deed.made.structured or {}
  for _, window in ipairs(type(facts.windows) == "table" and facts.windows or { facts }) do
    local has = type(window) == "table" and type(window.title) == "string" and in_title(window.title, texts)
    if has then return { { condition = "title", text = has } }, nil, window.application end
  end
end


local function of_element(reading, deed, texts)
  local facts = type(deed.made.structured) == "table" and deed.made.structured or {}
  local one = type(facts.elements) == "table" and facts.elements[1] or facts
  local seen = type(one.ref) == "string" and reading.outlines:element(one.ref)
  if not seen then return nil end
  local value = type(one.value) == "string" and one.value or ""
  local has = value ~= "" and found_in(value, texts)
  if has then return { { element = seen.line, [value == has and "value" or "value_contains"] = has } }, seen.dialog end
  return { { element = seen.line } }, seen.dialog
end


local OF_WINDOWS  = set_of "list_windows get_window"
local OF_ELEMENTS = set_of "find_elements get_element"

--- Returns the step that checks, and the place of the look in the list. nil: no look after the last deed says anything.
---@param reading macros.Reading
---@param list macros.Deed[]
---@return macros.Given? step
---@return integer? at
function M.of(reading, list)
  local texts = written(list)
  for at = #list, 1, -1 do
    local deed = list[at]
    if deed.kind == "verify" then return deed.given, at end
    if deed.kind ~= "look" then return nil end
    local predicates, dialog, of
    if deed.snapshot then predicates, dialog = of_outline(reading, deed, texts)
    elseif OF_WINDOWS[deed.given.tool] then predicates, dialog, of = of_windows(deed, texts)
    elseif OF_ELEMENTS[deed.given.tool] then predicates, dialog = of_element(reading, deed, texts) end
    local application = predicates and (of and reading.places:application(of) or deed.application)
    if application then
      return { tool = "verify", arguments = { application = application, window = dialog, predicates = predicates } }, at
    end
  end
end


return M
