--- Dialogs that have a window but whose application reports none of their content, for example Chromium's file dialogs.
--
-- They are read from the screen and operated by keys. The only proof of an effect is that the window closed.

local captions    = require "elements.read.captions"
local dialog_name = require "elements.read.dialog_name"
local effect      = require "sys.effect"
local hands       = require "elements.read.hands"
local modal       = require "elements.read.modal"
local names       = require "desktop.names"
local press       = require "elements.press.ways"
local recognition = require "elements.read.recognition"
local state       = require "sys.state"
local wait_for    = require "elements.check.wait_for"
local window      = require "sys.window"
local windows     = require "elements.read.windows"
local words       = require "elements.read.words"

local M = {}

local ENDS = 3         -- seconds for the window to close
local TEXT_MAX = 600   -- characters


---@class elements.UntoldDialog
---@field window sys.window.Window
---@field labels elements.Node[]    the text that is read in it; none if it cannot be read
---@field background? boolean

---@class elements.Entered
---@field route string
---@field closed boolean

-- --- finding -------------------------------------------------------------------------------------

local function is_told(snapshot, window_id)
  for _, node in ipairs(snapshot.nodes) do
    if node.window == window_id then return true end
  end
  return false
end


local function is_dialog(each) return each.kind == "dialog" or each.modal or each.parent ~= nil end


--- The windows that still exist.
---@param known table<integer, integer>  pids by window
local function windows_left(known)
  local left = {}
  for id, pid in pairs(known) do
    local there = windows.now(pid)
    if there and there[id] then left[id] = pid end
  end
  return left
end


local function labels_of(each)
  local read = recognition.take({ pid = each.pid, started = each.started, window = each.id }, "ocr")
  local labels = {}
  for _, node in ipairs(read and read.nodes or {}) do
    if node.role == "label" then labels[#labels + 1] = node end
  end
  return labels
end


--- The frontmost dialog that cannot be read.
---@param snapshot elements.Snapshot
---@param window_id? integer  only this window
---@return sys.window.Window?
function M.window(snapshot, window_id)
  local best
  for id, each in pairs(windows.now(snapshot.pid) or {}) do
    local counts = each.on_screen and is_dialog(each) and (not window_id or id == window_id)
    if counts and not is_told(snapshot, id) and (not best or each.order < best.order) then best = each end
  end
  return best
end


--- True if this is the first question about the window: the application may soon report the content of a new window.
---@param shown sys.window.Window
---@return boolean
function M.is_new(shown)
  local mine = state.open "elements"
  local known = mine.untold and mine.untold[shown.id] == shown.pid
  mine.untold = windows_left(mine.untold or {})
  mine.untold[shown.id] = shown.pid
  return not known
end


--- Reads the dialog from the screen.
---@param shown sys.window.Window
---@param background? boolean  it is refused what takes the pointer or the focus
---@return elements.UntoldDialog
function M.read(shown, background) return { window = shown, labels = labels_of(shown), background = background } end


-- --- words ---------------------------------------------------------------------------------------

---@param dialog elements.UntoldDialog
---@return string
function M.called(dialog)
  local first = dialog.labels[1]
  return dialog_name.called(dialog.window, first and words.clean(first.name) or "")
end


---@param dialog elements.UntoldDialog
---@return string
function M.text(dialog)
  local texts = {}
  for i, node in ipairs(dialog.labels) do texts[i] = words.clean(node.name) end
  local text = table.concat(texts, " ")
  local stop = utf8.offset(text, TEXT_MAX + 1)
  return stop and stop <= #text and text:sub(1, stop - 1) .. "…" or text
end


---@param dialog elements.UntoldDialog
---@return string
function M.describe(dialog)
  local text = M.text(dialog)
  return ("%s: the application tells nothing of what is in it.\n%sWith path, it is typed after Ctrl+L, as GTK takes it; "
    .. "button is what is read here, or cancel (Escape)."):format(M.called(dialog),
    text ~= "" and "read from the screen: " .. words.quote(text, TEXT_MAX) .. "\n" or "")
end


-- --- operating it --------------------------------------------------------------------------------

local function focus(dialog)
  return windows.focus { pid = dialog.window.pid, window = dialog.window.id }
end


local function ready(dialog)
  local err, code = hands.refusal({ background = dialog.background, called = M.called(dialog) }, "used",
    "its application tells nothing of it, so it takes keys and the pointer")
  return not err, err, code
end


local function each_key(...)
  for _, keys in ipairs { ... } do
    local sent, err, code = hands.keys({}, keys)
    if not sent then return nil, err, code end
  end
  return true
end


--- Types the path. Nothing shows what the field contains afterwards.
---@param dialog elements.UntoldDialog
---@param path string
---@return true? ok
---@return string? err
---@return string? code
function M.enter(dialog, path)
  local ok, err, code = ready(dialog)
  if not ok then return nil, err, code end
  ok, err, code = effect.choose_file(path, dialog.pid)
  if ok then ok, err, code = focus(dialog) end
  if ok then err, code = modal.keys_refusal() end
  if err then return nil, err, code end
  ok, err, code = each_key("ctrl+l", "ctrl+a")
  if ok then ok, err, code = hands.type({}, path) end
  if not ok then return nil, err, code end
  return true
end


--- Closes the window in place of Escape if a key would make the application hang.
local function by_escape(dialog)
  local ok, err, code = focus(dialog)
  if ok and modal.keys_refusal() then
    ok, err, code = window.close(dialog.window)
    return ok and "close_window" or nil, err, code
  end
  if ok then ok, err, code = each_key "escape" end
  return ok and "key escape" or nil, err, code
end


--- The way to press a button: the pointer, not Return, after which Chromium closes its file dialog without using a file.
local function way(dialog, button)
  local found = captions.called(dialog.labels, button)
  if #found == 1 then return press.way(found[1], "pointer") end
  if captions.plain(button) == "cancel" then return function() return by_escape(dialog) end end
  return nil, ("%s is read %s in %s. Pass another text that is read there, or cancel for Escape. %s."):format(
    words.quote(button, 40), #found > 1 and "more than once" or "nowhere", M.called(dialog),
    captions.suggest(dialog.labels, button)), #found > 1 and "element_ambiguous" or "element_not_found"
end


---@param dialog elements.UntoldDialog
---@param button string
---@return elements.Entered? done
---@return string? err
---@return string? code
function M.press(dialog, button)
  local ok, act, err, code
  ok, err, code = ready(dialog)
  if not ok then return nil, err, code end
  act, err, code = way(dialog, button)
  if not act then return nil, err, code end
  local route
  route, err, code = act()
  if not route then return nil, err, code end
  local waited = wait_for.await({ condition = "gone", window = names.window(dialog.window) }, ENDS)
  return { route = route, closed = waited ~= nil and waited.met }
end


return M
