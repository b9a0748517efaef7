--- Finds the elements of a snapshot that a selector means, best first.

local labels    = require "elements.read.labels"
local refs      = require "elements.read.refs"
local selectors = require "elements.find.selector"
local sys_text  = require "sys.text"
local table_cells = require "elements.read.table_cells"
local windows   = require "elements.read.windows"
local words     = require "elements.read.words"

local M = {}

local CHUNK = 256       -- texts that are matched by an expression in one call
local NEAR_REACH = 400  -- points that an element may be away from its anchor
local SAME_FAR = 4      -- points within which two are equally near
local SAME_LINE, OTHER_LINE = 0.4, 60   -- part of a height that two on one line share; points added for another line


-- --- one condition after the other -------------------------------------------------------

--- The texts that an element can be found by. Names count more than values.
local function texts_of(node)
  local texts = { words.own_name(node) }
  if node.label then texts[#texts + 1] = node.label end
  if node.value ~= "" then texts[#texts + 1] = words.clean(node.value) end
  if node.unit then texts[#texts + 1] = node.unit end
  if node.maybe then table.move(node.maybe, 1, #node.maybe, #texts + 1, texts) end
  return texts
end


local function equal_text(node, wanted, folded)
  for i, text in ipairs(texts_of(node)) do
    if text == wanted then return 4 - i * 0.1 end
    if words.fold(text) == folded then return 3 - i * 0.1 end
  end
end


local function holds_text(node, folded)
  for i, text in ipairs(texts_of(node)) do
    local at = words.fold(text):find(folded, 1, true)
    if at then return (at == 1 and 2 or 1) - i * 0.1 end
  end
end


--- Keeps the hits for which `score` returns a number, which is added to theirs.
local function keep(found, score)
  local kept = {}
  for _, hit in ipairs(found) do
    local points = score(hit.node, hit)
    if points then
      hit.score = hit.score + points
      kept[#kept + 1] = hit
    end
  end
  return kept
end


--- Keeps elements with a text that matches. Each text is matched by itself: ^ and $ are its ends.
local function keep_matching(found, pattern)
  local texts, owners, kept, has = {}, {}, {}, {}
  for _, hit in ipairs(found) do
    for _, text in ipairs(texts_of(hit.node)) do
      if text ~= "" then texts[#texts + 1], owners[#owners + 1] = text, hit end
    end
  end
  for from = 1, #texts, CHUNK do
    local part = table.move(texts, from, math.min(#texts, from + CHUNK - 1), 1, {})
    local matches, err, code = sys_text.matches(part, pattern)
    if not matches then return nil, err, code == "invalid_pattern" and "bad_argument" or code end
    for i, yes in ipairs(matches) do has[owners[from + i - 1]] = has[owners[from + i - 1]] or yes end
  end
  for _, hit in ipairs(found) do
    if has[hit] then kept[#kept + 1] = hit end
  end
  return kept
end


local function has_states(node, states)
  for state, set in pairs(states) do
    if (node.states[state] or false) ~= set then return nil end
  end
  return 0
end


-- --- near, and within ------------------------------------------------------------------------

--- The distance of two rectangles. Elements on the same line are nearer than those above or below, as they are for the eye.
local function gap(a, b)
  local x = math.max(0, a.x - (b.x + b.width), b.x - (a.x + a.width))
  local y = math.max(0, a.y - (b.y + b.height), b.y - (a.y + a.height))
  local shared = math.min(a.y + a.height, b.y + b.height) - math.max(a.y, b.y)
  local beside = shared >= SAME_LINE * math.min(a.height, b.height)
  return math.sqrt(x * x + y * y) + (beside and 0 or OTHER_LINE)
end


--- The text of an element: its name, otherwise its value.
local function said(node)
  local name = words.own_name(node)
  return name ~= "" and name or words.clean(node.value)
end


--- The elements with that text; for a point, one rectangle of size 0.
local function anchors(snapshot, near)
  if type(near) == "table" then return { { bounds = { x = near.x, y = near.y, width = 0, height = 0 } } } end
  local list, folded = {}, words.fold(near)
  for _, node in ipairs(snapshot.nodes) do
    if (node.bounds or node.role == "cell") and words.fold(said(node)) == folded then list[#list + 1] = node end
  end
  return list
end


local function has(list, node)
  for _, each in ipairs(list or {}) do
    if each == node then return true end
  end
  return false
end


--- The distance between anchor and node, if they may be called near; nil if not. A label is nearest to the field that it
--- belongs to, or to those that it may belong to, and not near other fields with a label of their own.
local function far_from(anchor, node)
  if anchor == node or anchor.top ~= nil and anchor.top ~= node.top then return nil end
  if not anchor.bounds or not node.bounds then return table_cells.apart(anchor, node) end
  if anchor.of == node or has(anchor.rivals, node) or has(anchor.heads, node) then return -1 end
  local known = anchor.of or anchor.names or anchor.rivals or anchor.heads
  if known and (node.label or node.beside or node.maybe) then return nil end
  return gap(anchor.bounds, node.bounds)
end


local function keep_near(found, snapshot, near)
  local list = anchors(snapshot, near)
  local placed = {}
  for _, each in ipairs(list) do placed[#placed + 1] = each.bounds and each or nil end
  if type(near) == "string" then labels.judge(snapshot, placed) end
  local folded = type(near) == "string" and words.fold(near)
  return keep(found, function(node, hit)
    local best = node.label and folded and words.fold(node.label) == folded and 0 or nil
    for _, anchor in ipairs(list) do
      local far = far_from(anchor, node)
      if far and far <= NEAR_REACH and (not best or far + 1 < best) then best = far + 1 end
    end
    hit.far = best
    return best and -best / (NEAR_REACH + 1) or nil
  end)
end


--- The element that has the ref, in a list.
local function of_ref(snapshot, ref)
  local record = refs.find(ref)
  if not record then
    return nil, ("%s was not listed in this run. Call find_elements or get_ui_tree for current refs."):format(ref),
      "element_not_found"
  end
  if record.pid ~= snapshot.pid then
    return nil, ("%s is an element of another application. Leave out application and window: the ref says which one is meant.")
      :format(ref), "bad_argument"
  end
  local node = refs.locate(record, snapshot)
  if node then return { node } end
  return nil, ("%s %s no longer exists."):format(ref, record.role), "element_not_found"
end


--- The windows of this title: applications may give a dialog another name than its title, and messages about windows have the
--- title.
local function titled(snapshot, text)
  local folded, now, found = words.fold(text), windows.now(snapshot.pid) or {}, {}
  for _, node in ipairs(snapshot.nodes) do
    local its = words.TOPS[node.role] and node.window and now[node.window]
    if its and words.fold(words.clean(its.title)) == folded then found[#found + 1] = node end
  end
  return found
end


local function keep_within(found, snapshot, within)
  local outer, err, code
  if within.ref then outer, err, code = of_ref(snapshot, within.ref) else outer, err, code = M.all(snapshot, within) end
  if not outer then return nil, err, code end
  if #outer == 0 and within.text then outer = titled(snapshot, within.text) end
  local holds = {}
  for _, node in ipairs(outer) do holds[node] = true end
  return keep(found, function(node)
    local at = node.up
    while at and not holds[at] do at = at.up end
    return at and 0 or nil
  end)
end


-- --- all of them -----------------------------------------------------------------------------

local function apply(found, snapshot, selector)
  local err, code
  if selector.roles then found = keep(found, function(node) return selector.roles[node.role] and 0 or nil end) end
  if selector.states then found = keep(found, function(node) return has_states(node, selector.states) end) end
  if selector.text then
    local folded = words.fold(selector.text)
    found = keep(found, function(node) return equal_text(node, selector.text, folded) end)
  end
  if selector.contains then
    local folded = words.fold(selector.contains)
    found = keep(found, function(node) return holds_text(node, folded) end)
  end
  if selector.regex then found, err, code = keep_matching(found, selector.regex) end
  if found and selector.near then
    if not selector.roles then found = keep(found, function(node) return words.WORKED[node.role] and 0 or nil end) end
    found = keep_near(found, snapshot, selector.near)
  end
  if found and selector.within then found, err, code = keep_within(found, snapshot, selector.within) end
  return found, err, code
end


--- Weighs elements that fit equally well: those that a user works with before those that only show, and those that are on
--- before those that are off.
local function weight(node)
  return (words.WORKED[node.role] and 0.04 or 0) + (node.states.shown and 0.02 or 0) + (node.states.enabled and 0.01 or 0)
end


---@class elements.Hit
---@field node elements.Node
---@field score number
---@field at integer  its place in the snapshot
---@field far? number  points from its anchor

--- All elements that match, best first; equal ones in their order.
---@return elements.Hit[]? hits
---@return string? err
---@return string? code
local function ranked(snapshot, selector)
  local every = {}
  for i, node in ipairs(snapshot.nodes) do every[i] = { node = node, score = weight(node), at = i } end
  local found, err, code = apply(every, snapshot, selector)
  if not found then return nil, err, code end
  if not selector.index then
    table.sort(found, function(a, b)
      if a.score ~= b.score then return a.score > b.score end
      return a.at < b.at
    end)
  end
  return found
end


local function nodes_of(hits, selector)
  local nodes = {}
  for i, hit in ipairs(hits) do nodes[i] = hit.node end
  return selector.index and { nodes[selector.index] } or nodes
end


--- All elements that match, best first; equal ones in their order. With `index` only that one.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return elements.Node[]? nodes
---@return string? err
---@return string? code  "bad_argument", "pattern_too_costly"
function M.all(snapshot, selector)
  local hits, err, code = ranked(snapshot, selector)
  if not hits then return nil, err, code end
  return nodes_of(hits, selector)
end


-- --- the one that is meant ---------------------------------------------------------------------

--- The nodes for which `wanted` holds, if any; otherwise all.
---@param nodes elements.Node[]
---@param wanted fun(node: elements.Node): boolean?
---@return elements.Node[]
function M.prefer(nodes, wanted)
  local some = {}
  for _, node in ipairs(nodes) do
    if wanted(node) then some[#some + 1] = node end
  end
  return #some > 0 and some or nodes
end


local function exact(selector)
  return function(node)
    for _, text in ipairs(texts_of(node)) do
      if text == selector.text then return true end
    end
  end
end


--- Leaves out containers that only say the same as an element inside them: a group of one label, a tab with a button in it.
---@param nodes elements.Node[]
---@return elements.Node[]
function M.innermost(nodes)
  local holds = {}
  for _, node in ipairs(nodes) do
    local at = node.up
    while at do
      holds[at] = true
      at = at.up
    end
  end
  return M.prefer(nodes, function(node) return not holds[node] end)
end


--- Leaves out elements that are unlikely beside the others: labels beside fields, elements that are off, elements of windows
--- that are not active.
local function most_likely(nodes, selector, also_off)
  if selector.text then nodes = M.prefer(nodes, exact(selector)) end
  if not selector.roles then nodes = M.prefer(nodes, function(node) return words.WORKED[node.role] end) end
  nodes = M.prefer(nodes, function(node) return not words.doubled(node) end)
  if selector.text then nodes = M.innermost(nodes) end
  nodes = M.prefer(nodes, function(node) return node.states.shown end)
  if not also_off then nodes = M.prefer(nodes, function(node) return node.states.enabled end) end
  return M.prefer(nodes, function(node) return node.top.states.active end)
end


--- The elements that are about as near to the text as the nearest one. There are several if the text is there more than once.
local function nearest_ones(hits)
  local least, nodes = math.huge, {}
  for _, hit in ipairs(hits) do least = math.min(least, hit.far or 0) end
  for _, hit in ipairs(hits) do
    if (hit.far or 0) <= least + SAME_FAR then nodes[#nodes + 1] = hit.node end
  end
  return nodes
end


--- For the message about several elements: says which label may belong to each of them, or heads them all; "": none does.
local function doubtful(snapshot, nodes)
  for _, node in ipairs(snapshot.nodes) do
    local maybe, heads = true, true
    for _, each in ipairs((node.rivals or node.heads) and nodes or { {} }) do
      maybe, heads = maybe and has(node.rivals, each), heads and has(node.heads, each)
    end
    if maybe then return (": the label %s may belong to each"):format(words.quote(words.own_name(node), 60)) end
    if heads then return (": the label %s heads them all"):format(words.quote(words.own_name(node), 60)) end
  end
  return ""
end


--- Finds exactly one element; with `near` the nearest of several.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@param also_off? boolean  true: an element that is off may also be meant
---@return elements.Node? node
---@return string? err
---@return string? code          "element_not_found", "element_ambiguous", "bad_argument", ...
---@return elements.Node[]? candidates
function M.one(snapshot, selector, also_off)
  local hits, err, code = ranked(snapshot, selector)
  if not hits then return nil, err, code end
  local nodes = nodes_of(hits, selector)
  if #nodes == 0 then return nil, ("No element matches %s."):format(selectors.describe(selector)), "element_not_found" end
  if type(selector.near) == "table" and not selector.index then return nodes[1] end
  if selector.near and not selector.index then nodes = nearest_ones(hits) end
  nodes = most_likely(nodes, selector, also_off)
  if #nodes == 1 then return nodes[1] end
  err = ("%s matches %d elements%s."):format(selectors.describe(selector), #nodes, doubtful(snapshot, nodes))
  return nil, err, "element_ambiguous", nodes
end


-- --- elements that were not read -------------------------------------------------------------------

--- The node with the most elements that were not read.
local function largest(nodes)
  local found, most = nil, 0
  for _, node in ipairs(nodes) do
    local missing = (node.children or 0) - (node.listed or 0)
    if node.states.shown and missing > most then found, most = node, missing end
  end
  return found, most
end


--- For the message about an element that was not found: says that the look was cut, and how to go on. nil: the look was
--- complete.
---@param snapshot elements.Snapshot
---@return string?
function M.unread(snapshot)
  if not snapshot.cut or snapshot.source then return nil end
  local told = ("Only %d elements were looked at: the application has more (cut)."):format(#snapshot.nodes)
  if snapshot.note then return ("%s %s."):format(told, (snapshot.note:gsub("%.$", ""))) end
  local node, missing = largest(snapshot.nodes)
  if not node then return told .. " Pass window to look at less." end
  return ("%s %s%s holds %d that were not read: scroll in it, or pass window, and look again."):format(told,
    node.ref and node.ref .. " " or "", words.called(node), missing)
end


--- For the message about text that was not found: says that some elements have more text than a look reads. nil: none have.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return string?
function M.unsearched(snapshot, selector)
  if not (selector.text or selector.contains or selector.regex) then return nil end
  local count = 0
  for _, node in ipairs(snapshot.nodes) do
    local meant = not selector.roles or selector.roles[node.role]
    if meant and (node.name_cut or node.value_cut) then count = count + 1 end
  end
  if count == 0 then return nil end
  return ("%d text%s longer than a look reads: only the beginning was searched. To search all of what is shown, use wait_for "
    .. "with condition text."):format(count, count == 1 and " is" or "s are")
end


-- --- suggestions -----------------------------------------------------------------------------------

local MOST = 5

local function nearness(node, selector, folded)
  local score = 0
  if selector.roles and selector.roles[node.role] then score = score + 2 end
  local name = words.fold(words.name(node))
  if folded and name ~= "" then
    if name:find(folded, 1, true) or folded:find(name, 1, true) then score = score + 3 end
    local apart = #folded <= 64 and #name <= 64 and sys_text.distance(folded, name, math.max(1, #folded // 3))
    if apart then score = score + 4 - apart * 0.5 end
  elseif folded then
    score = score - 1
  end
  return score
end


--- Suggests elements for the message about one that was not found.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return elements.Node[] nodes  at most five
function M.nearest(snapshot, selector)
  local folded = selector.text or selector.contains or type(selector.near) == "string" and selector.near or nil
  folded = folded and words.fold(folded)
  local found = {}
  for i, node in ipairs(snapshot.nodes) do
    local score = (words.WORKED[node.role] or node.source) and nearness(node, selector, folded) or 0
    if score > 1 then found[#found + 1] = { node = node, score = score, at = i } end
  end
  table.sort(found, function(a, b)
    if a.score ~= b.score then return a.score > b.score end
    return a.at < b.at
  end)
  local nodes = {}
  for i = 1, math.min(MOST, #found) do nodes[i] = found[i].node end
  return nodes
end


return M
