--- Rows of labels and fields, and the parts of rows that are judged together.
--
-- Items that share most of their height are a row. It is read in its direction of writing.

local units = require "elements.read.units"
local words = require "elements.read.words"

local M = {}

local LEAD = 250       -- points between a label and the field behind it, at most
local OVERLAP = 0.4    -- the shared part of the lower height, or of the lesser width
local TALL = 64        -- points: a higher field is beside several rows
local LINES = 8        -- in one row

local CHECKS = words.set "checkbox radio switch"
local PUSHED = words.set "button toggle link"

M.OVERLAP = OVERLAP


---@class elements.RowField
---@field node elements.Node
---@field open boolean       it has no name of its own
---@field check boolean      its text is behind it
---@field pushed boolean     it is pressed
---@field tall boolean
---@field lead? elements.Node   the label before it
---@field trail? elements.Node  the label behind it
---@field doubt? true        it may have another label

---@class elements.RowItem
---@field node elements.Node
---@field bounds sys.window.Rect
---@field label? elements.Node     set for labels
---@field field? elements.RowField set for fields
---@field sentence? boolean
---@field group? elements.Node     the group with a title that it is in
---@field line? elements.Node      the row of a list that it is in


---@class elements.Row: elements.RowItem[]
---@field y number
---@field height number
---@field middle number
---@field from_right? boolean
---@field label? elements.RowItem[]  its labels,
---@field field? elements.RowItem[]  and its fields, once they are wanted

---@class elements.Rows: elements.Row[]
---@field high elements.RowItem[]            the high fields
---@field claimed table<elements.Node, true> labels behind a field, which may belong to it

-- --- rows -----------------------------------------------------------------------------------------------

---@param a_from number
---@param a_length number
---@param b_from number
---@param b_length number
---@return number part  the shared part of the lesser length
function M.overlap(a_from, a_length, b_from, b_length)
  local shared = math.min(a_from + a_length, b_from + b_length) - math.max(a_from, b_from)
  return shared / math.max(1, math.min(a_length, b_length))
end


---@param bounds sys.window.Rect
---@return number
function M.middle(bounds) return bounds.y + bounds.height / 2 end


