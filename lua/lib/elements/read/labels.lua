--- Names for elements that have none: the text of the label beside or above them.
--
-- Toolkits seldom tell which label belongs to a field, so the eye's rule is used: a label on the same line to the left, else one
-- right above. Each label names one element, the nearest. Sentences name nothing, what is in a page of tabs or in a bar is not
-- named from outside it, and the text of a button names nothing outside of it.

local words = require "elements.read.words"

local M = {}

local LEFT_REACH, ABOVE_REACH = 250, 30   -- points between a label and what it names
local OVERLAP = 0.4                       -- of the lower height, or the lesser width
local STRIP = 40                          -- points: labels are sorted into strips of this height, to look at few for each field

--- What is named so where it has no name.
local NAMED = { entry = true, text = true, password = true, combobox = true, spin = true, slider = true, switch = true,
  checkbox = true, radio = true, toggle = true, button = true, list = true, tree = true, table = true, progress = true }


--- What is in one of these belongs together, apart from what is around it.
local REGIONS = { tab = true, tablist = true, toolbar = true, statusbar = true, menubar = true, alert = true,
  notification = true }

--- What is pressed as a whole: the text in it is its own.
local PRESSED = { button = true, toggle = true, link = true, menu = true, menuitem = true, checkitem = true, radioitem = true }

local CAPTION_MAX = 80   -- bytes of a label that names something


local function overlap(a_from, a_length, b_from, b_length)
  local shared = math.min(a_from + a_length, b_from + b_length) - math.max(a_from, b_from)
  return shared / math.max(1, math.min(a_length, b_length))
end


--- How far the label is from the element; nil: too far, or on the wrong side.
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


--- Whether it can name something: a warning above a text is a sentence, and not what the text is called.
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


--- What it says no more of than what that is called: a frame by its title, a button by its text.
---@param label elements.Node
---@return elements.Node?
local function titled(label)
  local name = words.own_name(label)
  for _, each in ipairs { label.up or label, pressed_around(label) } do
    local may = each.role == "group" or words.WORKED[each.role]
    if may and name ~= "" and words.own_name(each) == name then return each end
  end
end


--- The labels, and what they may name, of each window; `unnamed`: something there has no name.
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


--- Without bounds: the label right before it in its parent.
local function label_before(node)
  local before = node.before
  return before and before.role == "label" and is_caption(before) and before or nil
end


--- Labels by where their middles are.
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


--- Those that fit: beside its beginning, or above.
local function add_near(found, node, strips)
  local b, region = node.bounds, region_of(node)
  for at = (b.y - ABOVE_REACH - STRIP) // STRIP, (b.y + STRIP) // STRIP do
    for _, label in ipairs(strips[at] or {}) do
      local far = region_of(label) == region and distance(label.bounds, b)
      if far then found[#found + 1] = { far = far, node = node, label = label } end
    end
  end
end


--- All pairs that fit, nearest first. Those that have a name take part: what labels them labels nothing else.
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


--- What is called by the text in it: rows of lists, and buttons of toolkits that do not name them.
local BY_CONTENT = { listitem = true, row = true, cell = true, treeitem = true, tab = true, button = true, toggle = true,
  link = true, menuitem = true, checkitem = true, radioitem = true, header = true }
local CONTENT_DEPTH = 4


--- The first label in it.
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


--- The one that is in it and is pressed for it: GTK 4 has a button or a toggle in its menu button.
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


--- Sets `label` of those without a name, `beside` of those with one, and `names` of the labels that name one.
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
