--- Reads the states and the content of one element, and compares them with a wanted state or value. nil: the element does not
--- report it.

local values = require "elements.choose.values"
local words  = require "elements.read.words"

local M = {}

local LONG = 100000   -- characters that values.read() reads
local ASKED = 5       -- long texts that are read completely


-- --- states ------------------------------------------------------------------------------------

local CHECKS = { checkbox = true, radio = true, switch = true, checkitem = true, radioitem = true }
local OPENS = { menu = true, combobox = true }

--- True if an element can be in this state, as far as it reports.
local TELLS = {
  checked = function(node) return CHECKS[node.role] or node.role == "toggle" or node.states.checkable or node.states.checked end,
  selected = function(node) return node.states.selectable or node.states.selected or words.CHOSEN[node.role] end,
  expanded = function(node) return node.states.expandable or node.states.expanded or OPENS[node.role] end,
}


local function is_checked(node) return node.states.checked or node.role == "toggle" and node.states.pressed or false end


local function called(node) return (node.ref and node.ref .. " " or "") .. words.called(node) end


local function in_state(state, wanted)
  return function(node)
    if node.source then
      return nil, ("%s was read from the screen, which does not tell whether it is %s"):format(called(node), state)
    end
    local tells = TELLS[state]
    if tells and not tells(node) then return nil, ("%s does not tell whether it is %s"):format(called(node), state) end
    if state == "checked" and node.states.mixed then return false, called(node) .. " is mixed, neither checked nor unchecked" end
    local set = node.states[state] or false
    if state == "checked" then set = is_checked(node) end
    return set == wanted, ("%s is %s%s"):format(called(node), set and "" or "not ", state)
  end
end


-- --- content --------------------------------------------------------------------------------------

--- The field of a combo box that can be typed in; otherwise the node itself.
local function field_of(node)
  if node.role ~= "combobox" or node.value ~= "" then return node end
  for _, child in ipairs(node.down) do
    if child.role == "entry" then return child end
  end
  return node
end


local OPTIONS, OPTION_DEPTH = words.set "listitem menuitem radioitem", 3

--- The option of a combo box that is marked as chosen. Firefox reports it only so, and names the box by its label.
local function option_of(node, depth)
  for _, child in ipairs(node.down) do
    if OPTIONS[child.role] and child.states.selected then return words.own_name(child) end
    local found = depth > 1 and option_of(child, depth - 1)
    if found then return found end
  end
end


--- The text or number of an element; the name of an element that only shows something.
---@param node elements.Node
---@return string? held
---@return boolean whole  true: that is all of it
local function held(node)
  if node.role == "password" then return nil, false end
  node = field_of(node)
  local text = node.abilities.read and values.read(node) or node.value
  local only_shows = not (node.abilities.write or node.abilities.count or node.states.editable)
  if text == "" and only_shows then
    text = node.role == "combobox" and option_of(node, OPTION_DEPTH) or words.own_name(node)
  end
  return text, #text < LONG or (utf8.len(text) or LONG) < LONG
end


local function holds_text(node, text) return ("%s holds %s"):format(called(node), words.quote(text, 120)) end


--- True if the element's number is the wanted one. An empty cell of a sheet has the number 0, but does not show it.
local function same_number(node, wanted)
  local number = tonumber(wanted)
  if node.role == "cell" and node.value == "" then return false end
  return number ~= nil and node.number ~= nil and math.abs(number - node.number) <= 1e-9 * math.max(1, math.abs(number))
end


--- Compares the content with the wanted value, to the last character. Numbers are compared as numbers.
local function value(node, wanted)
  if node.value == wanted and wanted ~= "" then return true, holds_text(node, wanted) end
  local text = held(node)
  if not text then return nil, called(node) .. " does not tell what it holds" end
  if text == wanted or same_number(node, wanted) then return true, holds_text(node, text) end
  local only_space = words.clean(text) == words.clean(wanted)
  return false, holds_text(node, text) .. (only_space and ", which differs in white space" or ", not " .. words.quote(wanted, 80))
end


local function has_part(text, folded) return words.fold(text):find(folded, 1, true) ~= nil end


--- Looks for a part of the content, ignoring case as selectors do.
local function value_contains(node, wanted)
  local text, whole = held(node)
  if not text then return nil, called(node) .. " does not tell what it holds" end
  local yes = has_part(text, words.fold(wanted))
  if not yes and not whole then return nil, called(node) .. " holds more text than was read" end
  return yes, holds_text(node, text) .. (yes and "" or ", without " .. words.quote(wanted, 80))
end


local function text(node, wanted)
  if has_part(words.name(node), words.fold(wanted)) then return true, "it is " .. called(node) end
  return value_contains(node, wanted)
end


--- The conditions: each returns whether it holds of an element, and the evidence.
---@type table<string, fun(node: elements.Node, wanted: string): boolean?, string>
M.CONDITIONS = {
  enabled = in_state("enabled", true), disabled = in_state("enabled", false), checked = in_state("checked", true),
  unchecked = in_state("checked", false), selected = in_state("selected", true), focused = in_state("focused", true),
  expanded = in_state("expanded", true), value = value, value_contains = value_contains, text = text,
}


--- An element that contains the wanted text in the part that a look does not read.
---@param snapshot elements.Snapshot
---@param wanted string
---@return elements.Node? node
---@return string? unread  the reason if it is not known
function M.in_long_text(snapshot, wanted)
  local asked = 0
  for _, node in ipairs(snapshot.nodes) do
    if (node.value_cut or node.name_cut) and node.states.shown then
      asked = asked + 1
      if asked > ASKED then return nil, "more long strings are shown than were read" end
      local yes, evidence = value_contains(node, wanted)
      if yes then return node end
      if yes == nil then return nil, evidence end
    end
  end
end


return M
