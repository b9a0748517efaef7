--- Selects the events that are notices, and writes their text.

local dialog_name = require "elements.read.dialog_name"
local engine      = require "sys.engine"
local names       = require "desktop.names"
local provenance  = require "policy.provenance"
local quoting     = require "desktop.quoting"
local task        = require "sys.task"
local words       = require "elements.read.words"

local M = {}

local TITLE_MAX, APP_MAX, TEXT_MAX = 40, 20, 80   -- characters

--- The kinds of windows that are worth a notice, and the words for them.
local KINDS = { normal = "window", dialog = "dialog", utility = "window" }


--- The same as names.application() and names.window(), but without remembering that a tool has named it: a notice may never be
--- read.
local function application(event) return ("applications/%d"):format(event.pid) end

local function window_name(event) return ("%s/windows/%d"):format(application(event), event.window.id) end


local function called(event)
  local window = event.window
  local untitled = window.kind == "dialog" and words.clean(window.title) == ""   -- its text is not read for a notice
  local what = untitled and dialog_name.called(window, "") or KINDS[window.kind] .. " " .. words.quote(window.title, TITLE_MAX)
  return ("%s (%s)"):format(what, quoting.name(window.app, APP_MAX))
end


local SAYS = {
  window_opened = function(event)
    if names.is_named(event.window) then return nil end   -- a tool has already named it
    return ("%s opened%s: %s"):format(called(event), event.window.focused and " and has the focus" or "", window_name(event))
  end,
  window_closed = function(event) return called(event) .. " closed" end,
  window_changed = function(event)
    return event.window.attention and ("%s asks for attention: %s"):format(called(event), window_name(event)) or nil
  end,
  application_exited = function(event)
    return ("%s (%s) exited"):format(quoting.name(event.app, APP_MAX), application(event))
  end,
}


local known, count = {}, 0   -- applications that were looked up: a notice is not to wait for that each time
local MOST = 64

--- The names of the application, one a line, by which the policy knows it.
local function names_of(event)
  local key = ("%d %d"):format(event.pid, event.started or 0)
  if not known[key] then
    local list = require("policy.apps").of_pid(event.pid, event.started)
    if count >= MOST then known, count = {}, 0 end
    known[key], count = table.concat(list and list[1] or { event.app }, "\n"), count + 1
  end
  return known[key] .. (event.window and "\n" .. event.window.app or "")
end


--- Gives the engine a notice. It is added to the next result for any client that may call the tool, and a model reads it.
---@param about string
---@param text string
---@param tool string    the one that tells the same
---@param its_names? string  the names of the application, one a line
local function give(about, text, tool, its_names)
  provenance.note_all("screen", text)
  engine.notice(about, text, tool, its_names)
end


--- Makes a notice of a notification. Of several with the same application and title only the newest is reported.
local function notification(told)
  local from = told.app ~= "" and " from " .. words.quote(told.app, APP_MAX) or ""
  local text = told.text ~= "" and " " .. words.quote(told.text, TEXT_MAX) or ""
  give(("notifications/%s/%s"):format(told.app, told.title),
    ("notification%s: %s%s"):format(from, words.quote(told.title, TITLE_MAX), text), "create_observation")
end


--- Gives the engine the events that are notices.
---@param events observing.Event[]
function M.note(events)
  local held <close> = task.lock "notices"   -- looking an application up takes a while, and the next event may absorb this one
  for _, event in ipairs(events) do
    local window = event.window
    local say = (not window or KINDS[window.kind]) and SAYS[event.event]
    local text = say and say(event)
    if text then
      give(window and window_name(event) or application(event), text, window and "list_windows" or "list_applications",
        names_of(event))
    end
    if event.notification then notification(event.notification) end
  end
end


return M
