--- The changes between two looks at an application, as the events of an observation.

local diff    = require "elements.read.diff"
local find    = require "elements.find.search"
local outline = require "elements.read.outline"
local time    = require "sys.time"
local words   = require "elements.read.words"

local M = {}

local VALUE_MAX = 200   -- characters


--- The elements that an observation is about; nil: all.
---@param observation observing.Observation
---@param snapshot elements.Snapshot
---@return table<elements.Node, true>?
local function meant(observation, snapshot)
  if not observation.selector then return nil end
  local set = {}
  for _, node in ipairs(find.all(snapshot, observation.selector) or {}) do set[node] = true end
  return set
end


local function cut(text)
  local stop = utf8.offset(text, VALUE_MAX + 1)
  return stop and stop <= #text and text:sub(1, stop - 1) .. "…" or text
end


--- The names of the members that changed.
local function members(change)
  local list = {}
  if change.name then list[1] = "name" end
  if change.value then list[#list + 1] = "value" end
  for state in pairs(change.states or {}) do list[#list + 1] = state end
  table.sort(list)
  return list
end


--- The states that were set, or those that were lost.
local function states(change, set)
  local list = {}
  for state, now in pairs(change.states or {}) do
    if now == set then list[#list + 1] = state end
  end
  table.sort(list)
  return list[1] and list
end


local function event_of(name, node, snapshot, line, more)
  local value = words.clean(node.value)
  return {
    event = name, at = time.now(), pid = snapshot.pid, started = snapshot.started,
    element = { ref = node.ref, role = node.role, name = words.name(node), value = value ~= "" and cut(value) or nil,
      changed = more.changed, set = more.set, lost = more.lost, items = more.items, window = node.window, line = line },
  }
end


--- Adds events for elements that came or went. Of a group that did so together only the topmost is reported, unless the
--- observation is about certain elements.
local function moved(events, kind, changes, snapshot, set)
  local name, sign = "element_" .. kind, kind == "added" and "+ " or "- "
  if set then
    for _, change in ipairs(changes) do
      local node = change.node
      if change.kind == kind and set[node] then
        events[#events + 1] = event_of(name, node, snapshot, sign .. outline.line(node, kind == "removed"), {})
      end
    end
    return
  end
  for _, group in ipairs(diff.tops(changes, kind)) do
    local items = 0
    for _, node in ipairs(group.below) do items = items + (outline.says(node) and 1 or 0) end
    if items > 0 or outline.says(group.node) then
      local line = sign .. outline.line(group.node, kind == "removed")
      if items > 0 then line = ("%s: %d item%s"):format(line, items, items == 1 and "" or "s") end
      events[#events + 1] = event_of(name, group.node, snapshot, line, { items = items > 0 and items or nil })
    end
  end
end


local function changed(events, changes, snapshot, was, is)
  for _, change in ipairs(changes) do
    local counts = change.kind == "changed" and (not is or is[change.node] or was[change.before])
    if counts then
      local more = { changed = members(change), set = states(change, true), lost = states(change, false) }
      events[#events + 1] = event_of("element_changed", change.node, snapshot, diff.line(change), more)
    end
  end
end


local function in_window(changes, window_id)
  if not window_id then return changes end
  local list = {}
  for _, change in ipairs(changes) do
    if change.node.window == window_id then list[#list + 1] = change end
  end
  return list
end


---@param observation observing.Observation
---@param before elements.Snapshot
---@param after elements.Snapshot
---@param all elements.Change[]
---@return observing.Event[]
function M.events(observation, before, after, all)
  local events, was, is = {}, meant(observation, before), meant(observation, after)
  local list, told = in_window(all, observation.window_id), observation.events
  if told.element_removed then moved(events, "removed", list, before, was) end
  if told.element_added then moved(events, "added", list, after, is) end
  if told.element_changed then changed(events, list, after, was or {}, is) end
  return events
end


return M
