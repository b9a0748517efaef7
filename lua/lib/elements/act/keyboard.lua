--- Giving an element the keyboard focus, for keys that are meant for it.

local asking  = require "elements.read.asking"
local await   = require "elements.read.await"
local element = require "sys.element"
local hands   = require "elements.read.hands"
local press   = require "elements.press.ways"
local same    = require "elements.act.same_value"
local values  = require "elements.choose.values"
local window  = require "sys.window"
local words   = require "elements.read.words"

local M = {}

local FOCUSES = 2   -- seconds for a field to get the focus after a click, in a browser that is busy
local READS = 10    -- seconds more for a page that is busy to read the text to paste, which stays on the clipboard for longer


---@param node elements.Node
---@return boolean
function M.has_focus(node)
  local fresh = element.get { node.id }
  return fresh ~= nil and not fresh[1].gone and fresh[1].states.focused or false
end


--- Names the element with the keyboard focus, for the end of an error.
local function who_has_focus(pid)
  local tree = element.tree { pid = pid }
  for _, each in ipairs(tree and tree.nodes or {}) do
    if each.states.focused and not words.TOPS[each.role] then return (" It is on %s."):format(words.called(each)) end
  end
  return ""
end


--- Gives the node the keyboard focus, because keys go to the element that has it. A click counts as success if the node reports
--- no focus at all.
---@param node elements.Node
---@return true? ok
---@return string? err
---@return string? code
function M.focus(node)
  local list, err, code = window.list()
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    if each.id == node.window and not each.focused then
      local done, why, what = hands.raise(node, each)
      if not done then return nil, why, what end
    end
  end
  local focused
  focused, err, code = asking.focus(node)
  if not focused and code == "dialog_in_front" then return nil, err, code end
  if M.has_focus(node) then return true end
  local since = await.mark(node.pid)
  local route
  route, err, code = press.by_pointer(node)
  if not route then return nil, err, code end
  if not node.states.focusable or await.until_seen(node.pid, since, FOCUSES, function() return M.has_focus(node) end) then
    return true
  end
  return nil, ("%s was clicked and did not get the keyboard focus, so nothing was typed.%s"):format(words.called(node),
    who_has_focus(node.pid)), "element_refused"
end


--- Pastes text into the element that has the focus. A page that is busy reads the text late, and the answer was that nobody
--- knows: the element shows whether it did.
---@param node elements.Node
---@param text string
---@return true? ok
---@return string? err
---@return string? code
function M.paste(node, text)
  local since = await.mark(node.pid)
  local ok, err, code = hands.paste(node, text)
  if code ~= "paste_unknown" then return ok, err, code end
  local came = await.until_seen(node.pid, since, READS, function()
    local held = values.read(node)
    return held ~= nil and same.told(node, text, held) ~= nil
  end)
  if came then return true end
  return nil, err, code
end


return M
