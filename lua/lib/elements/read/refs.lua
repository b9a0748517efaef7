--- Short names of elements that were listed: "e12".
--
-- A ref is never given to another element while the engine runs. The application may discard the element behind it and make it
-- again. It is then found by its role, its name and its path from its window, and refused if it is not certainly the same.

local rect  = require "rect"
local state = require "sys.state"
local words = require "elements.read.words"

local M = {}

local KEPT = 20000   -- refs; beyond that the oldest half is forgotten


---@class elements.Record
---@field ref string
---@field id integer
---@field pid integer
---@field started integer
---@field window? integer
---@field role string
---@field name string
---@field key string
---@field bounds? sys.window.Rect
---@field source? string   it was read from the image
---@field alone? boolean  no other text was the same
---@field cell? string      of a cell of a sheet: what it is known by
---@field look integer     the look in which it was seen first
---@field top integer      id of the window or dialog that it is in
---@field top_name string   its title
---@field alike integer    how many in its window had the same role and name, including itself; 0: not known
---@field around? string   the text around it, if others are like it

---@class elements.Known
---@field last integer   the newest number
---@field first integer  the oldest number that is kept
---@field look integer   a counter of looks, at applications or parts of them
---@field by_ref table<string, elements.Record>
---@field by_id table<integer, elements.Record>
---@field by_key table<string, elements.Record>
---@field by_cell table<string, elements.Record>  cells of sheets

---@return elements.Known
local function known()
  local mine = state.open "elements"
  if not mine.by_ref then mine.last, mine.first, mine.look, mine.by_ref, mine.by_id, mine.by_key = 0, 1, 0, {}, {}, {} end
  mine.by_cell = mine.by_cell or {}
  return mine
end


local function full_key(pid, started, key) return ("%d:%d:%s"):format(pid, started, key) end


local function forget(mine, record)
  mine.by_ref[record.ref] = nil
  if mine.by_id[record.id] == record then mine.by_id[record.id] = nil end
  local key = full_key(record.pid, record.started, record.key)
  if mine.by_key[key] == record then mine.by_key[key] = nil end
  if record.cell and mine.by_cell[record.cell] == record then mine.by_cell[record.cell] = nil end
end


local function make_room(mine)
  if mine.last - mine.first < KEPT then return end
  for i = mine.first, mine.first + KEPT // 2 - 1 do
    local record = mine.by_ref["e" .. i]
    if record then forget(mine, record) end
  end
  mine.first = mine.first + KEPT // 2
end


-- --- telling apart -------------------------------------------------------------------------------

local ABOVE, BESIDE, LOOKED = 4, 6, 40   -- levels up to find text; texts that are used; elements that are read

local function gather(node, but, texts, looked)
  for _, each in ipairs(node.down) do
    looked = looked + 1
    if #texts == BESIDE or looked > LOOKED then return looked end
    local text = words.own_name(each)
    if text == "" then text = each.value or "" end
    if each ~= but then
      if text ~= "" and #text <= 200 then texts[#texts + 1] = text end
      looked = gather(each, but, texts, looked)
    end
  end
  return looked
end


--- The text in the row, card or group of an element: it distinguishes Alice's Delete button from the others.
local function around(node)
  local up = node.up
  for _ = 1, ABOVE do
    if not up then return nil end
    local texts = {}
    gather(up, node, texts, 0)
    if #texts > 0 then return table.concat(texts, "\n") end
    up = up.up
  end
end


local function kind_of(node) return ("%s:%s:%s"):format(node.window or 0, node.role, words.name(node)) end


--- The number of elements of each kind.
local function count_kinds(nodes)
  local counts = {}
  for _, node in ipairs(nodes) do
    local kind = kind_of(node)
    counts[kind] = (counts[kind] or 0) + 1
  end
  return counts
end


local function same_bounds(a, b)
  return a and b and a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height
end


--- True if the node is in the same window or dialog as the record. A dialog with a window of its own is a different one each
--- time, even with the same title.
local function is_same_top(record, node)
  local top = node.top or node
  if record.top == top.id then return true end
  return record.window ~= nil and record.window == node.window and (top.role == "window" or record.top_name == words.name(top))
