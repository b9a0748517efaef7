--- A dialog while it is open: its kind, its buttons, and the path that a file dialog holds.

local captions = require "elements.read.captions"
local dialogs  = require "elements.read.dialogs"
local env      = require "sys.env"
local process  = require "sys.process"
local words    = require "elements.read.words"

local M = {}

local CANCELS = words.set "cancel close abort no"

---@class recorder.Dialog
---@field title string
---@field kind "message"|"question"|"file"|"other"
---@field at number           when it was looked at
---@field buttons string[]
---@field default? string
---@field field? integer     file: the id of the field for the path
---@field name? string       file: what that holds
---@field chosen? string     file: what is selected in its list
---@field folders? string[]  file: the names in its path bar, the innermost first


--- The names in the path bar of a file chooser: buttons of one group, one of which is down.
local function folders_of(snapshot, top)
  for _, node in ipairs(snapshot.nodes) do
    if node.role == "toggle" and node.states.checked and node.up and node.top == top then
      local list, begun = {}, false
      for _, each in ipairs(node.up.down) do
        begun = begun or each == node
        local name = words.own_name(each)
        if begun and each.role == "toggle" and name ~= "" then list[#list + 1] = name end
      end
      return list
    end
  end
end


--- The name of the file that is selected in the list.
local function chosen_of(snapshot, top)
  for _, node in ipairs(snapshot.nodes) do
    local name = words.own_name(node)
    local of_list = (node.role == "cell" or node.role == "row" or node.role == "listitem") and node.top == top
    if of_list and node.states.selected and name ~= "" and node.up and (node.up.role == "table" or node.up.role == "tree") then
      return name
    end
  end
end


--- Reads the dialog of a window.
---@param snapshot elements.Snapshot
---@param window sys.window.Window
---@return recorder.Dialog?  nil: the window is none
function M.of(snapshot, window)
  local node = dialogs.front(snapshot, window.id)
  local is_one = window.kind == "dialog" or window.modal or node ~= nil and (node.role == "dialog" or node.role == "alert")
  if not node or not is_one then return nil end
  local read = dialogs.read(snapshot, node)
  local found = { title = window.title ~= "" and window.title or read.title, kind = read.kind,
    at = snapshot.at or 0, buttons = {} }
  for i, button in ipairs(read.buttons) do
    found.buttons[i] = words.name(button)
    if button.states.default then found.default = found.buttons[i] end
  end
  if read.kind == "file" then
    found.field = read.file_field and read.file_field.id or nil
    found.name = read.file_field and words.clean(read.file_field.value) or nil
    found.chosen, found.folders = chosen_of(snapshot, node.top), folders_of(snapshot, node.top)
  end
  return found
end


--- The button that Return presses: the one that the application tells of, otherwise the last that does not cancel.
---@param dialog recorder.Dialog
---@return string?
function M.default(dialog)
  if dialog.default then return dialog.default end
  for i = #dialog.buttons, 1, -1 do
    if not M.cancels(dialog.buttons[i]) then return dialog.buttons[i] end
  end
end


--- True for the name of a button that leaves all as it was.
---@param name string
---@return boolean
function M.cancels(name) return CANCELS[captions.plain(name)] ~= nil end


local function is_folder(path)
  local ended = process.run { "test", "-d", path, timeout = 5 }
  return ended ~= nil and ended.code == 0
end


--- The directories that a path bar may mean, best first.
---@param names string[]  the innermost first
---@param home string
---@return string[]
function M.folders(names, home)
  local parts, list = {}, {}
  for i = #names, 1, -1 do parts[#parts + 1] = names[i] end
  local below = table.concat(parts, "/", 2)
  if #parts > 0 and (parts[1] == home:match "[^/]*$" or #parts == 1) then
    list[1] = below == "" and home or home .. "/" .. below
  end
  list[#list + 1] = "/" .. below
  list[#list + 1] = "/" .. table.concat(parts, "/")
  return list
end


--- The absolute path that a file dialog holds; nil: it is not known.
---@param dialog recorder.Dialog
---@return string?
function M.path(dialog)
  local name, home = dialog.name or "", env.get("HOME", "")
  if name == "" then name = dialog.chosen or "" end
  if name:find "^~/" then return home .. name:sub(2) end
  if name == "" or name:find "^/" then return name ~= "" and name or nil end
  for _, folder in ipairs(M.folders(dialog.folders or {}, home)) do
    if dialog.folders and is_folder(folder) then return (folder == "/" and "" or folder) .. "/" .. name end
  end
end


return M
