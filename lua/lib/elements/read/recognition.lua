--- Elements from the image of an application's windows, for applications that report none.
--
-- Text recognition finds text and its place. It knows no roles and no states, and the elements claim none: each is a label with
-- `source` "ocr" and the recognizer's confidence.

local ocr       = require "sys.ocr"
local refs      = require "elements.read.refs"
local snapshots = require "elements.read.snapshot"
local state     = require "sys.state"
local sys_text  = require "sys.text"
local time      = require "sys.time"
local window    = require "sys.window"
local words     = require "elements.read.words"

local M = {}

M.SURE = 0.6                    -- confidence from which on text counts as read
local WORD, LABEL = 0.3, 0.5    -- a lower confidence means an icon, or nothing
local WINDOWS = 4               -- windows of an application that are read, the frontmost
local BUDGET = 3                -- seconds
local KEPT = 20000              -- texts whose IDs are remembered; beyond that all get new IDs
local TRIES, PAUSE = 10, 0.15   -- looks for a tree, and seconds between them
local NEXT = 3                  -- the largest distance of two words of one text, in line heights


---@class elements.Node
---@field source? string       "ocr": it was read from the image; "ocr:deu" in that language
---@field confidence? number   0 to 1, of text that was read
---@field read? sys.ocr.Word[] its words
---@field alone? boolean       no other one has the same text

---@class elements.Snapshot
---@field source? string

-- --- nodes --------------------------------------------------------------------------------------

--- The number for a key, always the same one. It is negative, because no system has such IDs.
local function id_of(key)
  local mine = state.open "ocr"
  if not mine.ids or mine.known >= KEPT then mine.ids, mine.known, mine.last = {}, 0, mine.last or 0 end
  if not mine.ids[key] then
    mine.known, mine.last = mine.known + 1, mine.last + 1
    mine.ids[key] = -mine.last
  end
  return mine.ids[key]
end


local function around(list)
  local left, top, right, bottom = math.huge, math.huge, -math.huge, -math.huge
  for _, word in ipairs(list) do
    left, top = math.min(left, word.x), math.min(top, word.y)
    right, bottom = math.max(right, word.x + word.width), math.max(bottom, word.y + word.height)
  end
  return { x = left, y = top, width = math.max(1, right - left), height = math.max(1, bottom - top) }
end


local function text_of(list)
  local texts = {}
  for i, word in ipairs(list) do texts[i] = words.clean(word.text) end
  return table.concat(texts, " ")
end


local function least(list)
  local confidence = 1
  for _, word in ipairs(list) do confidence = math.min(confidence, word.confidence) end
  return confidence
end


--- Makes a label. `counts` counts the labels of its window by text.
local function label_of(top, list, source, counts)
  local name = text_of(list)
  counts[name] = (counts[name] or 0) + 1
  local key = ("%s\nocr:%s:%d"):format(top.key, name, counts[name])
  return { id = id_of(("%d:%d:%s"):format(top.pid, top.window, key)), pid = top.pid, window = top.window, parent = top.id,
    role = "label", native = "ocr", name = name, value = "", depth = 1, index = 0, children = 0, listed = 0,
    states = { shown = true }, abilities = {}, bounds = around(list), source = source, confidence = least(list), read = list,
    key = key, up = top, top = top, down = {} }
end