end


--- True if a node in place of the record's element is certainly that element, made again: no element like it came or went, and
--- if there are several, the text around it is the same, or there is none and it is at the same place. How many there were is
--- not known of an element that was only seen in a part: then it is the only one, at the same place.
local function is_made_anew(record, node, alike)
  if record.alike == 0 then return alike == 1 and is_same_top(record, node) and same_bounds(record.bounds, node.bounds) end
  if record.alike ~= alike or not is_same_top(record, node) then return false end
  if alike == 1 then return true end
  local now = words.WORKED[node.role] and around(node) or nil
  return record.around == now and (now ~= nil or same_bounds(record.bounds, node.bounds))
end


-- --- giving refs ---------------------------------------------------------------------------------

--- The key of a cell of a sheet: the sheet and its position. LibreOffice has several objects for one cell, and which one it
--- names depends on how it is asked.
local function cell_key(look, sheet, name)
  return ("%d:%d:%d:%s:%s"):format(look.pid, look.started, sheet.id, sheet.name, name)
end


local function cell_of(node, snapshot)
  local is_cell = node.up and node.up.role == "table" and words.is_of_sheet(node)
  return is_cell and cell_key(snapshot, node.up, node.name) or nil
end


--- The id of a cell of a sheet that was seen before.
---@param look {pid: integer, started: integer}
---@param sheet elements.Node
---@param name string  "C5"
---@return integer?
function M.cell_id(look, sheet, name)
  local record = known().by_cell[cell_key(look, sheet, name)]
  return record and record.id
end


local function fill(record, node, snapshot, alike)
  record.id, record.pid, record.started, record.window = node.id, snapshot.pid, snapshot.started, node.window
  local top = node.top or node
  record.top, record.top_name = top.id, words.name(top)
  record.alike, record.around = alike, alike > 1 and words.WORKED[node.role] and around(node) or nil
  record.role, record.name, record.key, record.bounds = node.role, words.name(node), node.key, node.bounds
  record.source, record.alone = node.source, node.alone
end


local function new_record(mine)
  make_room(mine)
  mine.last = mine.last + 1
  local record = { ref = "e" .. mine.last, look = mine.look }
  mine.by_ref[record.ref] = record
  return record
end


--- The record of a node. An element that its application made again keeps its ref if its old ID is no longer in the tree.
local function record_of(mine, node, snapshot, alike)
  local record = mine.by_id[node.id]
  if record and record.pid == snapshot.pid then return record end
  local cell = cell_of(node, snapshot)
  record = cell and mine.by_cell[cell]
  if record and not snapshot.by_id[record.id] then
    if mine.by_id[record.id] == record then mine.by_id[record.id] = nil end
    return record
  end
  if snapshot.partial then return new_record(mine) end
  record = mine.by_key[full_key(snapshot.pid, snapshot.started, node.key)]
  if record and not snapshot.by_id[record.id] and is_made_anew(record, node, alike) then
    mine.by_id[record.id] = nil
    return record
  end
  return new_record(mine)
end


--- Gives each node its ref.
---@param snapshot elements.Snapshot
---@param whole boolean  true: a look at the application, whose keys begin at windows; keys of a part differ. Those of a partial
---                       snapshot lack places among siblings, so nothing is found by them
function M.give(snapshot, whole)
  local mine, counts = known(), count_kinds(snapshot.nodes)
  mine.look = mine.look + 1
  for _, node in ipairs(snapshot.nodes) do
    local record = mine.by_id[node.id]
    if whole or not record then
      local alike = snapshot.partial and 0 or counts[kind_of(node)]
      record = record_of(mine, node, snapshot, alike)
      fill(record, node, snapshot, alike)
      record.cell = cell_of(node, snapshot)
      if record.cell then mine.by_cell[record.cell] = record end
      mine.by_id[node.id] = record
      if not snapshot.partial then mine.by_key[full_key(snapshot.pid, snapshot.started, node.key)] = record end
    end
    node.ref = record.ref
  end
