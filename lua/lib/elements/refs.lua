--- Short names of elements that were listed: "e12".
--
-- A ref is never given to another element while the engine runs. What stands behind it may be thrown away by its application
-- and made anew: then it is found again by what it is (role, name, the way from its window), and refused where that is not
-- certain.

local state = require "sys.state"
local words = require "elements.words"

local M = {}

local KEPT = 20000   -- then the oldest half is forgotten


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
---@field source? string   it was read from the picture
---@field alone? boolean  no other text was the same

---@class elements.Known
---@field last integer   the number given last
---@field first integer  the first that is kept
---@field by_ref table<string, elements.Record>
---@field by_id table<integer, elements.Record>
---@field by_key table<string, elements.Record>

---@return elements.Known
local function known()
  local mine = state.open "elements"
  if not mine.by_ref then mine.last, mine.first, mine.by_ref, mine.by_id, mine.by_key = 0, 1, {}, {}, {} end
  return mine
end


local function full_key(pid, started, key) return ("%d:%d:%s"):format(pid, started, key) end


local function forget(mine, record)
  mine.by_ref[record.ref] = nil
  if mine.by_id[record.id] == record then mine.by_id[record.id] = nil end
  local key = full_key(record.pid, record.started, record.key)
  if mine.by_key[key] == record then mine.by_key[key] = nil end
end


local function make_room(mine)
  if mine.last - mine.first < KEPT then return end
  for i = mine.first, mine.first + KEPT // 2 - 1 do
    local record = mine.by_ref["e" .. i]
    if record then forget(mine, record) end
  end
  mine.first = mine.first + KEPT // 2
end


local function fill(record, node, snapshot)
  record.id, record.pid, record.started, record.window = node.id, snapshot.pid, snapshot.started, node.window
  record.role, record.name, record.key, record.bounds = node.role, words.name(node), node.key, node.bounds
  record.source, record.alone = node.source, node.alone
end


local function new_record(mine)
  make_room(mine)
  mine.last = mine.last + 1
  local record = { ref = "e" .. mine.last }
  mine.by_ref[record.ref] = record
  return record
end


--- One whose application made it anew keeps its ref, if its old id is not in the tree any more.
local function record_of(mine, node, snapshot)
  local record = mine.by_id[node.id]
  if record and record.pid == snapshot.pid then return record end
  record = mine.by_key[full_key(snapshot.pid, snapshot.started, node.key)]
  if record and not snapshot.by_id[record.id] then
    mine.by_id[record.id] = nil
    return record
  end
  return new_record(mine)
end


--- Gives each node its ref.
---@param snapshot elements.Snapshot
---@param whole boolean  of the application, whose keys go from windows down; parts of it have other keys
function M.give(snapshot, whole)
  local mine = known()
  for _, node in ipairs(snapshot.nodes) do
    local record = mine.by_id[node.id]
    if whole or not record then
      record = record_of(mine, node, snapshot)
      fill(record, node, snapshot)
      mine.by_id[node.id] = record
      mine.by_key[full_key(snapshot.pid, snapshot.started, node.key)] = record
    end
    node.ref = record.ref
  end
end


---@param ref string
---@return elements.Record?
function M.find(ref)
  return known().by_ref[ref]
end


local function same_bounds(a, b)
  return a and b and a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height
end


--- Whether the element with the record's id is still what was listed: it may have another name, or another place, not both.
local function unchanged(record, node)
  return node.role == record.role and (words.name(node) == record.name or node.key == record.key
    or same_bounds(node.bounds, record.bounds))
end


--- Those of the snapshot that could be it, by how well they fit.
local function look_alikes(record, snapshot)
  local same_key, same_name = {}, {}
  for _, node in ipairs(snapshot.nodes) do
    if node.role == record.role and words.name(node) == record.name then
      same_name[#same_name + 1] = node
      if node.key == record.key then same_key[#same_key + 1] = node end
    end
  end
  return same_key, same_name
end


--- One that was read from the picture: the same text at the same place, or the only one of it.
local function locate_text(record, snapshot)
  local same = {}
  for _, node in ipairs(snapshot.nodes) do
    if node.source and words.name(node) == record.name then
      local a, b = node.bounds, record.bounds
      local x, y = a.x + a.width / 2, a.y + a.height / 2
      if x >= b.x and x < b.x + b.width and y >= b.y and y < b.y + b.height then return node end
      same[#same + 1] = node
    end
  end
  if #same == 1 and record.alone then return same[1] end
  return nil, #same > 0 and "unsure" or "gone", #same > 0 and same or nil
end


--- The element of a ref in a snapshot of its application.
---@param record elements.Record
---@param snapshot elements.Snapshot
---@return elements.Node? node
---@return "gone"|"unsure"? why
---@return elements.Node[]? candidates  of an unsure one
function M.locate(record, snapshot)
  if record.source then return locate_text(record, snapshot) end
  local node = snapshot.by_id[record.id]
  if node and unchanged(record, node) then return node end
  local same_key, same_name = look_alikes(record, snapshot)
  if #same_key == 1 then return same_key[1] end
  if #same_name == 1 and record.name ~= "" then return same_name[1] end
  if #same_name > 1 then
    for _, each in ipairs(same_name) do
      if same_bounds(each.bounds, record.bounds) then return each end
    end
    return nil, "unsure", same_name
  end
  return nil, "gone"
end


return M
