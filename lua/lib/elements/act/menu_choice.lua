--- Chooses an item of a menu by its path, and reports what changed.

local asking    = require "elements.read.asking"
local attempt   = require "elements.act.attempt"
local element   = require "sys.element"
local menus     = require "elements.choose.menus"
local popups    = require "elements.read.popups"
local press     = require "elements.press.ways"
local selection = require "elements.read.selection"
local words     = require "elements.read.words"

local M = {}

local CLOSES = 0.6   -- seconds for the menus to close by themselves


--- Presses the item and closes menus that stay open, except if the application does not answer: then it has opened a dialog,
--- which Escape would close.
---@return string? route
---@return string? err
---@return string? code
---@return elements.Node? left  the menu that is still open
---@return boolean? took        true: the menu that got the press closed then
local function choose(way, node)
  local act, err, code = press.way(node, "auto")
  if not act then return nil, err, code end
  local shown = popups.now()
  local route
  route, err, code = act()
  if not route then return nil, err, code end
  if asking.is_unanswered(route) then return route end
  local left, alone = menus.close(way, CLOSES)
  return route, nil, nil, left, alone and not node.rival and menus.is_pressed_in(way, node.clicked, shown)
end


--- The node, read again. GTK 4 takes the items of a closed menu out of the tree, but they still report whether they are
--- checked.
local function as_it_is(node)
  local fresh = not node.source and element.get { node.id }
  return fresh and not fresh[1].gone and fresh[1] or nil
end


--- Judges the press. If nothing else proves an effect, the selection is read.
local function verdict_of(way, node)
  local judge, selected = attempt.press_verdict(node), selection.of(way.before)
  return function(seen, restless)
    local now = seen.now or seen.snapshot and as_it_is(node) or nil
    local told = judge({ now = now, changes = seen.changes, snapshot = seen.snapshot, watch = seen.watch, copied = seen.copied,
      flickered = seen.flickered, took = node.taken }, restless)
    local change = told.effect ~= "confirmed" and selected and selection.change(selected)
    return change and { effect = "confirmed", evidence = change } or told
  end
end


---@param args {path: string|string[], application?: string, window?: string, background?: boolean}
---@return elements.Report? report
---@return string? err
---@return string? code
function M.item(args)
  local names, way, node, report, left, err, code
  names, err, code = menus.names(args.path)
  if not names then return nil, err, code end
  way, err, code = menus.begin(args)
  if not way then return nil, err, code end
  node, err, code = menus.walk(way, names)
  if not node then return nil, err, code end
  local function act()
    local route, why, what
    route, why, what, left, node.taken = choose(way, node)
    return route, why, what
  end
  report, err, code = attempt.run({ place = way.place, snapshot = way.before, node = node, hidden = true, mark = way.mark }, act,
    verdict_of(way, node))
  if not report then return menus.failed(way, err, code) end
  if #way.taken > 0 then report.evidence = ("%s; %s"):format(report.evidence, table.concat(way.taken, "; ")) end
  if left then report.evidence = ("%s; %s is still open: press Escape"):format(report.evidence, words.called(left)) end
  return report
end


return M
