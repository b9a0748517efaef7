--- The search of find_elements: the meaning of its arguments, the matches, and their text.

local find        = require "elements.find.search"
local pages       = require "desktop.pages"
local recognition = require "elements.read.recognition"
local selector    = require "elements.find.selector"
local target      = require "elements.find.target"
local tool        = require "elements.tools.shared"

local M = {}

local PARTS = { "role", "text", "text_contains", "regex", "states", "within", "near", "index" }
local HIDDEN = 5    -- elements that are not shown and are listed if no others match


--- The selector of the arguments: the line, and the parameters beside it. With an application or a window alone it is empty and
--- means each element.
---@param args table
---@return elements.Selector? wanted
---@return string? err
---@return string? code
function M.selector(args)
  local parts = {}
  for _, name in ipairs(PARTS) do parts[name] = args[name] end
  if args.selector then return selector.join(args.selector, parts) end
  if not next(parts) and (args.application or args.window) then return {} end
  if not next(parts) then
    return nil, "Pass selector, role, text, text_contains, regex, states or near; or application alone for each element.",
      "bad_argument"
  end
  return selector.read(parts)
end


--- All elements that match: among the shown ones, or among all if the caller asks for hidden ones.
function M.all(args, wanted)
  args.source = args.source or "auto"
  local place, err, code = target.place(args, wanted)
  if not place then return nil, err, code end
  local snapshot
  snapshot, err, code = target.look(place, { hidden = args.hidden })
  if not snapshot then return nil, err, code end
  local nodes
  snapshot = recognition.widen(snapshot, wanted)
  nodes, err, code = find.all(snapshot, wanted)
  if not nodes then return nil, err, code end
  return nodes, place, snapshot
end


--- The elements that match but are not shown, for a search that found no shown ones.
function M.hidden(place, snapshot, wanted)
  if snapshot.source then return {} end
  local whole = target.look(place, { hidden = true })
  return whole and find.all(whole, wanted) or {}
end


function M.text_of_hidden(nodes, wanted)
  local such = next(wanted) and ("that is shown matches %s"):format(selector.describe(wanted)) or "is shown"
  local lines = { ("%s No element %s. Not shown, for example in a closed menu or scrolled out of sight (hidden=true lists all):")
    :format(pages.found(0, "element"), such) }
  for i = 1, math.min(#nodes, HIDDEN) do lines[i + 1] = "  " .. tool.line(nodes[i]) end
  if #nodes > HIDDEN then lines[#lines + 1] = ("  ... %d more"):format(#nodes - HIDDEN) end
  return table.concat(lines, "\n")
end


function M.text(nodes, total, token, snapshot, wanted)
  if total == 0 then
    local such = next(wanted) and "matches " .. selector.describe(wanted) or "is shown"
    local lines = { ("%s No element %s."):format(pages.found(0, "element"), such) }
    for _, told in ipairs { find.unread(snapshot) or "", find.unsearched(snapshot, wanted) or "" } do
      if told ~= "" then lines[1] = ("%s %s"):format(lines[1], told) end
    end
    if snapshot.source then lines[1] = ("%s %s"):format(lines[1], snapshot.note) end
    for i, node in ipairs(find.nearest(snapshot, wanted)) do
      if i == 1 then lines[1] = lines[1] .. " Nearest:" end
      lines[#lines + 1] = "  " .. tool.line(node)
    end
    return table.concat(lines, "\n")
  end
  local lines = { pages.found(total, "element") }
  if next(wanted) then
    lines[1] = ("%s that match%s %s:"):format(lines[1]:sub(1, -2), total == 1 and "es" or "", selector.describe(wanted))
  end
  for i, node in ipairs(nodes) do lines[i + 1] = tool.line(node) end
  return pages.text(table.concat(lines, "\n"), nodes, total, token)
end


return M
