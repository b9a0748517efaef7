--- The deeds of a run that a macro does again: dead ends and what was undone are left out, and deeds that together are one
--- intention become one.

local set_of = require("word_set").of
local words  = require "elements.read.words"

local M = {}

local TOGGLES = set_of "checkbox toggle switch checkitem"
local CANCELS = set_of "cancel abort discard"
local FILLS   = set_of "set choose"     -- kinds that only fill in
local QUITS   = set_of "quit_application close_window"


local function arguments_of(deed) return deed.given.arguments end

--- Names the element of a deed.
local function key_of(deed)
  local args = arguments_of(deed)
  return args.element and ("%s\n%s\n%s"):format(args.application or "", args.window or "", args.element) or nil
end


local function drop(list, from, to)
  for _ = from, to do table.remove(list, from) end
end


--- The place of the last deed before `at` that acted.
local function acted_before(list, at)
  for i = at - 1, 1, -1 do
    local kind = list[i].kind
    if kind ~= "look" and kind ~= "verify" and kind ~= "wait" then return i end
  end
end


local function changed(deed, pattern)
  for _, line in ipairs(deed.changes) do
    local found = line:match(pattern)
    if found then return found end
  end
end


-- --- undone deeds ------------------------------------------------------------------------------------------------

local function is_undo(deed)
  local args = arguments_of(deed)
  if deed.kind == "keys" then return (args.keys or ""):lower() == "ctrl+z" or (args.keys or ""):lower() == "cmd+z" end
  local path = deed.kind == "menu" and args.path
  local last = type(path) == "table" and path[#path] or type(path) == "string" and path:match "[^>]*$" or ""
  return words.fold(last:gsub("^%s+", "")):find "^undo" ~= nil
end


local UNDONE = set_of "set type keys choose click menu"

local function without_undone(list)
  local i = 1
  while i <= #list do
    local before = is_undo(list[i]) and acted_before(list, i)
    if before and UNDONE[list[before].kind] then
      table.remove(list, i)
      table.remove(list, before)
      i = before
    else
      i = i + 1
    end
  end
end


--- True for a deed that left a dialog without its effect.
local function is_cancel(deed)
  local args = arguments_of(deed)
  local name = args.button or deed.kind == "click" and deed.seen and words.own_name(deed.seen.node) or ""
  return CANCELS[words.fold(name)] or deed.kind == "keys" and (args.keys or ""):lower():find "^esc" ~= nil
end


--- Leaves out a dialog or a menu that was opened and left again.
local function without_cancelled(list)
  local i = 1
  while i <= #list do
    local closed = is_cancel(list[i]) and changed(list[i], '^%- %a+ "(.-)"')
    local menu = is_cancel(list[i]) and not closed and acted_before(list, i)
    local from
    for at = i - 1, closed and 1 or i, -1 do
      if changed(list[at], '^%+ e%d+ %a+ "(.-)"') == closed then
        from = at
        break
      end
    end
    if menu and list[menu].kind == "click" and changed(list[menu], "^%+ %d+ items of (e%d+) menu") then from = menu end
    if from then
      drop(list, from, i)
      i = from
    else
      i = i + 1
    end
  end
end


--- Leaves out values that were written over, and switches that were put back, before anything could use them.
local function without_overwritten(list)
  local i = 1
  while i <= #list do
    local deed, key, gone = list[i], key_of(list[i]), nil
    local toggle = deed.kind == "click" and deed.seen and TOGGLES[deed.seen.node.role]
    for at = i + 1, (FILLS[deed.kind] or toggle) and key and #list or i do
      local later = list[at]
      local same = key_of(later) == key
      if same and later.kind == deed.kind then
        gone = at
        break
      end
      if later.kind ~= "look" and not FILLS[later.kind] then break end
    end
    if gone and toggle then table.remove(list, gone) end
    if gone then table.remove(list, i) else i = i + 1 end
  end
end


--- Leaves out deeds without a seen effect that were then done another way.
local function without_retried(list)
  for i = #list - 1, 1, -1 do
    local deed, at = list[i], i + 1
    while list[at] and list[at].kind == "look" do at = at + 1 end
    local later = list[at]
    local same = later and later.kind == deed.kind and key_of(deed) and key_of(later) == key_of(deed)
    if deed.effect == "none_seen" and same then table.remove(list, i) end
  end
end


--- Leaves out applications that were opened and left without doing anything in them, and those that were open already.
local function without_idle(list)
  local open, i = {}, 1
  while i <= #list do
    local deed = list[i]
    local name = deed.application or ""
    local facts = type(deed.made.structured) == "table" and deed.made.structured or {}
    if deed.kind == "open" and open[name] and facts.already == true and not arguments_of(deed).files then
      table.remove(list, i)
    elseif QUITS[deed.given.tool] and open[name] and open[name].idle then
      drop(list, open[name].at, i)
      i, open[name] = open[name].at, nil
    else
      if deed.kind == "open" then open[name] = { at = i, idle = true }
      elseif deed.kind ~= "look" then
        for each, of in pairs(open) do of.idle = of.idle and each ~= name and deed.application ~= nil end
      end
      i = i + 1
    end
  end
end


-- --- one intention -------------------------------------------------------------------------------------------------

local function named(deed) return deed.seen and words.own_name(deed.seen.node) or "" end

local ITEMS = set_of "menuitem checkitem radioitem"

--- True for a click on a menu that has a name.
local function is_menu(deed)
  return deed ~= nil and deed.kind == "click" and deed.seen ~= nil and deed.seen.node.role == "menu" and named(deed) ~= ""
end


--- Clicks on menus become one choice from the menu.
local function join_menus(list)
  local i = 1
  while i <= #list do
    local path, at = {}, i
    while is_menu(list[at]) do
      path[#path + 1] = named(list[at])
      at = at + 1
      while list[at] and list[at].kind == "look" do at = at + 1 end
    end
    local item = list[at]
    if path[1] and item and item.kind == "click" and item.seen and ITEMS[item.seen.node.role] then
      path[#path + 1] = named(item)
      item.kind, item.popup = "menu", nil
      local arguments = { path = table.concat(path, " > "), application = item.application }
      item.given = { tool = "select_menu_item", arguments = arguments }
      drop(list, i, at - 1)
    end
    i = i + 1
  end
end


--- A press that closed a dialog is an answer to it, and the path that was written before belongs to it.
local function join_dialogs(list)
  local i = 1
  while i <= #list do
    local deed = list[i]
    local args = arguments_of(deed)
    local title = args.window
    if deed.kind == "click" and title and (deed.seen and deed.seen.dialog == title) and named(deed) ~= ""
      and changed(deed, '^%- %a+ "(.-)"') == title then
      args = { application = args.application, window = title, button = named(deed) }
      deed.kind, deed.given = "dialog", { tool = "handle_dialog", arguments = args }
    end
    local before = deed.kind == "dialog" and not args.path and acted_before(list, i)
    local wrote = before and list[before]
    if wrote and wrote.kind == "set" and arguments_of(wrote).window == args.window and args.window
      and tostring(arguments_of(wrote).value):find "^[/~]" then
      args.path = arguments_of(wrote).value
      table.remove(list, before)
      i = i - 1
    end
    i = i + 1
  end
end


--- Returns the deeds that are kept, in their order.
---@param deeds macros.Deed[]
---@return macros.Deed[]
function M.of(deeds)
  local list = table.move(deeds, 1, #deeds, 1, {})
  without_undone(list)
  without_cancelled(list)
  without_retried(list)
  without_overwritten(list)
  without_idle(list)
  join_menus(list)
  join_dialogs(list)
  return list
end


return M
