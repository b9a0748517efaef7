--- Dialogs, message boxes and file choosers: the one in front, its kind, and its buttons.

local captions = require "elements.read.captions"
local outline  = require "elements.read.outline"
local windows  = require "elements.read.windows"
local words    = require "elements.read.words"

local M = {}

local TEXT_MAX = 600                  -- characters
local BUTTONS_MAX, FIELDS_MAX = 16, 16

local FIELDS = { entry = true, text = true, password = true, combobox = true, spin = true, slider = true, checkbox = true,
  radio = true, switch = true }
local TICKS = { checkbox = true, radio = true, switch = true }
local SAYS = { label = true, paragraph = true, heading = true }
local LISTS = { list = true, tree = true, table = true }
local NAMES_FILE = { "name", "location", "path", "file" }
local FILE_TITLES = { "^save", "^open", "^export", "^import", "^choose", "^select" }


---@class elements.Dialog
---@field node elements.Node
---@field kind "message"|"question"|"file"|"other"
---@field title string
---@field text string
---@field buttons elements.Node[]
---@field fields elements.Node[]
---@field file_field? elements.Node  the field for the name of a file
---@field file_score? integer         0: nothing tells that it is this field
---@field since? integer              a mark of events, from before a press; the next three are also from then
---@field windows? table<integer, sys.window.Window>  of its application
---@field told? boolean               it reported that it was shown
---@field windowed? integer           the ID of its own window


-- --- the one in front ------------------------------------------------------------------------------

local function inside(node, top)
  local at = node
  while at and at ~= top do at = at.up end
  return at ~= nil
end


--- True if the node contains a button. Pages have alerts that require no answer.
local function has_button(snapshot, node)
  for _, each in ipairs(snapshot.nodes) do
    if each.role == "button" and each.states.shown and inside(each, node) then return true end
  end
  return false
end


local is_dialog

--- True if the node is a part of a dialog. Some parts call themselves dialogs, for example the list of files in a dialog that
--- saves a file.
local function is_part(snapshot, node, facts)
  local at = node.up
  while at and not is_dialog(snapshot, at, facts) do at = at.up end
  return at ~= nil
end


function is_dialog(snapshot, node, facts)
  if not node.states.shown then return false end
  if node.role == "dialog" then return true end
  if node.role == "alert" then return node.top == node or has_button(snapshot, node) end
  if node.top ~= node then return false end
  return node.states.modal or facts ~= nil and (facts.kind == "dialog" or facts.modal or facts.parent ~= nil)
end


--- The dialog in front: the active one, otherwise the frontmost, otherwise the newest.
---@param snapshot elements.Snapshot
---@param window_id? integer  only this window, even if it is not a dialog
---@return elements.Node?
function M.front(snapshot, window_id)
  local facts, best, best_rank = windows.now(snapshot.pid) or {}, nil, nil
  for i, node in ipairs(snapshot.nodes) do
    local of = facts[node.window]
    local counts = is_dialog(snapshot, node, of) or window_id and node.top == node
    if counts and (not window_id or node.window == window_id) and not is_part(snapshot, node, of) then
      local order = of and of.order or 0
      local rank = (node.top.states.active and 1e6 or 0) - order * 1000 + math.min(node.depth or 0, 99) + i * 1e-6
      if not best_rank or rank > best_rank then best, best_rank = node, rank end
    end
  end
  return best
end


-- --- its kind ----------------------------------------------------------------------------------------

