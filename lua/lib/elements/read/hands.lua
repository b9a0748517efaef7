--- The person's pointer, keys and keyboard focus, for an action on an element. All actions on elements use them through here.
--
-- An action in the background takes neither: it can only ask the application. A look with `background` marks its elements, and
-- what is marked is refused here, so a way that needs the person's hands fails before anything is sent.

local input    = require "sys.input"
local receiver = require "elements.read.receiver"
local window   = require "sys.window"
local words    = require "elements.read.words"

local M = {}

M.POINTER = "that takes the pointer"    -- a reason for refusal()


--- The error for an action that cannot be done in the background; nil: the node is not in it.
---@param node {background?: boolean, role?: string, called?: string}
---@param what? string  a verb in its -ed form; default "used"
---@param how? string    the reason
---@return string? err
---@return string? code  "needs_front"
function M.refusal(node, what, how)
  if not node.background then return nil end
  local called = node.called or node.role and words.called(node) or "The application"
  return ("%s cannot be %s in the background: %s. To do it in front, call again without background."):format(called,
    what or "used", how or "that takes keyboard and focus"), "needs_front"
end


local function in_front(node, what, how, act)
  local err, code = M.refusal(node, what, how)
  if err then return nil, err, code end
  return act()
end


local AT_ONCE = 100   -- presses of one call of sys.input

--- Sends keys that only the node's window gets: a dialog may have opened since it got the focus.
---@param node {background?: boolean, window?: integer}
---@param send fun(window?: integer): ...
local function tied(node, send)
  local id, err, code = receiver.of(node)
  if err then return nil, err, code end
  local function sent(outcome, why, what, ...)
    if not id or what ~= "moved" then return outcome, why, what, ... end
    if receiver.holds_itself(id) then return send(nil) end
    return receiver.moved(id)
  end
  return sent(send(id))
end


--- Presses keys; with a count as often as that.
---@param node {background?: boolean, window?: integer}
---@param chord string
---@param options? {count?: integer}
function M.keys(node, chord, options)
  return in_front(node, "given keys", nil, function()
    local left = options and options.count or 1
    while left > AT_ONCE do
      local ok, err, code = tied(node, function(id) return input.keys(chord, { count = AT_ONCE, window = id }) end)
      if not ok then return nil, err, code end
      left = left - AT_ONCE
    end
    return tied(node, function(id) return input.keys(chord, { count = left > 1 and left or nil, window = id }) end)
  end)
end


function M.type(node, text)
  return in_front(node, "typed into", nil, function()
    return tied(node, function(id) return input.type(text, { window = id }) end)
  end)
end


function M.paste(node, text)
  return in_front(node, "pasted into", nil, function()
    return tied(node, function(id) return input.paste(text, { window = id }) end)
  end)
end


---@param node {background?: boolean}
---@param at {x: number, y: number}
---@param options? {button?: string, count?: integer}
function M.click(node, at, options)
  return in_front(node, "clicked", M.POINTER, function() return input.click(at.x, at.y, options) end)
end


--- Turns the wheel over a point, by notches to the right and down.
---@param node {background?: boolean}
---@param at {x: number, y: number}
---@param right integer
---@param down integer
function M.scroll(node, at, right, down)
  return in_front(node, "scrolled to", M.POINTER, function() return input.scroll(right, down, { x = at.x, y = at.y }) end)
end


---@param node {background?: boolean}
---@param path {x: number, y: number}[]
---@param options? table
function M.drag(node, path, options)
  return in_front(node, "dragged", M.POINTER, function() return input.drag(path, options) end)
end


--- Drops files at a point, as a file manager does.
---@param node {background?: boolean}
---@param at {x: number, y: number}
---@param list string  a text/uri-list
---@param options? table
function M.drop(node, at, list, options)
  return in_front(node, "given files", M.POINTER, function() return input.drop(at.x, at.y, list, options) end)
end


--- Brings a window to the front, with the keyboard focus.
---@param node {background?: boolean}  an element in it
---@param which sys.window.Window
function M.raise(node, which)
  return in_front(node, "brought to the front", "that takes the focus", function() return window.focus(which) end)
end


-- --- giving the focus back ---------------------------------------------------------------------------


--- The person's window, before an action in the background; nil: there is none, or the action is in front.
---@param place {background?: boolean, pid: integer}
---@return sys.window.Window?
function M.person(place)
  for _, each in ipairs(place.background and window.list() or {}) do
    if each.focused and each.pid ~= place.pid then return each end
  end
end


--- Gives the focus back to the person's window if the application took it, as some do for a window that they open.
---@param place {background?: boolean, pid: integer}
---@param person? sys.window.Window  the result of person()
---@return boolean gave
function M.give_back(place, person)
  for _, each in ipairs(person and window.list() or {}) do
    if each.focused and each.pid == place.pid then return window.focus(person) ~= nil end
  end
  return false
end


return M
