--- Elements as a client saw them: read back from the outlines and lines in results, so that a ref of a run can become a selector
--- that lasts (macros.selector).
--
--   e1 window "draft.txt" active
--    e18 text ="Hello" focused
--   e411 combobox "Encoding" ="Default (UTF-8)", in dialog "Save As"
--   + e322 dialog "Save As" active: 27 items

local selector = require "macros.selector"
local words    = require "elements.read.words"

local M = {}

---@class macros.Outlines
---@field by_ref table<string, elements.Node>  as it was seen last
---@field looks table<string, elements.Snapshot>  the whole outline in which a ref was seen last
---@field came table<string, true>  the refs of windows that the run opened
---@field private count integer
local Outlines = {}
Outlines.__index = Outlines

---@return macros.Outlines
function M.new() return setmetatable({ by_ref = {}, looks = {}, came = {}, count = 0 }, Outlines) end


-- --- one line ------------------------------------------------------------------------------------------------

--- Reads the quoted string that begins at `at`. Returns it and the place behind it.
local function quoted(line, at)
  local stop = at + 1
  while stop <= #line do
    local c = line:sub(stop, stop)
    if c == '"' then return (line:sub(at + 1, stop - 1):gsub("\\(.)", "%1")), stop + 1 end
    stop = stop + (c == "\\" and 2 or 1)
  end
end


--- Reads a value: ="text" or =12.
local function value_at(line, at)
  if line:find('^="', at) then return quoted(line, at + 1) end
  local text, stop = line:match("^=([^%s,]+)()", at)
  return text, stop
end


---@return string? name
---@return integer at
local function name_at(line, at)
  if line:find('^ "', at) then return quoted(line, at + 1) end
  return nil, at
end


--- Reads what an outline says of an element: its ref, role, name, value, states, and the window that it is in.
---@param line string
---@return elements.Node? node
---@return integer? level  how far the line is indented
local function read(line)
  local indent, ref, role, at = line:match "^([ +~-]*)(e%d+) ([%a]+)()"
  if not ref or not words.roles(role) then return nil end
  local name, value
  name, at = name_at(line, at)
  if not at then return nil end
  if line:find("^ =", at) then value, at = value_at(line, at + 1) end
  if not at then return nil end
  local states, rest = { shown = true, enabled = true }, line:sub(at)
  local told, inside = rest:match "^([^,:]*), in (.*)$"
  for word in (told or rest:match "^[^,:;]*"):gmatch "%a+" do
    local state, set = words.state(word)
    if state then states[state] = set or nil end
  end
  return { ref = ref, role = role, native = role, name = name or "", value = value or "", states = states, down = {},
    inside = inside }, #indent:match "^ *"
end


-- --- outlines ------------------------------------------------------------------------------------------------

function Outlines:note(node)
  self.count = self.count + 1
  node.id = self.count
  local known = self.by_ref[node.ref]
  if known and not node.up and not node.inside then node.up, node.top, node.down = known.up, known.top, known.down end
  self.by_ref[node.ref] = node
end


--- Puts a node below the last one that is indented less.
local function hang(node, level, above)
  while above[1] and above[#above].level >= level do above[#above] = nil end
  node.up = above[1] and above[#above].node or nil
  node.top = node.up and node.up.top or node
  if node.up then node.up.down[#node.up.down + 1] = node end
  above[#above + 1] = { node = node, level = level }
end


--- True for the outline of a whole application: it begins with a window.
local function is_whole(nodes) return nodes[1] ~= nil and words.TOPS[nodes[1].role] == true end


--- Reads an outline.
---@param text string
---@param application? string  its resource name
function Outlines:read(text, application)
  local snapshot, above = { pid = 0, started = 0, nodes = {}, by_id = {}, cut = text:find("... ", 1, true) ~= nil }, {}
  for line in text:gmatch "[^\n]+" do
    local node, level = read(line)
    if node then
      node.application = application
      hang(node, level, above)
      self:note(node)
      snapshot.nodes[#snapshot.nodes + 1], snapshot.by_id[node.id] = node, node
    end
  end
  local whole = is_whole(snapshot.nodes)
  for _, node in ipairs(snapshot.nodes) do
    if whole or not self.looks[node.ref] then self.looks[node.ref] = snapshot end
  end
  return snapshot
end


--- Reads lines about elements that are not an outline: what changed, what was found, the fields of a dialog.
---@param text string
---@param application? string
function Outlines:lines(text, application)
  for line in text:gmatch "[^\n;]+" do
    local node = read(line:match "^%s*(.*)$":gsub("^[+~-] ", ""):gsub("^%a+: ", ""))
    if node then
      node.application = application or (self.by_ref[node.ref] or {}).application
      self:note(node)
      node.top = node.top or self:top_of(node)
    end
  end
end


--- The window of an element that was found: of the line's "in dialog ...".
function Outlines:top_of(node)
  local top = node.inside and read("e0 " .. node.inside)
  if not top then return node end
  node.up = top
  return top
end


-- --- selectors -------------------------------------------------------------------------------------------------

--- The part of a snapshot that is in the window of a node.
local function in_window(snapshot, node)
  local part = { pid = 0, started = 0, nodes = {}, by_id = snapshot.by_id, cut = snapshot.cut }
  for _, each in ipairs(snapshot.nodes) do
    if each.top == node.top then part.nodes[#part.nodes + 1] = each end
  end
  return part
end


---@class macros.Seen
---@field line string      the selector
---@field way macros.Way
---@field count? integer  of a selector with nth: how many match without it
---@field dialog? string   the title of the dialog or other window that it is in, if that is not the application's first one
---@field node elements.Node

local OWN_WINDOW = words.set "dialog alert"

--- Returns the selector for a ref, as the element was seen last.
---@param ref string
---@param options? {nameless?: boolean}
---@return macros.Seen? seen
---@return string? err
function Outlines:element(ref, options)
  local node = self.by_ref[ref]
  if not node then return nil, ("%s was not listed in this run"):format(ref) end
  local snapshot = self.looks[ref]
  local there = snapshot and snapshot.nodes or {}
  local in_look
  for _, each in ipairs(there) do
    if each.ref == ref then in_look = each end
  end
  if not in_look then snapshot = { pid = 0, started = 0, nodes = { node }, by_id = {} } end
  local part = in_look and in_window(snapshot, in_look) or snapshot
  local line, counted, count, way = selector.of(part, in_look or node, options)
  if not line then return nil, ("nothing tells %s from others"):format(words.called(node)) end
  local top = (in_look or node).top
  local own = top and top ~= (in_look or node) and (OWN_WINDOW[top.role] or self.came[top.ref or ""])
  local dialog = own and words.own_name(top) or nil
  return { line = line, way = way, count = counted and count or nil, dialog = dialog ~= "" and dialog or nil, node = node }
end


return M
