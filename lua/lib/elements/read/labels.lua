--- Names for elements that have none: the text of the label beside or above them.
--
-- Toolkits seldom report the label of a field, so the labels are found as a reader finds them: a label on the same line to the
-- left, otherwise one right above. Each label names one element, the nearest. A sentence names nothing. Elements in a tab's
-- page or in a bar are not named by labels outside it, and the text of a button names nothing outside the button.

local words = require "elements.read.words"

local M = {}

local LEFT_REACH, ABOVE_REACH = 250, 30   -- points between a label and its element
local OVERLAP = 0.4                       -- the shared part of the lower height, or of the lesser width
local STRIP = 40                          -- points: labels are sorted into strips of this height, to look at few for each field

--- Roles of elements that a label names if they have no name.
local NAMED = { entry = true, text = true, password = true, combobox = true, spin = true, slider = true, switch = true,
  checkbox = true, radio = true, toggle = true, button = true, list = true, tree = true, table = true, progress = true }


--- Roles of containers whose content belongs together, separate from its surroundings.
local REGIONS = { tab = true, tablist = true, toolbar = true, statusbar = true, menubar = true, alert = true,
  notification = true }

--- Roles of elements that are pressed as a whole: text in them belongs to them.
local PRESSED = { button = true, toggle = true, link = true, menu = true, menuitem = true, checkitem = true, radioitem = true }

local CAPTION_MAX = 80   -- bytes of a label that names something


local function overlap(a_from, a_length, b_from, b_length)
  local shared = math.min(a_from + a_length, b_from + b_length) - math.max(a_from, b_from)
  return shared / math.max(1, math.min(a_length, b_length))
end


--- The distance of the label from the element; nil: it is too far away, or on the wrong side.
local function distance(label, bounds)
  local gap = bounds.x - (label.x + label.width)
  if overlap(label.y, label.height, bounds.y, bounds.height) >= OVERLAP and gap >= -4 and gap <= LEFT_REACH then return gap end
  local above = bounds.y - (label.y + label.height)
  if overlap(label.x, label.width, bounds.x, bounds.width) >= OVERLAP and above >= -4 and above <= ABOVE_REACH then
    return LEFT_REACH + above   -- beside goes before above
  end
end


local function text_of(label)
  return words.own_name(label):gsub("%s*:$", "")
end


--- True if the label can name something. A warning above a text field is a sentence, not the field's name.
local function is_caption(label)
  local text = text_of(label)
  return text ~= "" and #text <= CAPTION_MAX and (not text:find "[.!]$" or text:find "%.%.%.$" ~= nil)
end


local function region_of(node)
  local up = node.up
  while up and not REGIONS[up.role] and not PRESSED[up.role] do up = up.up end
  return up
end


local function pressed_around(label)
  local up = label.up
  while up and not PRESSED[up.role] do up = up.up end
  return up
end


--- The element that already has the label's text as its name: a frame by its title, a button by its text.
---@param label elements.Node
---@return elements.Node?
local function titled(label)
  local name = words.own_name(label)
  for _, each in ipairs { label.up or label, pressed_around(label) } do
    local may = each.role == "group" or words.WORKED[each.role]
    if may and name ~= "" and words.own_name(each) == name then return each end
  end
end


--- Sorts the labels, and the elements that they may name, by window. `unnamed`: some element of the window has no name.
local function sort_out(nodes)
  local windows, order = {}, {}
  for _, node in ipairs(nodes) do
    local top = node.top or node
    local mine = windows[top]
    if not mine then
      mine = { labels = {}, fields = {}, unnamed = false }
      windows[top], order[#order + 1] = mine, mine
    end
    if node.role == "label" then
      node.names = node.names or titled(node)
      if not node.names and is_caption(node) then mine.labels[#mine.labels + 1] = node end
    elseif NAMED[node.role] then
      mine.fields[#mine.fields + 1] = node
      mine.unnamed = mine.unnamed or words.own_name(node) == ""
    end
  end
  return order
end


--- The label right before the element in its parent, for elements without bounds.
local function label_before(node)
  local before = node.before
  return before and before.role == "label" and is_caption(before) and before or nil
end


--- Sorts labels into strips by the heights of their middles.
local function strips_of(labels)
  local strips = {}
  for _, label in ipairs(labels) do
    local b = label.bounds
    if b then
      local at = (b.y + b.height / 2) // STRIP
      strips[at] = strips[at] or {}
      table.insert(strips[at], label)
    end
  end
  return strips
end


--- Adds the labels that fit an element: beside its beginning, or above it.
local function add_near(found, node, strips)
  local b, region = node.bounds, region_of(node)
  for at = (b.y - ABOVE_REACH - STRIP) // STRIP, (b.y + STRIP) // STRIP do
    for _, label in ipairs(strips[at] or {}) do
      local far = region_of(label) == region and distance(label.bounds, b)
      if far then found[#found + 1] = { far = far, node = node, label = label } end
    end
  end
end


--- All fitting pairs of label and element, nearest first. Elements with a name take part, because their label names nothing
--- else.
local function pairs_of(mine)
  local found, strips = {}, strips_of(mine.labels)
  for _, node in ipairs(mine.fields) do
    if node.bounds then add_near(found, node, strips) end
    local before = label_before(node)
    if before and not (before.bounds and node.bounds) then found[#found + 1] = { far = 0, node = node, label = before } end
  end
  table.sort(found, function(a, b)
    if a.far ~= b.far then return a.far < b.far end
    return a.node.id < b.node.id
  end)
  return found
end


--- Roles of elements whose text is their name: rows of lists, and buttons of toolkits that do not name them.
local BY_CONTENT = { listitem = true, row = true, cell = true, treeitem = true, tab = true, button = true, toggle = true,
  link = true, menuitem = true, checkitem = true, radioitem = true, header = true }
local CONTENT_DEPTH = 4


--- The first label in the element.
local function content_of(node, depth)
  for _, child in ipairs(node.down) do
    if child.role == "label" and text_of(child) ~= "" then return child end
    local found = depth > 1 and not words.WORKED[child.role] and content_of(child, depth - 1)
    if found then return found end
  end
end


local function name_by_content(nodes)
  for _, node in ipairs(nodes) do
    if BY_CONTENT[node.role] and #node.down > 0 and words.own_name(node) == "" then
      local label = content_of(node, CONTENT_DEPTH)
      if label and not label.names then node.label, label.names = text_of(label), node end
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


--- Sets `label` of elements without a name, `beside` of those with one, and `names` of labels that name an element.
---@param nodes elements.Node[]
function M.give(nodes)
  name_by_content(nodes)
  name_by_inner(nodes)
  for _, mine in ipairs(sort_out(nodes)) do
    local taken, done = {}, {}
    for _, pair in ipairs(mine.unnamed and pairs_of(mine) or {}) do
      if not taken[pair.label] and not done[pair.node] then
        taken[pair.label], done[pair.node] = true, true
        if words.own_name(pair.node) == "" and not pair.node.label then
          pair.node.label, pair.label.names = text_of(pair.label), pair.node
        else
          pair.node.beside = text_of(pair.label)
        end
      end
    end
  end
end


return M
