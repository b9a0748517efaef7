--- The element of a macro's step: exactly one of its window, able to take input, and the one that was recorded.

local dialogs     = require "elements.read.dialogs"
local fail        = require "desktop.fail"
local find        = require "elements.find.search"
local identity    = require "macros.identity"
local modal       = require "elements.read.modal"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local selectors   = require "elements.find.selector"
local target      = require "elements.find.target"
local windows     = require "macros.windows"
local words       = require "elements.read.words"

local M = {}

local SHOWN = 8


local function listed(nodes)
  local lines = {}
  for i = 1, math.min(#nodes, SHOWN) do lines[i] = "  " .. outline.placed(nodes[i]) end
  if #nodes > SHOWN then lines[#lines + 1] = ("  ... and %d more"):format(#nodes - SHOWN) end
  return table.concat(lines, "\n")
end


local function none(snapshot, selector, called)
  local near = find.nearest(snapshot, selector)
  local told = find.unread(snapshot)
  local err = ("No element of %s matches %s.%s"):format(called, selectors.describe(selector), told and " " .. told or "")
  if #near > 0 then err = ("%s Change the selector. Nearest:\n%s"):format(err, listed(near))
  else err = err .. " Call get_ui_tree to see what is there" end
  return nil, err, "MACRO_NO_MATCH"
end


local function several(nodes, selector, called)
  return nil, ("%d elements of %s match %s. Add in, near or nth to the selector:\n%s"):format(#nodes, called,
    selectors.describe(selector), listed(nodes)), "MACRO_SEVERAL_MATCH"
end


--- The one that a selector means. With near it is the nearest; without, all that match count.
local function one_of(snapshot, selector, called)
  local nodes, err, code = identity.matches(snapshot, selector)
  if not nodes then return fail.with(err, code) end
  if #nodes == 0 then return none(snapshot, selector, called) end
  if #nodes == 1 then return nodes[1] end
  if not selector.near then return several(nodes, selector, called) end
  local node, _, what, candidates = find.one(snapshot, selector, true)
  if node then return node end
  return several(what == "element_ambiguous" and candidates or nodes, selector, called)
end


--- The top of a window, as the application reports it.
local function top_of(snapshot, window_id)
  for _, node in ipairs(snapshot.nodes) do
    if node.window == window_id then return node.top end
  end
end


--- True if a dialog has the focus and is not in a page: browsers draw the alerts of pages so, and do not call them modal.
local function has_focus(snapshot, dialog)
  local within = false
  for _, node in ipairs(snapshot.nodes) do
    local at = node.states.focused and node or nil
    while at and at ~= dialog do at = at.up end
    within = within or at ~= nil
  end
  local at = dialog
  while at and at.role ~= "document" do at = at.up end
  return within and not at
end


--- The dialog within a window, without a window of its own, as browsers and pages have it: what is behind it is often not told.
local function dialog_in(snapshot, top)
  local front = dialogs.front(snapshot)
  return front and front ~= top and front.top == top and (front.states.modal or has_focus(snapshot, front)) and front or nil
end


--- The dialog that keeps a step from its element, as an error; nil: none does.
local function in_front(snapshot, top, each, code)
  local refused = top and modal.refusal(snapshot, top)
  local over = not refused and code == "MACRO_NO_MATCH" and dialog_in(snapshot, top)
  return refused or over and ("%s is in front in %s. Answer it with handle_dialog, and resume"):format(words.called(over),
    windows.called(each)) or nil
end


--- The one element that a selector means, if it can be used and is the recorded one.
local function usable(part, selector, each, kind, known)
  local node, err, code = one_of(part, selector, windows.called(each))
  if not node then return nil, err, code end
  local why, what
  if known then why, what = identity.difference(known, selector, node, part) end
  if why then
    return nil, ("%s is not what was recorded: %s. Look at it, and change the selector or record the step again"):format(
      words.called(node), why), what
  end
  if not node.states.enabled and kind ~= "check" then
    return nil, ("%s takes no input now"):format(words.called(node)), "MACRO_DISABLED"
  end
  return node
end


--- Finds the element of a step. A dialog in front is the reason if none is found. Otherwise the tool that acts on it refuses.
---@param each sys.window.Window  its window
---@param kind string
---@param line string  the selector
---@param known? macros.Known  what was recorded of it
---@return elements.Node? node
---@return string? err
---@return string? code
function M.find(each, kind, line, known)
  local selector, err, code = selectors.parse(line)
  if not selector then return fail.with(err, code) end
  if selector.ref then
    return nil, ("%s is a name of this run alone. Write a selector, such as button \"Save\""):format(line), "INVALID_ARGUMENT"
  end
  local snapshot, node
  snapshot, err, code = target.look { pid = each.pid, started = each.started }
  if not snapshot then return fail.with(err, code) end
  node, err, code = usable(recognition.widen(target.in_window(snapshot, each.id), selector), selector, each, kind, known)
  if node then return node end
  local over = in_front(snapshot, top_of(snapshot, each.id), each, code)
  if over then return nil, over, "MACRO_DIALOG_IN_FRONT" end
  return nil, err, code
end


return M
