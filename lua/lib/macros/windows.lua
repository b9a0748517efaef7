--- The windows of a macro's steps: finding the one that is meant, and seeing that it is still there and can be used.

local app       = require "sys.app"
local app_names = require "app_names"
local fail      = require "desktop.fail"
local listable  = require "desktop.listable"
local modal     = require "elements.read.modal"
local names     = require "desktop.names"
local quoting   = require "desktop.quoting"
local receiver  = require "elements.read.receiver"
local window    = require "sys.window"

local M = {}

local SHOWN = 10

local PARTS = { popup = true, panel = true }   -- kinds that are no windows of their own


--- True if a title matches: as a whole, and "*" stands for any characters.
---@param title string
---@param wanted string
---@return boolean
function M.is_titled(title, wanted)
  local pattern = wanted:lower():gsub("[%^%$%(%)%%%.%[%]%+%-%?]", "%%%0"):gsub("%*", ".*")
  return quoting.either(title, function(text) return text:lower():find("^" .. pattern .. "$") ~= nil end)
end


local function same(a, b) return a ~= nil and a:lower() == b:lower() end


--- True if the window is one of the application.
local function is_of(each, owner, wanted)
  if same(each.app, wanted) or same(each.instance, wanted) then return true end
  for _, name in ipairs(owner and app_names.of(owner) or {}) do
    if same(name, wanted) then return true end
  end
  return owner ~= nil and owner.path == wanted
end


--- A window, as messages name it: `the window "draft.txt"`.
---@param each sys.window.Window
---@return string
function M.called(each) return "the window " .. quoting.quote(each.title, 80) end


--- Those that the caller may be told of.
local function listed(list)
  list = listable.those(list, listable.window)
  local lines = {}
  for i = 1, math.min(#list, SHOWN) do
    lines[i] = ("  %s  %s (%s)"):format(names.window(list[i]), quoting.quote(list[i].title, 120), quoting.name(list[i].app))
  end
  if #list > SHOWN then lines[#lines + 1] = ("  ... and %d more"):format(#list - SHOWN) end
  return #lines > 0 and "\n" .. table.concat(lines, "\n") or " none"
end


--- The windows of an application, or all; and the processes that have them.
local function all_of(application)
  local list, err, code = window.list()
  if not list then return nil, err, code end
  local owners, found = {}, {}
  for _, each in ipairs(application and app.list() or {}) do owners[each.pid] = each end
  for _, each in ipairs(list) do
    if not PARTS[each.kind] and (not application or is_of(each, owners[each.pid], application)) then found[#found + 1] = each end
  end
  return found
end


--- Finds the one window with this title, of this application.
---@param wanted {application?: string, title?: string}
---@return sys.window.Window? found
---@return string? err
---@return string? code
function M.find(wanted)
  local list, err, code = all_of(wanted.application)
  if not list then return fail.with(err, code) end
  local fits = {}
  for _, each in ipairs(list) do
    if not wanted.title or M.is_titled(each.title, wanted.title) then fits[#fits + 1] = each end
  end
  if #fits == 1 then return fits[1] end
  local called = (wanted.title and quoting.quote(wanted.title, 120) or "a window")
    .. (wanted.application and " of " .. quoting.name(wanted.application) or "")
  if #fits > 1 then
    return nil, ("%d windows match %s. Give title, which may have *, or close the others:%s"):format(#fits, called, listed(fits)),
      "MACRO_SEVERAL_WINDOWS"
  end
  return nil, ("No window matches %s. Open it first. Windows that are there:%s"):format(called,
    listed(#list > 0 and list or all_of() or {})), "MACRO_NO_WINDOW"
end


local function is_dialog(each) return each.kind == "dialog" or each.modal or each.parent ~= nil end


--- The window of an application that was opened. A dialog that came first is not the one that is meant if there is another
--- window, and of several that were there none is more meant than the others.
---@param came sys.window.Window     the one in front
---@param application string
---@param was_there boolean  it was not opened now
---@return sys.window.Window? found
---@return string? err
---@return string? code
function M.opened(came, application, was_there)
  local own, of_process = {}, {}
  for _, each in ipairs(all_of(application) or {}) do
    local is_own = not is_dialog(each) and each.app == came.app
    if is_own then own[#own + 1] = each end
    if is_own and each.pid == came.pid then of_process[#of_process + 1] = each end
  end
  if was_there and #own > 1 then
    return nil, ("%d windows of %s are open. Close the others, or bind the one that is meant with macro:window and its title:%s")
      :format(#own, quoting.name(application), listed(own)), "MACRO_SEVERAL_WINDOWS"
  end
  return is_dialog(came) and #of_process == 1 and of_process[1] or came
end


--- The application of a window: its name and ID.
---@param each sys.window.Window
---@return {name: string, id: string}
function M.application(each)
  local owner = app.get { pid = each.pid, started = each.started }
  return { name = owner and owner.name or each.app, id = owner and owner.id or "" }
end


--- The reason why a window is not one of the recorded application; nil: it is.
---@param each sys.window.Window
---@param recorded? {name: string, id?: string}
---@return string? why
function M.other_application(each, recorded)
  if not recorded then return nil end
  local is = M.application(each)
  if recorded.id and recorded.id ~= "" and is.id ~= "" then
    if same(recorded.id, is.id) then return nil end
  elseif same(recorded.name, is.name) or same(recorded.name, each.app) then
    return nil
  end
  return ("It is a window of %s, and the macro was recorded in %s. Open that one, or change the line of the step"):format(
    quoting.name(is.name), quoting.name(recorded.name))
end


--- The window of a step as it is now.
---@param name string  its resource name
---@return sys.window.Window? found
---@return string? err
---@return string? code
function M.now(name)
  local found, err, code = names.look_at_window(name)
  if found then return found end
  if code == "window_not_found" then
    return nil, ("Its window was closed: %s. Run the macro from a step that opens it"):format(name), "MACRO_WINDOW_GONE"
  end
  return fail.with(err, code)
end


--- The modal dialog that is in front of a window; nil: none is.
---@param each sys.window.Window
---@return sys.window.Window?
function M.dialog_over(each) return receiver.over(window.list { pid = each.pid } or {}, each) end


--- The error about a dialog that is in front.
---@param over sys.window.Window
---@return string err
---@return string code
function M.in_front(over)
  return ("Another dialog, %s, is in front. Answer it with handle_dialog, and resume"):format(modal.called(over)),
    "MACRO_DIALOG_IN_FRONT"
end


return M