--- Groups the words of each label, and drops those that are not text.
local function labels_in(read)
  local labels = {}
  for i, word in ipairs(read) do
    if i == 1 or word.label ~= read[i - 1].label then labels[#labels + 1] = {} end
    if word.confidence >= WORD then table.insert(labels[#labels], word) end
  end
  local kept = {}
  for _, each in ipairs(labels) do
    local best = 0
    for _, word in ipairs(each) do best = math.max(best, word.confidence) end
    if best >= LABEL then kept[#kept + 1] = each end
  end
  return kept
end


local function window_node(each)
  local key = ("%s:window"):format(each.id)
  local node = { id = id_of(("%d:%s"):format(each.pid, key)), pid = each.pid, window = each.id, role = "window",
    native = "window", name = each.title, value = "", depth = 0, index = 0, children = 0, listed = 0, abilities = {},
    bounds = each.frame,
    states = { shown = true, active = each.focused or nil }, key = key, down = {} }
  node.top = node
  return node
end


local function put_labels(nodes, top, read, source)
  local counts, first = {}, #nodes + 1
  for _, list in ipairs(labels_in(read)) do
    local node = label_of(top, list, source, counts)
    node.before = top.down[#top.down]
    top.down[#top.down + 1] = node
    nodes[#nodes + 1] = node
  end
  for i = first, #nodes do nodes[i].alone = counts[nodes[i].name] == 1 or nil end
  top.children, top.listed = #top.down, #top.down
end


-- --- looking --------------------------------------------------------------------------------------

local function touches(frame, region)
  return not region or frame.x < region.x + region.width and region.x < frame.x + frame.width
    and frame.y < region.y + region.height and region.y < frame.y + frame.height
end


--- The windows to read, frontmost first.
local function windows_of(look)
  local list, err, code = window.list { pid = look.pid, all_kinds = true }
  if not list then return nil, err, code end
  local shown = {}
  for _, each in ipairs(list) do
    local meant = each.pid == look.pid and (not look.window or each.id == look.window)
    if meant and each.on_screen and touches(each.frame, look.region) then shown[#shown + 1] = each end
  end
  if #shown > 0 then return shown end
  return nil, "The application shows no window, so there is nothing to read.", "window_not_found"
end


---@param look {pid: integer, started?: integer, window?: integer, region?: sys.window.Rect, timeout?: number}
---@param source string  "ocr", or "ocr:" and languages
---@return elements.Snapshot? snapshot
---@return string? err
---@return string? code
function M.take(look, source)
  local list, err, code = windows_of(look)
  if not list then return nil, err, code end
  local ends = time.monotonic() + math.min(look.timeout or BUDGET, BUDGET)
  local snapshot = { pid = look.pid, started = look.started or 0, nodes = {}, by_id = {}, cut = #list > WINDOWS, route = "ocr",
    source = source }
  for i = 1, math.min(#list, WINDOWS) do
    local read
    read, err, code = ocr.read { window = list[i], region = look.region, budget = math.max(0.1, ends - time.monotonic()),
      language = source:match "^ocr:(.+)$" }
    if not read and (code ~= "window_not_found" and code ~= "outside" or #list == 1) then return nil, err, code end
    local top = window_node(list[i])
    snapshot.nodes[#snapshot.nodes + 1] = top
    if read then put_labels(snapshot.nodes, top, read.words, source) end
    snapshot.cut = snapshot.cut or read ~= nil and read.cut
  end
  for _, node in ipairs(snapshot.nodes) do snapshot.by_id[node.id] = node end
  refs.give(snapshot, true)
  snapshot.note = "Read by text recognition: roles and states are not known, and letters may be misread."
  return snapshot
end


local NO_TREE = { no_tree = true, no_accessibility = true }

--- Asks again for the tree of an application that has just started: it may have one a moment later. An application gets this
--- time only once.
local function ask_again(look, err, code)
  local mine = state.open "ocr"
  mine.bare = mine.bare or {}
  local key = ("%d:%s"):format(look.pid, look.started)
  if mine.bare[key] then return nil, err, code end
  for _ = 1, TRIES do
    local snapshot
    time.sleep(PAUSE)
    snapshot, err, code = snapshots.take(look)
    if snapshot or not NO_TREE[code] then return snapshot, err, code end
  end
  mine.bare[key] = true
  return nil, err, code
end


--- Returns an element tree, or recognized text if there is none, as `look.source` says: nothing or "tree", "auto", "ocr",
--- "ocr:deu+eng".
---@param look elements.Look
---@return elements.Snapshot? snapshot
---@return string? err
---@return string? code
function M.look(look)
  local asked = look.source
  if asked and asked:find "^ocr" then return M.take(look, asked) end
  local snapshot, err, code = snapshots.take(look)
  if snapshot or asked == "tree" or look.unasked or not NO_TREE[code] then return snapshot, err, code end
  snapshot, err, code = ask_again(look, err, code)
  if snapshot or asked ~= "auto" or not NO_TREE[code] then return snapshot, err, code end
  local read, not_read = M.take(look, "ocr")
  local why = err:gsub("%.$", "")
  if not read then return nil, ("%s. Its text was not read from the screen either: %s"):format(why, not_read), code end
  read.note = ("%s %s%s."):format(read.note, why:sub(1, 1):upper(), why:sub(2))
  return read
end


-- --- text within labels -------------------------------------------------------------------------

--- True if b continues a on the same line, though they may be in separate labels.
local function goes_on(a, b)
  local height = math.max(a.height, b.height)
  local apart = b.x - (a.x + a.width)
  return apart > -height and apart <= NEXT * height and math.abs(a.y + a.height / 2 - b.y - b.height / 2) < height / 2
end


--- The fewest words from the i-th on that contain the text. With `whole` they must be the text.
local function run_from(list, i, folded, whole)
  local run = {}
  for j = i, #list do
    if j > i and not goes_on(list[j - 1], list[j]) then return nil end
    run[#run + 1] = list[j]
    local text = words.fold(text_of(run))
    local at = text:find(folded, 1, true)
    if whole and text == folded or not whole and at then
      local first = words.fold(list[i].text)
      return (whole or at <= #first) and run or nil   -- otherwise it begins with a later word
    end
    if #text > #folded + (whole and 0 or 80) then return nil end
  end
end


--- The places of the text as nodes of their own: in a part of a label, or across several labels.
local function runs_in(top, source, folded, whole, counts)
  local list, found, i = {}, {}, 1
  for _, node in ipairs(top.down) do table.move(node.read or {}, 1, #(node.read or {}), #list + 1, list) end
  while i <= #list do
    local run = run_from(list, i, folded, whole)
    if run then found[#found + 1] = label_of(top, run, source, counts) end
    i = i + (run and #run or 1)
  end
  return found
end


local function says(node, folded, whole)
  local name = words.fold(node.name)
  return whole and name == folded or not whole and #node.read == 1 and name:find(folded, 1, true) ~= nil
end


--- The snapshot with the text that a selector means as elements of their own, so that each has its own place: a word of a line,
--- or words that spaces have separated.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return elements.Snapshot
function M.widen(snapshot, selector)
  local wanted = selector.text or selector.contains
  if not snapshot.source or not wanted then return snapshot end
  local folded, whole, nodes, some = words.fold(wanted), selector.text ~= nil, {}, false
  for _, top in ipairs(snapshot.nodes) do
    local counts = {}
    if top.top == top then
      nodes[#nodes + 1] = top
      local runs, known = runs_in(top, snapshot.source, folded, whole, counts), {}
      for _, node in ipairs(top.down) do
        known[node.name] = known[node.name] or says(node, folded, whole)
        if whole or known[node.name] or not words.fold(node.name):find(folded, 1, true) then nodes[#nodes + 1] = node end
      end
      for _, run in ipairs(runs) do
        if not known[run.name] then
          run.alone = counts[run.name] == 1 or nil
          nodes[#nodes + 1], some = run, true
        end
      end
    end
  end
  if not some then return snapshot end
  local wider = {}
  for key, value in pairs(snapshot) do wider[key] = value end
  wider.nodes, wider.by_id = nodes, {}
  for _, node in ipairs(nodes) do wider.by_id[node.id] = node end
  refs.give(wider, true)
  return wider
end


--- The first node that may be the wanted text, misread; nil: there is none.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return elements.Node?
function M.similar(snapshot, selector)
  local wanted = selector.text or selector.contains
  if not wanted then return nil end
  local folded = words.fold(wanted)
  local most = math.max(1, #folded // 6)
  for _, node in ipairs(snapshot.nodes) do
    local name = words.fold(node.name)
    if node.source and #name <= 200 and #folded <= 200 and sys_text.distance(folded, name, most) then return node end
  end
end


-- --- looking again ---------------------------------------------------------------------------------

--- Finds the same text again and renews its place. Fails if it is not certainly there.
---@param node elements.Node
---@return elements.Node? node
---@return string? err
---@return string? code
function M.renew(node)
  local record = refs.find(node.ref)
  local snapshot, err, code = M.take({ pid = node.pid, started = record and record.started, window = node.window }, node.source)
  if not snapshot then return nil, err, code end
  local fresh, why = refs.locate(record or node, M.widen(snapshot, { text = node.name }))
  if not fresh then
    return nil, ("The text %s is %s. Look again."):format(words.quote(node.name, 60),
      why == "unsure" and "now there more than once, elsewhere" or "no longer read there"), "element_gone"
  end
  node.bounds, node.confidence = fresh.bounds, fresh.confidence
  return node
end


--- Judges a click. A change in recognized text may be a misreading, so it is never more than partial.
---@param changes elements.Change[]
---@return elements.Verdict
function M.verdict(changes)
  for _, change in ipairs(changes) do
    local top = change.node.role == "window"
    if top and change.kind ~= "changed" then
      return { effect = "confirmed", evidence = ("the window %s %s"):format(words.quote(change.node.name, 60),
        change.kind == "added" and "opened" or "closed") }
    end
  end
  local change = changes[1]
  if not change then
    return { effect = "none_seen", evidence = "text recognition reads what it read before; look before you do it again" }
  end
  return { effect = "partial", evidence = ("text recognition reads another text than before (%s %s)"):format(
    change.kind == "removed" and "without" or "with", words.quote(change.node.name, 60)) }
end


return M
