--- Names for elements that have none: the text of the label before, behind or above them, as a reader finds it.
--
-- Toolkits seldom report the label of a field. elements.read.naming judges the rows of a window. Each label names one element. A
-- sentence names nothing. Elements in a tab's page, in a bar or in a list are not named by labels outside it, and the text of a
-- button or in a field names nothing outside of it.

local naming = require "elements.read.naming"
local rows   = require "elements.read.rows"
local units  = require "elements.read.units"
local words  = require "elements.read.words"

local M = {}

--- Roles of elements that a label names if they have no name.
local NAMED = { entry = true, text = true, password = true, combobox = true, spin = true, slider = true, switch = true,
  checkbox = true, radio = true, toggle = true, button = true, list = true, tree = true, table = true, progress = true }


--- Roles of containers whose content belongs together, separate from its surroundings.
local REGIONS = { tab = true, tablist = true, toolbar = true, statusbar = true, menubar = true, alert = true,
  notification = true, list = true, tree = true, table = true }

--- Roles of elements that are pressed as a whole: text in them belongs to them.
local PRESSED = { button = true, toggle = true, link = true, menu = true, menuitem = true, checkitem = true, radioitem = true }

--- Roles of rows of lists. The text that names a row also names a field in it.
local LINES = words.set "listitem row treeitem cell"

--- Roles of fields. Text and fields in them are parts of them.
local FIELDS = words.set "entry text password combobox spin slider progress"


--- Roles of elements whose text is their name: rows of lists, and buttons of toolkits that do not name them.
local BY_CONTENT = { listitem = true, row = true, cell = true, treeitem = true, tab = true, button = true, toggle = true,
  link = true, menuitem = true, checkitem = true, radioitem = true, header = true }

local function pressed_around(label)
  local up = label.up
  while up and not PRESSED[up.role] do up = up.up end
  return up
end