end


---@param ref string
---@return elements.Record?
function M.find(ref)
  return known().by_ref[ref]
end


--- All records of a window, in the order in which they were listed.
---@param window sys.window.Ref
---@return elements.Record[]
function M.of_window(window)
  local mine, list = known(), {}
  for _, record in pairs(mine.by_ref) do
    local there = record.window == window.id and record.pid == window.pid and record.started == window.started
    if there then list[#list + 1] = record end
  end
  table.sort(list, function(a, b) return tonumber(a.ref:sub(2)) < tonumber(b.ref:sub(2)) end)
  return list
end


--- A copy of the record, to compare with a later look.
---@param record elements.Record
---@return elements.Record
function M.copy(record)
  local copy = {}
  for key, value in pairs(record) do copy[key] = value end
  return copy
end


--- True if the node with the record's ID is still the listed element. Its name or its place may differ, but not both.
local function unchanged(record, node)
  return node.role == record.role and (words.name(node) == record.name or node.key == record.key
    or same_bounds(node.bounds, record.bounds))
end


--- Roles of elements that are pressed or chosen by their names: under another name they do something else.
local PRESSED = words.set("button toggle checkbox radio switch link menu menuitem checkitem radioitem tab listitem treeitem row "
  .. "cell")

--- The name without numbers, because a count in it may have changed: "Inbox (3)".
local function without_numbers(name) return (name:gsub("[%d%p%s]+", " ")) end

local function is_renamed(record, node)
  return PRESSED[node.role] and record.name ~= "" and without_numbers(words.name(node)) ~= without_numbers(record.name)
end


--- The nodes that are like the record's element: all of them, and those in its window that this look was the first to find.
local function look_alikes(record, snapshot)
  local mine, all, fresh = known(), {}, {}
  for _, node in ipairs(snapshot.nodes) do
    if node.role == record.role and words.name(node) == record.name then
      all[#all + 1] = node
      local theirs = mine.by_ref[node.ref]
      if theirs and theirs.look == mine.look and is_same_top(record, node) then fresh[#fresh + 1] = node end
    end
  end
  return all, fresh
end


--- The node that came in place of the element.
local function moved(record, fresh)
  local same = {}
  for _, node in ipairs(fresh) do
    if is_made_anew(record, node, known().by_ref[node.ref].alike) then same[#same + 1] = node end
  end
  if #same == 1 and (record.name ~= "" or record.around) then return same[1] end
end


--- Finds text that was read from the image: the same text at the same place, or the only one like it.
local function locate_text(record, snapshot)
  local same = {}
  for _, node in ipairs(snapshot.nodes) do
    if node.source and words.name(node) == record.name then
      local a, b = node.bounds, record.bounds
      local x, y = a.x + a.width / 2, a.y + a.height / 2
      if rect.holds(b, x, y) then return node end
      same[#same + 1] = node
    end
  end
  if #same == 1 and record.alone then return same[1] end
  return nil, #same > 0 and "unsure" or "gone", #same > 0 and same or nil
end


--- The element of a ref in a snapshot of its application. It is never one that was known beside it.
---@param record elements.Record
---@param snapshot elements.Snapshot
---@param strict? boolean  true: an element that was renamed is reported, not returned
---@return elements.Node? node
---@return "gone"|"unsure"|"renamed"? why
---@return elements.Node[]? candidates  unsure: all that may be meant; renamed: the element
function M.locate(record, snapshot, strict)
  if record.source then return locate_text(record, snapshot) end
  local live = record.ref and known().by_ref[record.ref] or record
  local node = snapshot.by_id[live.id]
  if node and node.role == record.role and strict and is_renamed(record, node) then return nil, "renamed", { node } end
  if node and unchanged(record, node) then return node end
  local all, fresh = look_alikes(record, snapshot)
  local found = moved(record, fresh)
  if found then return found end
  if #fresh > 0 then return nil, "unsure", all end
  return nil, "gone"
end


return M
