--- Records of the targets of a macro's steps: NAME.steps.json beside its file.
--
--   { "format": 1, "locale": "en_US", "application": { "name": "Mousepad", "id": "org.xfce.mousepad" },
--     "steps": [ { "kind": "set", "selector": "text", "role": "text", "name": "", "label": "", "row": "", "ancestors": [],
--                  "count": 1 } ] }
--
-- A step of the file is found by its kind and its selector, in order: lines that were added by hand have none.

local env   = require "sys.env"
local find  = require "elements.find.search"
local json  = require "sys.json"
local words = require "elements.read.words"

local M = {}

M.FORMAT = 1

local ROWS = { listitem = true, row = true, treeitem = true }

---@class macros.Known
---@field kind string
---@field selector string
---@field role? string
---@field name? string
---@field label? string
---@field row? string
---@field ancestors? string[]
---@field count? integer  elements that match the selector without nth
---@field picture? string  SHA-256 of the pixels around a point
---@field image? string    file with a picture of the window before the step, for people
---@field step? integer    its number, of a recorded one
---@field told? string     what a recording does not know of it, for people

---@class macros.Identity
---@field locale? string
---@field application? {name: string, id?: string}
---@field steps macros.Known[]
---@field source? table   what create_macro was given


--- The language of the desktop: "en_US"; "C" if none is set.
---@return string
function M.locale()
  for _, variable in ipairs { "LC_ALL", "LC_MESSAGES", "LANG" } do
    local name = env.get(variable, ""):match "^[^.@]*"
    if name ~= "" then return name == "POSIX" and "C" or name end
  end
  return "C"
end


--- Reads the text of such a file.
---@param text string
---@return macros.Identity? identity
---@return string? err
function M.read(text)
  local known, err = json.decode(text)
  if type(known) ~= "table" or type(known.steps) ~= "table" then return nil, err or "it has no list of steps" end
  if known.format ~= M.FORMAT then return nil, ("its format is %s, and this version reads %d"):format(tostring(known.format),
    M.FORMAT) end
  return known
end


--- Returns a function that gives the identity of each step, in order.
---@param identity? macros.Identity
---@return fun(kind: string, selector: string): macros.Known?
function M.course(identity)
  local steps, used = identity and identity.steps or {}, {}
  return function(kind, selector)
    local last
    for i, each in ipairs(steps) do
      if each.kind == kind and each.selector == selector then
        last = each
        if not used[i] then
          used[i] = true
          return each
        end
      end
    end
    return last   -- the step is repeated, for another row
  end
end


-- --- an element ------------------------------------------------------------------------------------------

--- The text of the row that a node is in: the names in it.
local function row_of(node, snapshot)
  local at = node
  while at and not ROWS[at.role] do at = at.up end
  if not at then return "" end
  local parts = {}
  for _, each in ipairs(snapshot.nodes) do
    local up = each
    while up and up ~= at do up = up.up end
    local text = up and each ~= node and words.own_name(each) or ""
    if text ~= "" and text ~= parts[#parts] then parts[#parts + 1] = text end
  end
  return table.concat(parts, " ")
end


--- The names of what a node is in, without its window, and without those that name the document, as the window's title does.
local function ancestors_of(node)
  local list, at, title = {}, node.up, node.top and words.own_name(node.top) or ""
  while at and at ~= node.top do
    local name = words.own_name(at)
    if name ~= "" and not title:find(name, 1, true) then table.insert(list, 1, name) end
    at = at.up
  end
  return list
end


--- The elements of a snapshot that a selector matches: those that are shown, each once.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return elements.Node[]? nodes
---@return string? err
---@return string? code
function M.matches(snapshot, selector)
  local hits, err, code = find.all(snapshot, selector)
  if not hits then return nil, err, code end
  local list = {}
  for _, node in ipairs(hits) do
    if node.states.shown and not words.doubled(node) then list[#list + 1] = node end
  end
  return selector.text and find.innermost(list) or list
end


--- How many elements match a selector without its nth.
---@param snapshot elements.Snapshot
---@param selector elements.Selector
---@return integer
function M.count(snapshot, selector)
  local plain = {}
  for key, value in pairs(selector) do plain[key] = value end
  plain.index = nil
  return #(M.matches(snapshot, plain) or {})
end


--- The record of a step's target.
---@param kind string
---@param line string
---@param selector elements.Selector
---@param node elements.Node
---@param snapshot elements.Snapshot
---@return macros.Known
function M.record(kind, line, selector, node, snapshot)
  local name = node.role == "combobox" and "" or words.own_name(node)   -- some are named by what is chosen in them
  return { kind = kind, selector = line, role = node.role, name = name, label = node.label or "",
    row = row_of(node, snapshot), ancestors = json.array(ancestors_of(node)), count = M.count(snapshot, selector) }
end


local function quote(text) return words.quote(text, 60) end


local function said(what, is, was)
  return ("its %s is %s, and was %s when it was recorded"):format(what, is == "" and "empty" or quote(is),
    was == "" and "empty" or quote(was))
end


--- The reason why an element is not the recorded one; nil: nothing tells that it is another.
---@param known macros.Known
---@param selector elements.Selector
---@param node elements.Node
---@param snapshot elements.Snapshot
---@return string? why
---@return string? code
function M.difference(known, selector, node, snapshot)
  local indexed = selector.index or selector.within and selector.within.index
  local count = known.count and indexed and M.count(snapshot, selector)
  if count and count ~= known.count then
    return ("%d elements match it without nth, and there were %d when it was recorded"):format(count, known.count),
      "MACRO_COUNT_CHANGED"
  end
  if known.role and known.role ~= node.role then return said("role", node.role, known.role), "MACRO_OTHER_ROLE" end
  local now = M.record("", "", selector, node, snapshot)
  for _, what in ipairs { "name", "label", "row" } do
    if known[what] and known[what] ~= now[what] then return said(what, now[what], known[what]), "MACRO_OTHER_ELEMENT" end
  end
  local was, is = table.concat(known.ancestors or {}, " > "), table.concat(now.ancestors, " > ")
  if known.ancestors and was ~= is then return said("place", is, was), "MACRO_OTHER_ELEMENT" end
end


return M