local function below(snapshot, top)
  local list = {}
  for _, node in ipairs(snapshot.nodes) do
    if node ~= top and node.states.shown and inside(node, top) then list[#list + 1] = node end
  end
  return list
end


--- True if the node is part of the dialog's text. Labels of fields, buttons and lists belong to these.
local function is_text(node)
  local at = node.up
  while at do
    if LISTS[at.role] or words.WORKED[at.role] or at.role == "toolbar" then return false end
    at = at.up
  end
  return SAYS[node.role] and not node.names
end


local function text_of(top, nodes)
  local parts, seen = {}, {}
  local function add(text)
    text = words.clean(text or "")
    if text ~= "" and not seen[text] and text ~= words.own_name(top) then
      seen[text] = true
      parts[#parts + 1] = text
    end
  end
  for _, node in ipairs(nodes) do
    if is_text(node) then add(words.own_name(node) ~= "" and words.own_name(node) or node.value) end
  end
  if #parts == 0 then add(top.description) end
  local text = table.concat(parts, " ")
  local stop = utf8.offset(text, TEXT_MAX + 1)
  return stop and stop <= #text and text:sub(1, stop - 1) .. "…" or text
end


local function holds_any(text, parts)
  for _, part in ipairs(parts) do
    if text:find(part) then return true end
  end
  return false
end


--- The part of a dialog that is its toolkit's file chooser; fields outside of it are the application's own.
local function chooser_of(top, nodes)
  for _, node in ipairs(nodes) do
    if node ~= top and node.native == "file chooser" then return node end
  end
end


--- The field in which a path can be typed: one named like it, otherwise the one with the focus, otherwise one that may be it.
local function file_field(fields, chooser)
  local best, best_score
  for _, node in ipairs(fields) do
    local takes = not TICKS[node.role] and not node.states.multiline and (node.states.editable or node.abilities.write)
    local name = words.fold(words.name(node))
    local other = name:find "search" or name:find "filter" or name:find "type" or chooser and not inside(node, chooser)
    local score = (holds_any(name, NAMES_FILE) and 2 or 0) + (node.states.focused and 1 or 0)
    if takes and not other and (not best_score or score > best_score) then best, best_score = node, score end
  end
  return best, best_score
end


local COLUMNS = { "name", "size", "modified" }

--- True for the heads of the columns of a list of files. By them the dialogs of GTK 4.18 are known, which report nothing else.
local function heads_files(node)
  if node.native ~= "table row" then return false end
  local heads = words.fold(words.own_name(node))
  for _, column in ipairs(COLUMNS) do
    if not heads:find(column, 1, true) then return false end
  end
  return true
end


local function is_file(dialog, nodes)
  local lists = false
  for _, node in ipairs(nodes) do
    if node.native == "file chooser" or heads_files(node) then return true end
    lists = lists or LISTS[node.role] or false
  end
  if dialog.node.native == "file chooser" then return true end
  local named = dialog.file_field ~= nil and holds_any(words.fold(words.name(dialog.file_field)), NAMES_FILE)
  if holds_any(words.fold(dialog.title), FILE_TITLES) then return lists or named end
  return lists and dialog.file_field ~= nil and words.fold(words.name(dialog.file_field)):find "file" ~= nil
end


local function kind_of(dialog, nodes)
  if is_file(dialog, nodes) then return "file" end
  for _, node in ipairs(dialog.fields) do
    if node.role ~= "checkbox" then return "other" end
  end
  local count = #dialog.buttons
  local plain = dialog.text ~= "" or dialog.node.role == "alert"
  if not plain or count == 0 or count > 6 then return "other" end
  return count == 1 and "message" or "question"
end


local function is_field(node)
  if TICKS[node.role] or node.role == "combobox" then return true end
  return FIELDS[node.role] and (node.states.editable or node.abilities.write) or false
end


---@param snapshot elements.Snapshot
---@param node elements.Node
---@return elements.Dialog
function M.read(snapshot, node)
  local nodes = below(snapshot, node)
  local dialog = { node = node, title = words.name(node), buttons = {}, fields = {} }
  for _, each in ipairs(nodes) do
    if each.role == "button" and words.name(each) ~= "" and not words.doubled(each) then
      table.insert(dialog.buttons, each)
    elseif is_field(each) then
      table.insert(dialog.fields, each)
    end
  end
  dialog.text = text_of(node, nodes)
  dialog.file_field, dialog.file_score = file_field(dialog.fields, chooser_of(node, nodes))
  dialog.kind = kind_of(dialog, nodes)
  return dialog
end


-- --- its buttons ---------------------------------------------------------------------------------------

local function default_of(dialog)
  for _, node in ipairs(dialog.buttons) do
    if node.states.default then return node end
  end
  return #dialog.buttons == 1 and dialog.buttons[1] or nil
end


--- Finds a button. nil without an error: there is no cancel button, and Escape cancels.
---@param dialog elements.Dialog
---@param name string  "default", "cancel", or its caption
---@return elements.Node? button
---@return string? err
---@return string? code
function M.button(dialog, name)
  local found = captions.called(dialog.buttons, name)
  if found[1] then return found[1] end
  local plain = captions.plain(name)
  if plain == "cancel" then return nil end
  local default = plain == "default" and default_of(dialog)
  if default then return default end
  return nil, ("%s has no %s. %s."):format(words.called(dialog.node),
    plain == "default" and "default button that it tells of" or "button " .. words.quote(name, 40),
    captions.suggest(dialog.buttons, name)), "element_not_found"
end


-- --- for results -------------------------------------------------------------------------------------

---@param dialog elements.Dialog
---@return table
function M.facts(dialog)
  local buttons, fields = {}, {}
  for i = 1, math.min(#dialog.buttons, BUTTONS_MAX) do
    local node = dialog.buttons[i]
    buttons[i] = { ref = node.ref, name = words.name(node), default = node.states.default or nil,
      off = not node.states.enabled or nil }
  end
  for i = 1, math.min(#dialog.fields, FIELDS_MAX) do fields[i] = outline.line(dialog.fields[i]) end
  return { ref = dialog.node.ref, kind = dialog.kind, title = dialog.title, text = dialog.text, buttons = buttons,
    fields = fields }
end


---@param dialog elements.Dialog
---@return string
function M.describe(dialog)
  local facts, names = M.facts(dialog), {}
  local lines = { ("%s %s: %s"):format(facts.ref, words.called(dialog.node), facts.kind) }
  if facts.text ~= "" then lines[#lines + 1] = "text: " .. words.quote(facts.text, TEXT_MAX) end
  for i, each in ipairs(facts.buttons) do
    names[i] = words.quote(each.name, 40) .. (each.default and " (default)" or "") .. (each.off and " (off)" or "")
  end
  if #names > 0 then lines[#lines + 1] = "buttons: " .. table.concat(names, ", ") end
  if #facts.fields > 0 then lines[#lines + 1] = "fields: " .. table.concat(facts.fields, "; ") end
  return table.concat(lines, "\n")
end


return M
