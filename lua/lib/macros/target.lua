--- The element of a macro's step: exactly one of its window, able to take input, and the one that was recorded.

local fail        = require "desktop.fail"
local find        = require "elements.find.search"
local identity    = require "macros.identity"
local modal       = require "elements.read.modal"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local selectors   = require "elements.find.selector"
local target      = require "elements.find.target"
local words       = require "elements.read.words"

local M = {}

local SHOWN = 8


local function listed(nodes)
  local lines = {}
  for i = 1, math.min(#nodes, SHOWN) do lines[i] = "  " .. outline.placed(nodes[i]) end
  if #nodes > SHOWN then lines[#lines + 1] = ("  ... and %d more"):format(#nodes - SHOWN) end
  return table.concat(lines, "\n")
end


local function none(snapshot, selector)
  local near = find.nearest(snapshot, selector)
  local told = find.unread(snapshot)
  local err = ("No element of its window matches %s.%s"):format(selectors.describe(selector), told and " " .. told or "")
  if #near > 0 then err = ("%s Change the selector. Nearest:\n%s"):format(err, listed(near))
  else err = err .. " Call get_ui_tree to see what is there" end
  return nil, err, "MACRO_NO_MATCH"
end


local function several(nodes, selector)
  return nil, ("%d elements of its window match %s. Add in, near or nth to the selector:\n%s"):format(#nodes,
    selectors.describe(selector), listed(nodes)), "MACRO_SEVERAL_MATCH"
end


--- The one that a selector means. With near it is the nearest; without, all that match count.
local function one_of(snapshot, selector)
  local nodes, err, code = identity.matches(snapshot, selector)
  if not nodes then return fail.with(err, code) end
  if #nodes == 0 then return none(snapshot, selector) end
  if #nodes == 1 then return nodes[1] end
  if not selector.near then return several(nodes, selector) end
  local node, _, what, candidates = find.one(snapshot, selector, true)
  if node then return node end
  return several(what == "element_ambiguous" and candidates or nodes, selector)
end


--- The top of a window, as the application reports it.
local function top_of(snapshot, window_id)
  for _, node in ipairs(snapshot.nodes) do
    if node.window == window_id then return node.top end
  end
end


--- Finds the element of a step.
---@param each sys.window.Window  its window
---@param kind string
---@param line string  the selector
---@param known? macros.Known  what was recorded of it
---@return elements.Node? node
---@return string? err
---@return string? code
---@return elements.Snapshot? snapshot
function M.find(each, kind, line, known)
  local selector, err, code = selectors.parse(line)
  if not selector then return fail.with(err, code) end
  if selector.ref then
    return nil, ("%s is a name of this run alone. Write a selector, such as button \"Save\""):format(line), "INVALID_ARGUMENT"
  end
  local snapshot
  snapshot, err, code = target.look { pid = each.pid, started = each.started }
  if not snapshot then return fail.with(err, code) end
  local top = top_of(snapshot, each.id)
  local refused = top and modal.refusal(snapshot, top)
  if refused then return nil, refused, "MACRO_DIALOG_IN_FRONT" end
  local part = recognition.widen(target.in_window(snapshot, each.id), selector)
  local node
  node, err, code = one_of(part, selector)
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
  return node, nil, nil, part
end


return M
