--- Enters the path of a file into a file dialog.
--
-- GTK's dialogs that open a file show a field for a path only after Ctrl+L. Those of Qt and LibreOffice, and all that save a
-- file, have a field for the name, which accepts a whole path.

local await   = require "elements.read.await"
local dialogs = require "elements.read.dialogs"
local effect  = require "sys.effect"
local element = require "sys.element"
local hands   = require "elements.read.hands"
local target  = require "elements.find.target"
local values  = require "elements.choose.values"
local windows = require "elements.read.windows"
local words   = require "elements.read.words"
local write   = require "elements.act.write"

local M = {}

local COMES = 1   -- seconds for the field to come


--- The same dialog as it is now.
local function again(place, dialog)
  local snapshot = target.look(place)
  local node = snapshot and snapshot.by_id[dialog.node.id]
  return node and dialogs.read(snapshot, node)
end


--- Presses keys until a field comes; each only if the key before brought none.
local function ask_for_field(place, dialog)
  local ok, err, code = windows.focus(dialog.node)
  if not ok then return nil, err, code end
  for _, keys in ipairs { "ctrl+l", "/" } do
    local since = await.mark(place.pid)
    ok, err, code = hands.keys(dialog.node, keys)
    if not ok then return nil, err, code end
    local field = await.until_seen(place.pid, since, COMES, function()
      local now = again(place, dialog)
      return now and now.file_score and now.file_score > 0 and now.file_field
    end)
    if field then return field end
  end
end


local function field_of(place, dialog)
  local field, err, code = dialog.file_field, nil, nil
  if field and (dialog.file_score > 0 or dialog.node.native ~= "file chooser") then return field end
  if dialog.kind == "file" and not dialog.node.native:find "^AX" then field, err, code = ask_for_field(place, dialog) end
  field = field or dialog.file_field
  if field then return field end
  return nil, err or ("%s has no field for a path. Choose the file in its list with click_element."):format(
    words.called(dialog.node)), code or "not_supported"
end


--- Tells the policy of the path that is in the field of a file dialog, before a button takes it: others may have put it there.
---@param dialog elements.Dialog
---@return true? ok
---@return string? err
---@return string? code
function M.choose_held(dialog)
  local held = dialog.kind == "file" and dialog.file_field and values.read(dialog.file_field)
  if not held or held == "" then return true end
  return effect.choose_file(held, dialog.node.pid)
end


--- Enters the path and reads it back.
---@param place elements.Place
---@param dialog elements.Dialog
---@param path string
---@return elements.Node? field
---@return string? err
---@return string? code  "element_refused": the field holds something else
function M.enter(place, dialog, path)
  local may, field, err, code
  may, err, code = effect.choose_file(path, dialog.node.pid)
  if may then field, err, code = field_of(place, dialog) end
  if not field then return nil, err, code end
  field, err, code = target.renew(field)
  if not field then return nil, err, code end
  local route
  route, err, code = write.sure(field, path)
  if not route then return nil, err, code end
  local held = values.read(field)
  if held == path then return field end
  return nil, ("%s holds %s and not the path, so nothing was pressed."):format(words.called(field),
    held and words.quote(held, 120) or "what it does not tell"), "element_refused"
end


--- The field's content; nil: it is gone.
---@param field elements.Node
---@return string?
function M.held(field)
  local fresh = element.get { field.id }
  return fresh and not fresh[1].gone and values.read(field) or nil
end


return M
