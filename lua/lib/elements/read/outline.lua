--- Writes elements as text for a model: a line for each, indented by a space for each level.
--
--   e1 window "draft.txt"
--    e3 menu "File"
--    e9 button "Undo" off
--    e12 entry "Name" ="Ada" focused
--    ... 988 more
--
-- Omitted are containers without a name of their own, separators, elements that are not shown, labels that name another
-- element, and the number 0 of elements that are pressed or checked.

local budget = require "elements.read.budget"
local words  = require "elements.read.words"

local M = {}

M.TOKENS = 1500                  -- about 200 lines
local NAME_MAX, VALUE_MAX = 80, 120   -- characters
local FOLDS = { 40, 20, 10, 5, 3 }    -- children of one kind that are shown; fewer if the budget is small
local HEAD = 60                  -- tokens that are kept for the last line
local REST = "... %d more lines. Pass element or window to see a part, or a larger max_tokens"


-- --- one line ------------------------------------------------------------------------------

--- Roles to which some toolkits give a number: 0, or 1 while they are down. A state says this better if there is one.
local PRESSED = { button = true, toggle = true, checkbox = true, radio = true, switch = true, menu = true, menuitem = true,
  checkitem = true, radioitem = true, tab = true, link = true }

local function says_nothing(node)
  local n = node.number
  return n and PRESSED[node.role] and (n == 0 or n == 1 and (node.states.checked or node.states.pressed or node.states.selected))
end


local TEXTS = { group = true, document = true }

--- True if a container has text of its own: Firefox has no element for text between other elements, so their container has it.
--- Otherwise a container's text is that of the labels in it.
local function has_own_text(node)
  if not TEXTS[node.role] or node.number or words.clean(node.value) == "" then return false end
  for _, child in ipairs(node.down) do
    if child.role == "label" then return false end
  end
  return words.clean(node.value) ~= words.name(node)
end


local function value_of(node)
  if has_own_text(node) then return "=" .. words.quote(words.clean(node.value), VALUE_MAX) end
  if words.HOLDERS[node.role] or says_nothing(node) then return nil end   -- splitters report their position
  if node.number and node.value == "" and node.role ~= "cell" then return ("=%g"):format(node.number) end
  if node.number and tonumber(node.value) then return "=" .. words.clean(node.value) end   -- a cell may hold words
  if node.value == "" or words.clean(node.value) == words.name(node) then return nil end
  return "=" .. words.quote(node.value, VALUE_MAX)
end


--- `e12 entry "Name" ="Ada" focused`
---@param node elements.Node
---@param plain? boolean  without the ref
---@return string
function M.line(node, plain)
  local parts = { not plain and node.ref or nil }
  parts[#parts + 1] = node.role == "element" and words.clean(node.native) or node.role
  local name = words.name(node)
  if name ~= "" then parts[#parts + 1] = words.quote(name, NAME_MAX) end
  parts[#parts + 1] = value_of(node)
  for _, state in ipairs(words.states(node)) do parts[#parts + 1] = state end
  if node.source then parts[#parts + 1] = ("ocr %d%%"):format(math.floor(node.confidence * 100)) end
  return table.concat(parts, " ")
end


--- `e12 entry "Name" ="x" focused, in dialog "Save As"`
---@param node elements.Node
---@return string
function M.placed(node)
  local top = node.top ~= node and node.top or nil
  return M.line(node) .. (top and ", in " .. words.called(top) or "")
end


-- --- omissions ---------------------------------------------------------------------------------

--- Roles of elements that have no line without a name, a value or a state.
local EMPTY = { label = true, image = true, cell = true, listitem = true, row = true, header = true }

local function tiny(bounds) return bounds and bounds.width <= 1 and bounds.height <= 1 end


--- True if a container only repeats its window's name: LibreOffice has such a panel in each window.
local function repeats(node)
  return words.HOLDERS[node.role] and node.role ~= "document" and node.top ~= node and words.name(node.top) == words.name(node)
end


--- True for an empty cell of a sheet.
local function is_blank(node) return node.value == "" and words.is_of_sheet(node) and #words.states(node) == 0 end


--- True if the element has a line of its own.
---@param node elements.Node
---@return boolean
function M.says(node)
  if words.SILENT[node.role] or node.names or tiny(node.bounds) or words.doubled(node) or is_blank(node) then return false end
  if words.name(node) ~= "" then return not repeats(node) end
  if EMPTY[node.role] then return node.value ~= "" or #words.states(node) > 0 end
  return not words.HOLDERS[node.role] or has_own_text(node)
end


--- The number of children that were not read, in a list that makes only the visible ones.
local function missing(node)
  local count = (node.children or 0) - #node.down
  return node.states.virtual and count > 0 and count or 0
end


-- --- the whole ---------------------------------------------------------------------------------

---@class elements.Outline
---@field fold integer
---@field depth integer
---@field all boolean
---@field lines string[]
---@field said table<elements.Node, string>  lines that were made before

local show

--- Writes the children; those of one kind beyond the first `fold` become one line.
local function show_children(out, node, level, depth)
  local counts, left = {}, 0
  for _, child in ipairs(node.down) do
    if out.all or not is_blank(child) then
      local count = (counts[child.role] or 0) + 1
      counts[child.role] = count
      if count <= out.fold or #child.down > 0 then show(out, child, level, depth) else left = left + 1 end
    end
  end
  left = left + missing(node)
  if left > 0 then out.lines[#out.lines + 1] = (" "):rep(level) .. ("... %d more"):format(left) end
end


function show(out, node, level, depth)
  if not node.states.shown and not out.all then return end
  local says = out.all or M.says(node)
  if says then
    out.said[node] = out.said[node] or M.line(node)
    out.lines[#out.lines + 1] = (" "):rep(level) .. out.said[node]
  end
  if depth >= out.depth then
    if #node.down > 0 then out.lines[#out.lines + 1] = (" "):rep(level + 1) .. ("... %d children"):format(#node.down) end
    return
  end
  show_children(out, node, says and level + 1 or level, says and depth + 1 or depth)
end


---@param roots elements.Node[]
---@param options? {tokens?: integer, depth?: integer, all?: boolean, folds?: integer[]}
---@return string[] lines
---@return boolean cut  true: something is missing for lack of room
function M.lines(roots, options)
  options = options or {}
  local tokens, lines, said = options.tokens or M.TOKENS, nil, {}
  for i, fold in ipairs(options.folds or FOLDS) do
    local out = { fold = fold, depth = options.depth or math.huge, all = options.all or false, lines = {},
      said = said }
    for _, root in ipairs(roots) do show(out, root, 0, 0) end
    lines = out.lines
    if budget.total(lines) <= tokens then return lines, i > 1 end
  end
  return budget.cut(lines, { limit = tokens - HEAD, first = 1, last = #lines - 1, rest = REST }), true
end


--- The elements of a snapshot that have no parent in it.
---@param snapshot elements.Snapshot
---@return elements.Node[]
function M.roots(snapshot)
  local roots = {}
  for _, node in ipairs(snapshot.nodes) do
    if not node.up then roots[#roots + 1] = node end
  end
  return roots
end


return M
