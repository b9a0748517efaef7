--- Judges on which side of its labels each field of a row is.
--
-- A row is consistent: its labels stand before their fields, or behind them. A colon, a row that begins with a label, and a
-- button before the label say "before"; units, a row that begins with a field and ends with a label, and check boxes say
-- "behind". Distances decide only where one is several times the other, because forms often set a label nearer to the field
-- before it. Where nothing decides, the label may belong to either field.

local rows  = require "elements.read.rows"
local units = require "elements.read.units"
local words = require "elements.read.words"

local M = {}

local gap = rows.gap
local TRAIL = 60             -- points between a field and the label behind it, at most
local APART, TIMES = 12, 3   -- a distance is clearly larger: by so many points, and so many times


-- --- before or behind ---------------------------------------------------------------------------------------

local function can_lead(field) return not (field.check and not field.open) end

local function can_trail(field) return not (field.tall or field.pushed or field.check and not field.open) end


--- The label before the first field, if it may name it.
local function leader(run)
  local first, slot = run.fields[1], run.slots[1]
  local label = slot[#slot]
  if label and can_lead(first.field) and rows.reaches(run.row, label, first) then return label end
end


--- The label behind the last field, if it may name it.
local function trailer(run)
  local last, label = run.fields[#run.fields], run.slots[#run.slots][1]
  local fits = label and can_trail(last.field) and not units.has_colon(label.node) and gap(run.row, last, label) <= TRAIL
  return fits and label or nil
end


local function is_called(item, label) return words.fold(words.own_name(item.node)) == words.fold(words.own_name(label.node)) end


local function follows_colon(run, at)
  local slot = run.slots[at]
  return #slot > 0 and units.has_colon(slot[#slot].node)
end


--- True if the label is a unit, in a row that does not begin with a label of its kind: "Hours [10] Minutes [5]".
local function tells_unit(run, label)
  if not units.is_unit(label.node) then return false end
  local heading = leader(run)
  if not heading or units.has_colon(heading.node) then return true end
  return not units.is_unit(heading.node) and units.is_small(label.node) and not units.is_small(heading.node)
end


--- Whether a label belongs to the field before it or behind it, by itself. The second value is true if this says how the row
--- is made.
local function by_itself(run, at, label)
  local a, b = run.fields[at - 1], run.fields[at]
  if is_called(a, label) then return "trail", true end
  if is_called(b, label) then return "lead", true end
  if not can_trail(a.field) then return "lead" end
  if not can_lead(b.field) then return "trail" end
  if units.has_colon(label.node) then
    if a.field.check and not follows_colon(run, at - 1) then return nil end
    return "lead", true
  end
  if gap(run.row, a, label) > TRAIL then return "lead" end
  if a.field.check then return leader(run) and not trailer(run) and run.fields[1].field.check and "lead" or "trail" end
  if tells_unit(run, label) then return "trail", true end
  if b.field.pushed and not b.field.open then return "trail" end
end


--- True if the first distance is clearly the smaller one.
---@param less number
---@param more number
---@return boolean
function M.is_clear(less, more)
  less = math.max(less, 4)
  return more - less >= APART and more >= TIMES * less
end


local function by_distance(run, at, label)
  local before, behind = gap(run.row, run.fields[at - 1], label), gap(run.row, label, run.fields[at])
  if not M.is_clear(math.min(before, behind), math.max(before, behind)) then return nil end
  return before < behind and "trail" or "lead"
end


--- The side of labels that say nothing by themselves, from the row's ends.
local function by_ends(run, undecided)
  local first, last = leader(run), trailer(run)
  if not first and not last or run.spoken then return nil end
  if not (first and last) then return first and "lead" or "trail" end
  if units.has_colon(first.node) then return "trail" end   -- all others would have one, too
  local inner = false
  for _, label in ipairs(undecided) do inner = inner or units.is_unit(label.node) end
  return units.is_unit(last.node) and not inner and "lead" or nil
end


--- The sides of the labels that stand alone between two fields, by the field behind them.
local function sides_of(run)
  local sides, votes, undecided, places = {}, { lead = 0, trail = 0 }, {}, {}
  for at = 2, #run.fields do
    local label = #run.slots[at] == 1 and run.slots[at][1]
    if label then
      local side, counts = by_itself(run, at, label)
      sides[at] = side
      if side and counts then votes[side] = votes[side] + 1 end
      if not side then undecided[#undecided + 1], places[#places + 1] = label, at end
    end
  end
  local side
  if votes.lead + votes.trail > 0 then
    side = votes.trail == 0 and "lead" or votes.lead == 0 and "trail" or nil
  else
    side = by_ends(run, undecided)
  end
  for i, at in ipairs(places) do
    local told = run.fields[at - 1].field.check and units.has_colon(undecided[i].node)
    sides[at] = not told and (side or votes.lead + votes.trail == 0 and by_distance(run, at, undecided[i])) or "doubt"
  end
  return sides
end


--- Notes that the label may belong to each of these fields.
---@param label {node: elements.Node}
---@param fields elements.RowItem[]
function M.doubt(label, fields)
  label.node.rivals = label.node.rivals or {}
  for _, item in ipairs(fields) do
    item.field.doubt = true
    item.node.maybe = item.node.maybe or {}
    table.insert(item.node.maybe, units.text_of(label.node))
    table.insert(label.node.rivals, item.node)
  end
end


--- Gives the labels between two fields to these.
local function share_out(run, at, side)
  local slot, a, b = run.slots[at], run.fields[at - 1], run.fields[at]
  local first, last = slot[1], slot[#slot]
  if side == "doubt" then return M.doubt(first, { a, b }) end
  local leads = side ~= "trail" or units.goes_on(last.node)
  if leads and can_lead(b.field) and rows.reaches(run.row, last, b) then b.field.lead = last.node end
  local behind = can_trail(a.field) and not units.has_colon(first.node) and gap(run.row, a, first) <= TRAIL
  if (side == "trail" or #slot > 1 and behind) and can_trail(a.field) then a.field.trail = first.node end
end


--- The fields that have a label behind them and none before, if there are several: the row's first label heads them.
local function headed(run)
  local fields = {}
  for i, item in ipairs(run.fields) do
    if item.field.trail and not item.field.doubt and (i == 1 or not item.field.lead) then fields[#fields + 1] = item end
  end
  return #fields > 1 and fields[1] == run.fields[1] and fields or nil
end


--- Notes that the label heads all of these fields.
---@param label elements.Node
---@param fields elements.RowItem[]
function M.set_heading(label, fields)
  label.heads = label.heads or {}
  for _, item in ipairs(fields) do table.insert(label.heads, item.node) end
end


--- Sets `lead` and `trail` of the fields of a run: the labels before and behind them.
---@param run elements.Run
function M.judge(run)
  if #run.fields == 0 then return end
  local first, last, sides = leader(run), trailer(run), sides_of(run)
  if first then run.fields[1].field.lead = first.node end
  for at = 2, #run.fields do
    if #run.slots[at] > 0 then share_out(run, at, sides[at]) end
  end
  if last then run.fields[#run.fields].field.trail = last.node end
  local heads, lead = headed(run), run.fields[1].field.lead
  if heads and lead then
    M.set_heading(lead, heads)
    run.fields[1].field.lead = nil
  end
  run.several = heads ~= nil
end


return M
