--- Names fields by their labels, as a reader does.
--
-- 1. In a row, labels stand before their fields, or behind them (elements.read.sides).
-- 2. A label behind a field that has one before it is its unit.
-- 3. A field without a label before it is named by the label right above it, in the same column.
-- 4. Where a label may belong to two fields, it names neither: fields keep it in `maybe`, the label them in `rivals`.

local rows  = require "elements.read.rows"
local sides = require "elements.read.sides"
local units = require "elements.read.units"

local M = {}

local UNIT, ABOVE = 24, 30           -- points between a field and its unit, and the label above it
local ALIGNED, INDENTED = 12, 24     -- points between edges that are aligned; of an indented field


-- --- names of the fields of a run -----------------------------------------------------------------------------

--- Notes that the label belongs to the field, and names it if it has no name.
local function give(field, label)
  label.of = field.node
  if field.open and not field.node.label then
    field.node.label, label.names = units.text_of(label), label.names or field.node
  else
    field.node.beside = field.node.beside or units.text_of(label)
  end
end


local function give_unit(field, label)
  if label.of then return end
  label.of, field.node.unit = field.node, units.text_of(label)
end


--- Takes the labels at both ends of a slider, "Slow" and "Fast", for what they are: the label before them names it.
local function settle_ends(run, at)
  local field, slot = run.fields[at].field, run.slots[at]
  if field.node.role ~= "slider" or not (field.lead and field.trail) then return end
  if units.has_colon(field.lead) or units.is_unit(field.trail) or field.trail.name:find "^[%d.,]+%s*%p?$" then return end
  field.lead.of, field.trail.of = field.node, field.node
  field.lead = #slot > 1 and slot[#slot - 1].node or nil
  field.trail = nil
end


--- The labels of a field in doubt may all be meant.
local function keep_doubts(item)
  local field = item.field
  for _, label in ipairs { field.lead or nil, field.trail or nil } do sides.doubt({ node = label }, { item }) end
  field.lead, field.trail = nil, nil
end


--- Gives check boxes the text behind them, and others the one before them. Fields with a label only behind them are returned:
--- there may be a label above.
local function settle_run(run, open, claimed)
  for at, item in ipairs(run.fields) do
    local field = item.field
    if not field.doubt then settle_ends(run, at) end
    if field.doubt then
      keep_doubts(item)
    elseif field.tall then
      if field.lead then
        field.leads = field.leads or {}
        table.insert(field.leads, field.lead)
      end
      field.lead = nil
    elseif field.check and field.open and field.trail then
      if field.lead then sides.set_heading(field.lead, { item }) end
      give(field, field.trail)
    elseif field.lead then
      give(field, field.lead)
      if field.trail and units.is_unit(field.trail) then give_unit(field, field.trail) end
    else
      open[#open + 1] = { item = item, run = run }
      if field.trail then claimed[field.trail] = true end
    end
  end
end


-- --- labels above ---------------------------------------------------------------------------------------------

local function is_free(all, label)
  return not (all.claimed[label] or label.of or label.heads or label.rivals)
end


--- How well a label above is in the field's column; 0 is best. nil: it is not.
local function column(label, bounds)
  if rows.overlap(label.x, label.width, bounds.x, bounds.width) < rows.OVERLAP then return nil end
  local left, right = math.abs(label.x - bounds.x), math.abs(label.x + label.width - bounds.x - bounds.width)
  if math.min(left, right) <= INDENTED then return 0 end
  return math.abs(left - right) / 2 <= ALIGNED and 0 or 1
end


--- The field right above a label that is nearer to it: the label may be its own, or a remark to it.
local function rival(all, label, far)
  local found
  rows.above(all, "field", label.bounds, ABOVE, function(item, up)
    local field = item.field
    if field.pushed or up >= far - 4 or not column(label.bounds, item.bounds) then return end
    local lone = field.open and not field.node.label and not field.doubt
    if lone or sides.is_clear(up, far) then found = { item = item, lone = lone } end
  end)
  return found
end


--- The best label above a field.
local function label_above(all, item)
  local best, best_fit, best_far
  rows.above(all, "label", item.bounds, ABOVE, function(each, far)
    local fit = is_free(all, each.node) and column(each.bounds, item.bounds)
    local better = fit and (not best or fit < best_fit or fit == best_fit and far < best_far)
    if better then best, best_fit, best_far = each, fit, far end
  end)
  return best, best_fit, best_far
end


local function give_above(all, item)
  local label, _, far = label_above(all, item)
  if not label then return false end
  local other = rival(all, label, far)
  if other then
    if other.lone then sides.doubt(label, { other.item, item }) end
    return other.lone
  end
  give(item.field, label.node)
  return true
end


--- The columns, by their beginning, in which some field has a label behind it and none above: all of them do.
local function columns_of(all, open)
  local columns = {}
  for _, each in ipairs(open) do
    local item = each.item
    local _, fit = label_above(all, item)
    each.above = fit == 0
    if item.field.trail and not each.above then
      if each.run.several then each.run.behind = true else columns[item.bounds.x] = true end
    end
  end
  return columns
end


--- True if the row's labels stand before its fields, so that one behind this field is only its unit: "Price [10] – [20] €".
local function is_led(each)
  local first = each.run.fields[1]
  return first.field.lead ~= nil and first ~= each.item and not each.item.field.check
end


--- True if the label behind the field names it.
local function is_behind(each, columns)
  local item, field = each.item, each.item.field
  if not field.trail or not field.open then return false end
  return field.check or not each.above or each.run.behind or not each.run.several and columns[item.bounds.x] or false
end


local function settle_open(all, open)
  local columns = columns_of(all, open)
  for _, each in ipairs(open) do
    local item, field = each.item, each.item.field
    local may = field.open or not field.check and not field.pushed
    if is_behind(each, columns) and not is_led(each) then
      give(field, field.trail)
    elseif may and give_above(all, item) then
      if field.trail and rows.gap(each.run.row, item, field.trail) <= UNIT then give_unit(field, field.trail) end
    elseif field.trail then
      if is_led(each) then give_unit(field, field.trail) else give(field, field.trail) end
    end
  end
end


-- --- high fields ----------------------------------------------------------------------------------------------

--- Gives a high field the label beside its beginning or its middle, otherwise one above, otherwise the only one beside it.
local function settle_high(all)
  for _, item in ipairs(all.high) do
    local field, best = item.field, nil
    for _, label in ipairs(field.leads or {}) do
      local begins = math.abs(label.bounds.y - item.bounds.y) <= INDENTED
      local fits = begins or math.abs(rows.middle(label.bounds) - rows.middle(item.bounds)) <= ALIGNED
      if fits and is_free(all, label) and not best then best = label end
    end
    if best then
      give(field, best)
    elseif not give_above(all, item) and field.leads and #field.leads == 1 and is_free(all, field.leads[1]) then
      give(field, field.leads[1])
    end
  end
end


--- Judges the labels and fields of one part of a window. Sets `label`, `beside`, `unit` and `maybe` of fields, and `names`,
--- `of`, `heads` and `rivals` of labels.
---@param items elements.RowItem[]
function M.judge(items)
  local all, open = rows.of(items), {}
  for _, row in ipairs(all) do
    for _, run in ipairs(rows.runs(row)) do
      sides.judge(run)
      settle_run(run, open, all.claimed)
    end
  end
  settle_open(all, open)
  settle_high(all)
end


return M
