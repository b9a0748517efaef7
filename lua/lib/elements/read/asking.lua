--- Asks applications to change their elements. Every action asks through here, except those that only scroll.
--
-- An application may open a dialog within any change that it is asked for: the press of a button, a value, a choice, and even the
-- focus, because it may check the field that loses it. Qt answers only when that dialog is closed. GTK 3 answers nothing at all
-- until then, and a key would make it hang for good (modal.lua).

local await   = require "elements.read.await"
local element = require "sys.element"
local hands   = require "elements.read.hands"
local modal   = require "elements.read.modal"
local windows = require "elements.read.windows"

local M = {}

local ANSWERS = { ["do"] = 0.5 }   -- seconds for an application to answer that it did it,
local TAKES = 2                    -- the same for values, which take longer in large documents,
local OPENS = 1.5                  -- and more seconds for a window to open instead
local ASKED = 3       -- questions: GTK answers the first before it does what it was told
local PATIENCE = 0.5  -- seconds for an answer
local NOT_ANSWERED = ", not answered"
local LATE = { timeout = true, app_hung = true }


--- Waits until the window system reports a new window; returns it.
local function await_window(pid, before)
  return await.until_seen(pid, await.mark(pid), OPENS, function() return windows.opened(before, windows.now(pid)) end)
end


--- Asks the application for a change. One that does not answer may have made it.
---@param node elements.Node
---@param change sys.element.Change
---@param called string  "action press"
---@return sys.element.Outcome|string|nil outcome  a string is the route of a change without an answer
---@return string? err
---@return string? code
function M.ask(node, change, called)
  local before = windows.now(node.pid)
  local done, err, code = element.act(node.id, change, { timeout = ANSWERS[change.verb] or TAKES })
  if done or not LATE[code] then return done, err, code end
  local opened = await_window(node.pid, before)
  if opened and opened.modal then modal.note_waiting(node, opened) end
  return M.unanswered(called)
end


--- The route of a change without an answer.
---@param route string
---@return string
function M.unanswered(route) return route .. NOT_ANSWERED end


--- True if the application answers after a change that it agreed to.
---@param node elements.Node
---@return boolean
function M.is_awake(node)
  for _ = 1, ASKED do
    if not element.get({ node.id }, { timeout = PATIENCE }) then return false end
  end
  return true
end


--- True for the route of a change without an answer.
---@param route? string
---@return boolean
function M.is_unanswered(route) return route ~= nil and route:find(NOT_ANSWERED, 1, true) ~= nil end


--- The same, as the route of a change: `called`, unless it was not answered.
---@param node elements.Node
---@param change sys.element.Change
---@param called string
---@return string? route
---@return string? err
---@return string? code
function M.route(node, change, called)
  local done, err, code = M.ask(node, change, called)
  if not done then return nil, err, code end
  return type(done) == "string" and done or called
end


--- Gives an element the keyboard focus. Toolkits raise its window for that.
---@param node elements.Node
---@return sys.element.Outcome? outcome
---@return string? err
---@return string? code  "dialog_in_front": the application opened a dialog instead, and does not answer
function M.focus(node)
  local err, code = hands.refusal(node, "focused", "that takes the focus")
  if err then return nil, err, code end
  local done
  done, err, code = M.ask(node, { verb = "focus" }, "focus")
  if type(done) ~= "string" then return done, err, code end
  err, code = modal.keys_refusal()
  return nil, err or "the application did not answer when it was asked for the focus", code or "timeout"
end


return M