--- Sorts items into rows, from the top. High fields are in each row that they are beside.
local function rows_of(items)
  local rows = { high = {}, claimed = {} }
  table.sort(items, function(a, b)
    local first, second = M.middle(a.bounds), M.middle(b.bounds)
    if first ~= second then return first < second end
    return a.node.id < b.node.id
  end)
  for _, item in ipairs(items) do
    local row, b = rows[#rows], item.bounds
    if item.field and item.field.tall then
      rows.high[#rows.high + 1] = item
    elseif row and M.overlap(row.y, row.height, b.y, b.height) >= OVERLAP then
      row[#row + 1] = item
    else
      rows[#rows + 1] = { item, y = b.y, height = b.height, middle = M.middle(b) }
    end
  end
  return rows
end


--- The first row that may reach down to a height.
local function first_row(rows, y)
  local from, to = 1, #rows + 1
  while from < to do
    local at = (from + to) // 2
    if rows[at].middle < y - TALL then from = at + 1 else to = at end
  end
  return from
end


local function add_high(rows)
  for _, item in ipairs(rows.high) do
    local b = item.bounds
    for at = first_row(rows, b.y), #rows do
      local row = rows[at]
      if row.middle > b.y + b.height + TALL then break end
      if M.overlap(row.y, row.height, b.y, b.height) >= OVERLAP then row[#row + 1] = item end
    end
  end
end


--- Items of one kind in a row, by their left edges, so that few are looked at for each field.
local function columns(row, kind)
  local list, widest = {}, 0
  for _, item in ipairs(row) do
    if item[kind] and not item.sentence then
      list[#list + 1] = item
      widest = math.max(widest, item.bounds.width)
    end
  end
  if row.from_right then table.sort(list, function(a, b) return a.bounds.x < b.bounds.x end) end
  list.widest = widest
  return list
end


--- The last item of a list that begins left of a point.
local function last_before(list, x)
  local from, to = 0, #list
  while from < to do
    local at = (from + to + 1) // 2
    if list[at].bounds.x < x then from = at else to = at - 1 end
  end
  return from
end


--- Calls `see` with each label or field that ends within so many points above an element and has a part of its width, and the
--- distance.
---@param rows elements.Rows
---@param kind "label"|"field"
---@param bounds sys.window.Rect
---@param reach number
---@param see fun(item: elements.RowItem, far: number)
function M.above(rows, kind, bounds, reach, see)
  local left, right = bounds.x, bounds.x + bounds.width
  for at = first_row(rows, bounds.y - reach), #rows do
    local row = rows[at]
    if row.middle > bounds.y + TALL then return end
    row[kind] = row[kind] or columns(row, kind)
    local list = row[kind]
    for i = last_before(list, right), 1, -1 do
      local b = list[i].bounds
      if b.x <= left - list.widest then break end
      local far = bounds.y - (b.y + b.height)
      if far >= -4 and far <= reach and b.x + b.width > left then see(list[i], far) end
    end
  end
end


-- --- the direction of writing ----------------------------------------------------------------------------

--- True if the text has letters of a script that is written from right to left (U+05C0 to U+07FF).
local function is_from_right(text) return text:find "[\xD7-\xDF]" ~= nil end


--- How many more of the labels are written from the right than from the left; nil: none is written from the right.
local function lean(items)
  local right, left = 0, 0
  for _, item in ipairs(items) do
    local text = item.label and item.node.name or ""
    if is_from_right(text) then right = right + 1 elseif text:find "[%a\xC3-\xF4]" then left = left + 1 end
  end
  return right > 0 and right - left or nil
end


--- The direction that a colon tells: the label at one end of the row has one, and there is a field at the other. nil: none does.
local function side_of_colon(row)
  local first, last = row[1], row[1]
  for _, item in ipairs(row) do
    if item.bounds.x < first.bounds.x then first = item end
    if item.bounds.x + item.bounds.width > last.bounds.x + last.bounds.width then last = item end
  end
  if first.label and last.field and units.has_colon(first.node) then return "left" end
  return last.label and first.field and units.has_colon(last.node) and "right" or nil
end


--- True if a row is read from the right. Pages may have a few words of another script, such as the names of languages, so `part`,
--- the lean of all labels of its part, counts only where the row does not say.
local function is_read_from_right(row, part)
  if not part then return false end
  local side, own = side_of_colon(row), lean(row) or 0
  if side then return side == "right" end
  return own > 0 or part >= 0
end


local function to_reading_order(row)
  table.sort(row, function(a, b)
    local first, second = a.bounds.x, b.bounds.x
    if row.from_right then first, second = -first - a.bounds.width, -second - b.bounds.width end
    if first ~= second then return first < second end
    return a.node.id < b.node.id
  end)
end


--- The distance from one item to the next in reading order.
---@param row elements.Row
---@param a {bounds: sys.window.Rect}
---@param b {bounds: sys.window.Rect}
---@return number points
function M.gap(row, a, b)
  a, b = a.bounds, b.bounds
  if row.from_right then return a.x - (b.x + b.width) end
  return b.x - (a.x + a.width)
end


-- --- runs: parts of rows that are judged together -----------------------------------------------------------

---@class elements.Run
---@field row elements.Row
---@field fields elements.RowItem[]
---@field slots elements.RowItem[][]  the labels before each field, and behind the last
---@field several? boolean             several fields have their label behind them
---@field spoken? boolean              a sentence ends behind it: "I have [3] children and [2] pets."
---@field behind? boolean              not all of these have a label above

local function new_run(row) return { row = row, fields = {}, slots = { {} } } end


--- True if a label is not too far from the field behind it. In a row of a list it may be anywhere.
---@param row elements.Row
---@param label elements.RowItem
---@param item elements.RowItem
---@return boolean
function M.reaches(row, label, item)
  return label.line ~= nil and label.line == item.line or M.gap(row, label, item) <= LEAD
end


--- True if the two are in different groups with titles, in different rows of lists, or too far apart.
local function parts(row, before, item)
  local other = before.group and item.group and before.group ~= item.group
  return other or before.line ~= item.line or not M.reaches(row, before, item)
end


--- The runs of a row. Sentences separate; those behind a check box are its text.
---@param row elements.Row
---@return elements.Run[]
function M.runs(row)
  local runs, run, before = {}, new_run(row), nil
  for _, item in ipairs(row) do
    local inside = before and before.field and item.label and M.gap(row, before, item) < -4
    local of_check = before and before.field and before.field.check and before.field.open
    if not inside then
      if before and (parts(row, before, item) or item.sentence and not of_check) then
        run.spoken = before.field and item.sentence
        runs[#runs + 1], run = run, new_run(row)
      end
      if item.field then
        run.fields[#run.fields + 1], run.slots[#run.slots + 1] = item, {}
      elseif not item.sentence or of_check then
        table.insert(run.slots[#run.slots], item)
      end
      before = item
    end
  end
  runs[#runs + 1] = run
  return runs
end


local function is_high(item) return item.field ~= nil and item.field.tall end


--- True if items that follow one another overlap: they are in several lines.
local function is_crowded(row)
  for i = 2, #row do
    if M.gap(row, row[i - 1], row[i]) < -4 and not (is_high(row[i - 1]) or is_high(row[i])) then return true end
  end
  return false
end


--- The line that goes on with an item: the nearest in height whose end the item does not overlap.
local function line_of(lines, item)
  local best, least
  for _, line in ipairs(lines) do
    local apart = math.abs(line.middle - M.middle(item.bounds))
    if M.gap(line, line[#line], item) >= -4 and (not best or apart < least) then best, least = line, apart end
  end
  return best
end


--- Splits a row whose items overlap into lines, at most LINES. High fields are in each of them.
local function split(row)
  local lines = {}
  for _, item in ipairs(row) do
    local line = not is_high(item) and (line_of(lines, item) or lines[LINES])
    if line then
      line[#line + 1] = item
    elseif not is_high(item) then
      lines[#lines + 1] = { item, y = row.y, height = row.height, middle = M.middle(item.bounds), from_right = row.from_right }
    end
  end
  for _, item in ipairs(row) do
    for _, line in ipairs(is_high(item) and lines or {}) do line[#line + 1] = item end
  end
  return lines
end


--- The rows of one part of a window, from the top, with their items in reading order.
---@param items elements.RowItem[]
---@return elements.Rows
function M.of(items)
  local rows, part = rows_of(items), lean(items)
  local all = { high = rows.high, claimed = rows.claimed }
  add_high(rows)
  for _, row in ipairs(rows) do
    row.from_right = is_read_from_right(row, part)
    to_reading_order(row)
    local lines = is_crowded(row) and split(row) or { row }
    for _, line in ipairs(lines) do
      if #lines > 1 then to_reading_order(line) end
      all[#all + 1] = line
    end
  end
  return all
end


--- The item of a label.
---@param node elements.Node
---@param sentence boolean
---@param place elements.LabelPlace
---@return elements.RowItem
function M.label(node, sentence, place)
  return { node = node, bounds = node.bounds, label = node, sentence = sentence, group = place.group, line = place.line }
end


--- The item of a field.
---@param node elements.Node
---@param open boolean
---@param place elements.LabelPlace
---@return elements.RowItem
function M.field(node, open, place)
  local field = { node = node, open = open, check = CHECKS[node.role] or false, pushed = PUSHED[node.role] or false,
    tall = node.bounds.height > TALL }
  return { node = node, bounds = node.bounds, field = field, group = place.group, line = place.line }
end


return M
