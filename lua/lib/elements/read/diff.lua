--- Lists the changes between two looks at an application, in short lines.
--
--   + e31 dialog "Save As"
--   + e33  entry "Name" focused
--   ~ e7 entry "Name" ="x"
--   ~ e9 checkbox "Wrap" checked
--   - button "Apply"
--   - 5 items of e60 menu "File"
--
-- The elements are compared, not their lines, which are cut. If there are too many lines, they are folded: + e40 dialog "Open":
-- 36 items.

local budget  = require "elements.read.budget"
local outline = require "elements.read.outline"
local words   = require "elements.read.words"

local M = {}

M.TOKENS = 150
local HEAD = 10   -- tokens that are kept for the last line

--- States whose changes are listed, and those listed only for a caller that watches.
local ORDER = { "enabled", "checked", "mixed", "selected", "expanded", "pressed", "focused", "active", "busy", "invalid" }
local WATCHED = table.move({ "editable", "required" }, 1, 2, #ORDER + 1, table.move(ORDER, 1, #ORDER, 1, {}))

local GAINED = { enabled = "on" }
local LOST = { enabled = "off", checked = "unchecked", expanded = "collapsed", pressed = "released", invalid = "valid" }

--- States that move from one element to another. The loss is listed only if no element has gained the state; the loss of the
--- focus, only for a caller that watches.
local MOVES = { selected = true, focused = true, active = true }


---@class elements.Change
---@field kind "added"|"removed"|"changed"
---@field node elements.Node    as it is now; a removed one: as it was
---@field before? elements.Node
---@field name? boolean         it has another name,
---@field value? boolean        another value,
---@field states? table<string, boolean>  these states were set or lost
---@field chance? true          it may have another cause than the action
---@field menu? true            it went with a menu that was open before

-- --- comparing -------------------------------------------------------------------------------

local function by_key(snapshot)
  local map = {}
  for _, node in ipairs(snapshot.nodes) do map[node.key] = map[node.key] == nil and node or false end
  return map
end


--- Pairs of the same element in both looks: by ID, otherwise by key if only one element has it.
local function match(before, after)
  local was, now_keys = {}, by_key(after)
  for _, node in ipairs(before.nodes) do
    local same = after.by_id[node.id]
    if same and same.role ~= node.role then same = nil end
    same = same or now_keys[node.key] or nil
    if same and not was[same] then was[same] = node end
  end
  return was
end


local function states_changed(old, new, order)
  local states
  for _, state in ipairs(order) do
    local set = new.states[state] or false
    if (old.states[state] or false) ~= set then
      states = states or {}
      states[state] = set
    end
  end
  return states
end


local function shown(node) return node.states.shown end


--- The change of an element that both looks have. A look that was cut for time proves only what it contains: a place or a value
--- that it lacks may exist.
local function compare(old, new, unsure, order)
  if shown(old) ~= shown(new) then
    if shown(new) and unsure.before or shown(old) and unsure.after then return nil end
    return { kind = shown(new) and "added" or "removed", node = shown(new) and new or old, before = old }
  end
  if not shown(new) then return nil end
  local change = { kind = "changed", node = new, before = old, states = states_changed(old, new, order) }
  change.name = words.name(old) ~= words.name(new) or nil
  change.value = old.value ~= new.value and not (unsure.before and old.value == "" or unsure.after and new.value == "") or nil
  if change.states or change.name or change.value then return change end
end


--- True if something may have changed that is not among the changes, because one of the looks was cut for time.
---@param before elements.Snapshot
---@param after? elements.Snapshot
---@return boolean
function M.is_unsure(before, after)
  return (before.late or after and after.late) and true or false
end


--- The changes between two looks. An element that a late look lacks counts as unchanged.
---@param before elements.Snapshot
---@param after elements.Snapshot
---@param watched? boolean  also list states for a caller that watches
---@return elements.Change[]
function M.changes(before, after, watched)
  local was, left, list = match(before, after), {}, {}
  local unsure, order = { before = before.late, after = after.late }, watched and WATCHED or ORDER
  for _, node in ipairs(after.nodes) do
    local old = was[node]
    if old then left[old] = true end
    local came = not old and not unsure.before and shown(node)
    local change = old and compare(old, node, unsure, order)
    list[#list + 1] = change or came and { kind = "added", node = node } or nil
  end
  for _, node in ipairs(before.nodes) do
    if not left[node] and not unsure.after and shown(node) then list[#list + 1] = { kind = "removed", node = node } end
  end
  return list
end


-- --- lines -------------------------------------------------------------------------------------

--- The topmost of the elements that came or went together, each with the others as its `below`.
---@param changes elements.Change[]
---@param kind "added"|"removed"
---@return {node: elements.Node, below: elements.Node[]}[]
function M.tops(changes, kind)
  local set, groups, list = {}, {}, {}
  for _, change in ipairs(changes) do
    if change.kind == kind then set[change.node] = change end
  end
  for _, change in ipairs(changes) do
    local node = change.node
    if set[node] == change then
      local group = node.up and groups[node.up]   -- parents come before children
      if group then
        table.insert(group.below, node)
      else
        group = { node = node, below = {} }
        list[#list + 1] = group
      end
      groups[node] = group
    end
  end
  return list
end


local function said(nodes)
  local list = {}
  for _, node in ipairs(nodes) do
    if outline.says(node) then list[#list + 1] = node end
  end
  return list
end


--- The states of MOVES that some element has now and did not have before.
---@param changes elements.Change[]
local function gained(changes)
  local set = {}
  for _, change in ipairs(changes) do
    for state in pairs(MOVES) do
      local has = change.kind == "added" and change.node.states[state] or change.states and change.states[state]
      set[state] = set[state] or has or nil
    end
  end
  return set
end


--- True if the loss of a state is not worth a word: another element has it now. The focus moves with everything else that
--- happens.
local function has_moved(node, state, elsewhere)
  if state == "focused" or state == "active" and not words.TOPS[node.role] then return true end
  return MOVES[state] and elsewhere[state]
end


local LONG, BEFORE = 120, 20   -- letters of a value that are shown, and of those before a change in a longer one

--- The value, or the changed part of a long one: the beginning would be the same as before.
local function value_of(change)
  local now, was = words.clean(change.node.value), words.clean(change.before and change.before.value or "")
  local same, length = 0, utf8.len(now) or #now
  if change.node.number then return now end
  if length <= LONG or was == "" then return words.quote(now, LONG) end
  for at, point in utf8.codes(now) do
    if was:sub(at, at + #utf8.char(point) - 1) ~= utf8.char(point) then break end
    same = same + 1
  end
  if same <= LONG // 2 then return words.quote(now, LONG) end
  local from = math.min(same - BEFORE, length - BEFORE)
  return "…" .. words.quote(now:sub(utf8.offset(now, from + 1)), LONG)
end


---@param change elements.Change
---@param elsewhere? table<string, true>  the result of gained(); nil: all lost states are listed
local function state_words(change, elsewhere)
  local list, states = {}, change.states or {}
  for _, state in ipairs(WATCHED) do
    local set = states[state]
    if set then list[#list + 1] = GAINED[state] or state end
    if set == false and not (elsewhere and has_moved(change.node, state, elsewhere)) then
      local word = LOST[state] or "not " .. state
      if state == "mixed" then
        word = states.checked == nil and (change.node.states.checked and "checked" or LOST.checked) or nil
      end
      list[#list + 1] = word
    end
  end
  return list
end


--- The line of a changed element; nil: nothing is worth one, for example a lost focus.
local function changed_line(change, elsewhere)
  local node = change.node
  local parts = { "~", node.ref, node.role }
  local name = words.name(change.name and change.before or node)
  if name ~= "" then parts[#parts + 1] = words.quote(name, 80) end
  local told = #parts
  if change.name then parts[#parts + 1] = "-> " .. words.quote(words.name(node), 80) end
  if change.value then
    parts[#parts + 1] = "=" .. value_of(change)
  end
  for _, word in ipairs(state_words(change, elsewhere)) do parts[#parts + 1] = word end
  return #parts > told and table.concat(parts, " ") or nil
end


local function group_line(sign, group, folded)
  local line = ("%s %s"):format(sign, outline.line(group.node, sign == "-"))
  local count = #said(group.below)
  if folded and count > 0 then line = ("%s: %d item%s"):format(line, count, count == 1 and "" or "s") end
  return line
end


local function group_lines(lines, sign, group, folded)
  local says = outline.says(group.node)
  if says or folded then lines[#lines + 1] = group_line(sign, group, folded) end
  if folded then return end
  for _, node in ipairs(said(group.below)) do
    lines[#lines + 1] = ("+ %s%s"):format(says and " " or "", outline.line(node))
  end
end


--- Writes one line for several elements that came to, or went from, the same parent: `- 5 items of e60 menu "File"`.
local function sibling_lines(lines, sign, groups)
  local by_parent, order = {}, {}
  for _, group in ipairs(groups) do
    local parent = group.node.up or group
    if not by_parent[parent] then
      by_parent[parent] = {}
      order[#order + 1] = parent
    end
    table.insert(by_parent[parent], group)
  end
  for _, parent in ipairs(order) do
    local list = by_parent[parent]
    if #list > 1 and parent.role then
      local nodes = {}
      for i, group in ipairs(list) do nodes[i] = group.node end
      lines[#lines + 1] = ("%s %d items of %s %s"):format(sign, #said(nodes), parent.ref, words.called(parent))
    else
      for _, group in ipairs(list) do group_lines(lines, sign, group, true) end
    end
  end
end


--- True if all that changed is that the element takes input, or takes none. Many elements may do so at once.
local function is_switched(change)
  local states = change.kind == "changed" and not change.name and not change.value and change.states or nil
  if not states or states.enabled == nil then return false end
  for state in pairs(states) do
    if state ~= "enabled" then return false end
  end
  return true
end


--- Writes the elements that were switched on or off, after all else: one line each, or one line for all of them.
local function switched_lines(lines, list, folded)
  if not folded or #list == 1 then
    for _, change in ipairs(list) do lines[#lines + 1] = changed_line(change) end
    return
  end
  local counts = { [true] = 0, [false] = 0 }
  for _, change in ipairs(list) do counts[change.states.enabled] = counts[change.states.enabled] + 1 end
  for _, on in ipairs { true, false } do
    local word = on and GAINED.enabled or LOST.enabled
    if counts[on] > 0 then
      lines[#lines + 1] = ("~ %d element%s %s"):format(counts[on], counts[on] == 1 and "" or "s", word)
    end
  end
end


local function write(changes, folded, switched)
  local lines, elsewhere, last = {}, gained(changes), {}
  local added = M.tops(changes, "added")
  if folded then sibling_lines(lines, "+", added) end
  for _, group in ipairs(folded and {} or added) do group_lines(lines, "+", group, false) end
  for _, change in ipairs(changes) do
    local bare = switched and is_switched(change)
    if bare then last[#last + 1] = change end
    if change.kind == "changed" and not bare then lines[#lines + 1] = changed_line(change, elsewhere) end
  end
  sibling_lines(lines, "-", M.tops(changes, "removed"))
  switched_lines(lines, last, switched == "folded")
  return lines
end


--- The line of a changed element, with all states that were set and lost.
---@param change elements.Change
---@return string
function M.line(change) return changed_line(change) or ("~ %s %s"):format(change.node.ref, change.node.role) end


--- The lines of changes within a budget of tokens, approximately; at least one line.
---@param changes elements.Change[]
---@param tokens? integer
---@return string[]
function M.lines(changes, tokens)
  tokens = tokens or M.TOKENS
  local lines
  for _, how in ipairs { { false }, { true, "last" }, { false, "folded" }, { true, "folded" } } do
    lines = write(changes, how[1], how[2])
    if budget.total(lines) <= tokens then return lines end
  end
  return budget.cut(lines, { limit = tokens - HEAD, first = 2, last = #lines, rest = "... %d more changes" })
end


return M
