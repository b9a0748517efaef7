--- Compares the captions of buttons, menus and options as people read them.
--
-- The case of letters, marks of access keys ("_File", "&File", "文件(F)"), points at the end and keyboard shortcuts are ignored.

local sys_text = require "sys.text"
local words    = require "elements.read.words"

local M = {}

local SHORTCUT = { "%s+[cC]trl%+%S+$", "%s+[aA]lt%+%S+$", "%s+[sS]hift%+%S+$", "%s+[cC]trl$", "%s+F%d%d?$" }


---@param text string
---@return string
function M.plain(text)
  text = text:gsub("\t.*$", "")
  text = words.clean(text)
  for _, pattern in ipairs(SHORTCUT) do text = text:gsub(pattern, "") end
  text = words.fold(text):gsub("%s*%.%.%.$", "")
  text = text:gsub("%s*%([_&]?%w%)$", "")
  return (text:gsub("[_&](%S)", "%1"))
end


---@param a string
---@param b string
---@return boolean
function M.same(a, b) return a == b or M.plain(a) == M.plain(b) end


local function distance(wanted, name)
  if name == "" then return nil end
  if name:find(wanted, 1, true) or wanted:find(name, 1, true) then return 0 end
  if #wanted > 64 or #name > 64 then return nil end
  return sys_text.distance(wanted, name, math.max(1, #wanted // 2))
end


--- The items whose names are similar, nearest first.
---@generic T
---@param list T[]
---@param wanted string
---@param name_of fun(item: T): string
---@return T[]
function M.nearest(list, wanted, name_of)
  local found = {}
  wanted = M.plain(wanted)
  for i, item in ipairs(list) do
    local far = distance(wanted, M.plain(name_of(item)))
    if far then found[#found + 1] = { item = item, far = far, at = i } end
  end
  table.sort(found, function(a, b)
    if a.far ~= b.far then return a.far < b.far end
    return a.at < b.at
  end)
  local items = {}
  for i, hit in ipairs(found) do items[i] = hit.item end
  return items
end


--- The elements with that caption. If the names of some are exactly the same, only those.
---@param nodes elements.Node[]
---@param wanted string
---@return elements.Node[]
function M.called(nodes, wanted)
  local exact, alike = {}, {}
  for _, node in ipairs(nodes) do
    local name = words.name(node)
    if name == wanted then exact[#exact + 1] = node end
    if M.same(name, wanted) then alike[#alike + 1] = node end
  end
  return #exact > 0 and exact or alike
end


--- `"Save", "Save As..." and 4 more`
---@param nodes elements.Node[]
---@param most integer
---@return string
function M.list(nodes, most)
  local names = {}
  for i = 1, math.min(#nodes, most) do
    names[i] = words.quote(words.name(nodes[i]), 40) .. (nodes[i].states.enabled and "" or " (off)")
  end
  if #nodes > most then return ("%s and %d more"):format(table.concat(names, ", "), #nodes - most) end
  return table.concat(names, ", ")
end


--- Suggests elements in messages: the nearest, otherwise the first of all.
---@param nodes elements.Node[]
---@param wanted string
---@return string
function M.suggest(nodes, wanted)
  local near = M.nearest(nodes, wanted, words.name)
  if #near > 0 then return "Nearest: " .. M.list(near, 5) end
  if #nodes > 0 then return "There are " .. M.list(nodes, 15) end
  return "There are none"
end


return M