--- True if the group holds anything but a label: a frame with a title does. The cells of a table that only lays out a page are
--- groups as well, and named by their text.
local function is_frame(group)
  return group.role == "group" and not (#group.down == 1 and group.down[1].role == "label")
end


--- The element that already has the label's text as its name: a frame by its title, a button by its text.
---@param label elements.Node
---@return elements.Node?
local function titled(label)
  local name = words.own_name(label)
  for _, each in ipairs { label.up or label, pressed_around(label) } do
    local may = is_frame(each) or words.WORKED[each.role]
    if may and name ~= "" and words.own_name(each) == name then return each end
  end
end


--- True for a combo box that is named by its value, as those of GTK 3 and Swing are.
local function is_called_by_value(node) return node.role == "combobox" and words.clean(node.value) == "" end


local function is_open(node)
  return not node.label and (words.own_name(node) == "" or is_called_by_value(node))
end


--- True if a label beside the element may name it.
---@param node elements.Node
---@return boolean
function M.may_name(node) return NAMED[node.role] ~= nil and is_open(node) end


--- True if the element may have its name from a label in it.
---@param node sys.element.Node
---@return boolean
function M.may_have_inside(node) return BY_CONTENT[node.role] ~= nil and words.own_name(node) == "" end


--- Notes which labels only repeat a title, and returns the windows that have a field without a name.
local function windows_to_judge(nodes)
  local wanted = {}
  for _, node in ipairs(nodes) do
    if node.role == "label" then
      node.names = node.names or titled(node)
    elseif NAMED[node.role] and is_open(node) then
      wanted[node.top or node] = true
    end
  end
  return wanted
end


---@class elements.LabelPlace
---@field region? elements.Node  the container that separates it from its surroundings
---@field group? elements.Node   the group with a title in it
---@field line? elements.Node    the row of a list in it
---@field inside? true           it is a part of a field

--- The place of the elements in this one.
local function place_below(up, place)
  if FIELDS[up.role] then return { region = place.region, group = place.group, line = place.line, inside = true } end
  if REGIONS[up.role] or PRESSED[up.role] then return { region = up, inside = place.inside } end
  if LINES[up.role] then return { region = place.region, line = up, inside = place.inside } end
  if is_frame(up) and up.up and words.own_name(up) ~= "" then
    return { region = place.region, group = up, line = place.line, inside = place.inside }
  end
  return place
end


--- True if the label already names something that a field in a row of a list is not called by.
local function is_taken(label) return label.names ~= nil and not LINES[label.names.role] end


-- --- elements out of sight -------------------------------------------------------------------------------

local function has_place(node) return node.bounds ~= nil and node.bounds.width > 1 and node.bounds.height > 1 end


--- The captions and fields in a parent, in its order; without what has its text in itself, as check boxes and buttons.
local function sequence_of(parent)
  local found = { labels = 0, fields = 0, units = 0, alternates = true }
  for _, each in ipairs(parent.down) do
    local label = each.role == "label" and units.kind(each) == "caption"
    local field = NAMED[each.role] and (FIELDS[each.role] or is_open(each))
    if label or field then
      local last = found[#found]
      found.alternates = found.alternates and not (last and (last.role == "label") == (each.role == "label"))
      found[#found + 1], found[each] = each, #found + 1
      found.labels, found.fields = found.labels + (label and 1 or 0), found.fields + (field and 1 or 0)
      found.units = found.units + (label and units.is_unit(each) and 1 or 0)
    end
  end
  return found
end


--- The sequences in the parents that have a label or field without a place.
local function sequences_of(nodes, wanted)
  local found = {}
  for _, node in ipairs(nodes) do
    local up = node.up
    local is_part = up and not found[up] and (node.role == "label" or NAMED[node.role]) and wanted[node.top or node]
    if is_part and not has_place(node) then found[up] = sequence_of(up) end
  end
  return found
end


--- The place of labels in an order: -1 before their fields, 1 behind them, nil if it cannot be known. The order of a grid of
--- GTK 3 is from its end, so labels before their fields come behind them.
local function side_of(all)
  local first, last = all[1], all[#all]
  if not first then return nil end
  if first.role == "label" and last.role ~= "label" then return -1 end
  return first.role ~= "label" and last.role == "label" and 1 or nil
end


--- True if the order alone says that the label is the field's: the label has a colon, or each field has one and all of them are
--- units, or none is.
local function is_sure(all, label)
  if units.has_colon(label) then return true end
  if not all.alternates or all.labels ~= all.fields then return false end
  return all.units == 0 or all.units == all.labels
end


--- True if a field beside a label, or a label beside a field, has no place: the label may be that field's, and then is not this
--- one's.
local function is_torn(node, sequences)
  local all = node.up and sequences[node.up]
  local at = all and all[node]
  if not at then return false end
  local torn, told = false, node.role == "label" and units.has_colon(node)
  for _, each in ipairs { all[at - 1] or node, all[at + 1] or node } do
    local other = (each.role == "label") ~= (node.role == "label")
    torn = torn or other and (not has_place(each) or node.role ~= "label" and is_torn(each, sequences))
    told = told or other and has_place(each) and each.role == "label" and units.has_colon(each)
  end
  return torn and not told
end


-- --- parts ----------------------------------------------------------------------------------------------

--- The item of a label or a field; nil: it is neither, or has no bounds.
local function item_of(node, place, sequences)
  if not has_place(node) or is_torn(node, sequences) then return nil end
  if node.role == "label" then
    local kind = not is_taken(node) and units.kind(node)
    return kind and rows.label(node, kind == "sentence", place) or nil
  elseif NAMED[node.role] or node.role == "link" then
    return rows.field(node, NAMED[node.role] and is_open(node) or false, place)
  end
end


--- The keys of the parts of windows that are judged alone: regions, and what is hidden in them. The second value has the parts
--- with a field that has no name.
local function parts_of(nodes, wanted)
  local places, keys, open, none = {}, {}, {}, {}
  for _, node in ipairs(nodes) do
    local top, up = node.top or node, node.up
    if wanted[top] then
      local place = up and place_below(up, places[up] or none) or none
      places[node] = place
      if not place.inside and (node.role == "label" or NAMED[node.role] or node.role == "link") then
        local region = place.region or top
        local key = node.states.shown and region or -region.id
        keys[node] = key
        open[key] = open[key] or NAMED[node.role] and is_open(node) or nil
      end
    end
  end
  return places, keys, open
end


--- The labels and fields of each part that is to be judged and has labels.
local function items_of(nodes, wanted, all, sequences)
  local places, keys, open = parts_of(nodes, wanted)
  local parts, order = {}, {}
  for _, node in ipairs(nodes) do
    local key, done = keys[node], (node.top or node).judged
    local item = key and (open[key] or all) and not (done and done[key]) and item_of(node, places[node], sequences)
    if item then
      local part = parts[key]
      if not part then
        part = { labels = 0, top = node.top or node, key = key }
        parts[key], order[#order + 1] = part, part
      end
      part[#part + 1] = item
      part.labels = part.labels + (item.label and 1 or 0)
    end
  end
  return order
end


--- Names a field by the label next to it in its parent, if one of them has no bounds.
local function name_by_order(node, sequences)
  local all = node.up and sequences[node.up]
  local at, side = all and all[node], all and side_of(all)
  local label = at and side and all[at + side]
  if not label or label.role ~= "label" or label.names or has_place(label) and has_place(node) then
    return
  end
  if not is_sure(all, label) then return end
  if is_open(node) then node.label, label.names = units.text_of(label), node else node.beside = units.text_of(label) end
  label.of = node
end


local CONTENT_DEPTH = 4


--- The first label in the element.
local function content_of(node, depth)
  for _, child in ipairs(node.down) do
    if child.role == "label" and units.text_of(child) ~= "" then return child end
    local found = depth > 1 and not words.WORKED[child.role] and content_of(child, depth - 1)
    if found then return found end
  end
end


--- True if the element holds a field: GTK's tabs hold their pages, and a page's labels are those of its fields.
local function holds_fields(node)
  for _, child in ipairs(node.down) do
    if words.WORKED[child.role] and not words.BUTTONS[child.role] or holds_fields(child) then return true end
  end
  return false
end


local function name_by_content(nodes)
  for _, node in ipairs(nodes) do
    local unnamed = BY_CONTENT[node.role] and #node.down > 0 and not node.part and words.own_name(node) == ""
    if unnamed and not (node.role == "tab" and holds_fields(node)) then
      local label = content_of(node, CONTENT_DEPTH)
      if label and not label.names then node.label, label.names = units.text_of(label), node end
    end
  end
end


--- The button inside the element that is pressed in its place: GTK 4 has a button or a toggle in its menu button.
local function inner_button(node)
  local found
  for _, child in ipairs(node.down) do
    local inner = words.alike(child, node)
    if inner and found then return nil end
    found = inner and child or found
  end
  return found
end


local function name_by_inner(nodes)
  for _, node in ipairs(nodes) do
    local inner = words.BUTTONS[node.role] and words.name(node) == "" and inner_button(node)
    if inner and words.name(inner) ~= "" then node.label = words.name(inner) end
  end
end


-- --- tables of pages that lay out a form -------------------------------------------------------------------

--- Counts what is in a cell: its first field, text before that, and anything else.
local function count_in(node, count)
  for _, child in ipairs(node.down) do
    if NAMED[child.role] then
      count.others = count.others + (count.field and 1 or 0)
      count.field = count.field or child
    elseif child.role == "label" then
      count.leads = count.leads or not count.field
    elseif #child.down == 0 then
      count.others = count.others + 1
    else
      count_in(child, count)
    end
  end
  return count
end


local function is_in_page(node)
  while node and node.native ~= "document web" do node = node.up end
  return node ~= nil
end


--- Names the only field in a cell by the text of the cell before it. Two cells of text before a field are data about something:
--- "Apples", "3 EUR", [2].
local function name_by_cells(nodes)
  local in_page = {}
  for _, row in ipairs(nodes) do
    local up, caption, was_text = row.role == "row" and row.up, nil, false
    if up and in_page[up] == nil then in_page[up] = is_in_page(up) end
    for _, cell in ipairs(up and in_page[up] and row.down or {}) do
      local count = count_in(cell, { others = 0 })
      local lone = count.others == 0 and not count.leads and count.field
      if caption and lone and is_open(lone) then lone.label = units.text_of(caption) end
      local is_text = count.others == 0 and not count.field and words.own_name(cell) ~= ""
      caption = is_text and not was_text and units.kind(cell) == "caption" and cell or nil
      was_text = is_text
    end
  end
end


--- The value of an element. A combo box that is named by its value and has a label shows that name as its value.
---@param node elements.Node
---@param fresh sys.element.Node  as it is now
---@return string
function M.value(node, fresh)
  if node.label and is_called_by_value(fresh) then return words.own_name(fresh) end
  return fresh.value
end


local function keep_values(nodes)
  for _, node in ipairs(nodes) do
    if node.label and node.role == "combobox" then node.value = M.value(node, node) end
  end
end


local function judge(nodes, wanted, all)
  local sequences = sequences_of(nodes, wanted)
  for _, node in ipairs(nodes) do
    if NAMED[node.role] and wanted[node.top or node] then name_by_order(node, sequences) end
  end
  for _, part in ipairs(items_of(nodes, wanted, all, sequences)) do
    local judged = part.top.judged or {}
    part.top.judged, judged[part.key] = judged, true
    if part.labels > 0 then naming.judge(part) end
  end
end


--- Sets `label` of elements without a name, `beside` of those with one, `unit` of those with a unit, and `names` of labels that
--- name an element. Parts of windows in which all have names are judged later, if a caller looks for something near a label.
---@param nodes elements.Node[]
function M.give(nodes)
  name_by_content(nodes)
  name_by_inner(nodes)
  name_by_cells(nodes)
  judge(nodes, windows_to_judge(nodes))
  keep_values(nodes)
end


--- Judges the parts that were not judged before, of the windows of these elements.
---@param snapshot elements.Snapshot
---@param some elements.Node[]
function M.judge(snapshot, some)
  local wanted = {}
  for _, node in ipairs(some) do wanted[node.top or node] = true end
  if next(wanted) then judge(snapshot.nodes, wanted, true) end
end


return M
