--- One look at the interface of an application: its elements, joined to a tree, with names and refs.

local dialog_name = require "elements.read.dialog_name"
local element     = require "sys.element"
local interest    = require "elements.read.interest"
local labels      = require "elements.read.labels"
local modal       = require "elements.read.modal"
local refs        = require "elements.read.refs"
local words       = require "elements.read.words"

local M = {}

local KEY_NAME = 512   -- bytes of a name that are part of a key

M.NODES = 3000   -- nodes that are read, at most


---@class elements.Node: sys.element.Node
---@field up? elements.Node      its parent
---@field down elements.Node[]   its children that were read
---@field before? elements.Node  the one before it in its parent
---@field top elements.Node      the window that it is in; itself if it is one
---@field label? string          its name by a label beside it
---@field beside? string         the label beside an element that has a name
---@field unit? string         the label behind a field that has one before it
---@field maybe? string[]      the labels that may belong to a field or to another
---@field names? elements.Node   the element that a label names
---@field of? elements.Node      the element that a label belongs to
---@field heads? elements.Node[]   the elements of a row that a label heads
---@field rivals? elements.Node[]  the fields to one of which a label belongs
---@field judged? table<elements.Node|integer, true>  of a window: its parts in which the labels were judged
---@field key string             its identity: roles, names and places from the window down
---@field ref? string            "e12"
---@field clicked? {x: number, y: number}  the point at which the pointer clicked it
---@field rival? elements.Node   another element at that point, which may have got the click
---@field scrolled? true         it was scrolled into view for the click
---@field now? table<string, true>  its states when it was made ready for the click
---@field columns? integer       of a table, once they were counted
---@field part? true             not all that is in it was read: its name may be in the rest
---@field unseen? true           it was not shown when it was found
---@field popup? integer         the window of the open menu that it is in, if the application does not tell that it is shown

---@class elements.Snapshot
---@field pid integer
---@field started integer
---@field nodes elements.Node[]               parents before children
---@field by_id table<integer, elements.Node>
---@field cut boolean
---@field route string
---@field note? string
---@field late? boolean          it was, or may have been, cut for lack of time
---@field partial? boolean       it has only what is around a point


--- True for a closed popover of GTK 4. It stays in the tree and is reported as shown, and so is all of its content; it only has
--- no bounds.
local function is_closed_popover(node, up)
  return node.role == "menu" and node.states.shown and not node.bounds and up and up.bounds and (node.children or 0) > 0
end


--- True for LibreOffice's own menu bar under GTK. GTK's is drawn; this one is also reported as shown, but has no bounds.
local function is_undrawn_bar(node, up)
  return node.role == "menubar" and node.states.shown and not node.bounds and up and up.native == "root pane" and up.bounds
end


--- The elements without those in closed popovers; with `hidden` these stay, as not shown. Elements in a menu bar that is not
--- drawn are omitted, because a click would go to another element at their place.
local function leave_out(all, hidden)
  local by_id, closed, undrawn, kept = {}, {}, {}, {}
  for _, node in ipairs(all) do
    local up = node.parent and by_id[node.parent]
    by_id[node.id] = node
    closed[node] = up and closed[up] or is_closed_popover(node, up) or nil
    undrawn[node] = up and undrawn[up] or is_undrawn_bar(node, up) or nil
    if closed[node] then node.states.shown = nil end
    if not undrawn[node] and (hidden or not closed[node]) then kept[#kept + 1] = node end
  end
  return kept
end


--- Joins the elements to a tree. Some systems have the application above its windows: it is omitted, because it is never shown.
local function join(all)
  local by_id, nodes = {}, {}
  for _, node in ipairs(all) do
    if node.role ~= "application" then
      by_id[node.id] = node
      nodes[#nodes + 1] = node
    end
  end
  for _, node in ipairs(nodes) do
    node.up = node.parent and by_id[node.parent] or nil
    node.down = {}
    node.top = node.up and node.up.top or node
    if node.up then
      local siblings = node.up.down
      node.before = siblings[#siblings]
      siblings[#siblings + 1] = node
    end
  end
  return by_id, nodes
end


--- Gives elements the roles that their applications do not tell: the prompts of pages in Firefox are panels in frames of their
--- own (other content of a frame is a document), and the tooltips of GTK 4.8 have the role of any container.
local function correct_roles(nodes)
  for _, node in ipairs(nodes) do
    local framed = node.up ~= nil and node.up.native == "internal frame"
    if framed and node.native == "panel" and words.own_name(node) ~= "" then node.role = "dialog" end
    if node.native == "filler" and node.name == "GtkTooltipWindow" then node.role = "tooltip" end
  end
end


--- The step of a key: the element in its parent. Values and states may change, and so may the names of labels.
local function step(node)
  local name = node.role ~= "label" and words.own_name(node):sub(1, KEY_NAME) or ""
  return ("%s:%s:%s"):format(node.role, name, node.index or "")
end


local function set_keys(nodes)
  for _, node in ipairs(nodes) do
    node.key = node.up and node.up.key .. "\n" .. step(node) or ("%s:%s"):format(node.window or "", node.role)
  end
end


--- The first text that is shown in the element: that of its field, otherwise of a label. "" for a button without text; nil:
--- there is no such element in it.
local function text_in(node)
  for _, each in ipairs(node.down) do
    if each.role == "entry" then return each.value end
    local label = each.role == "label" and each.states.shown and words.own_name(each) or nil
    local text = label or (each.role == "group" or each.role == "button") and text_in(each)
    if text or each.role == "button" then return text or "" end
  end
end


--- Gives boxes of GTK 4 the value that they show. GTK gives them their label as the value.
local function show_chosen(nodes)
  for _, node in ipairs(nodes) do
    if node.role == "combobox" and node.value ~= "" and node.value == node.name and node.down[1] then
      node.value = text_in(node) or node.value
    end
  end
end


---@class elements.Look
---@field pid integer
---@field started? integer
---@field window? integer   only this window
---@field root? integer     only elements below this one
---@field partial? boolean  the tree has only what is around a point
---@field hidden? boolean   also elements that are not shown
---@field actions? boolean
---@field nodes? integer    at most
---@field timeout? number   seconds
---@field unasked? boolean no caller asked for it: see elements/read/interest.lua
---@field source? string    for recognition.look(): "tree" (default), "auto", "ocr", "ocr:deu"
---@field region? sys.window.Rect  for text recognition: only text in it
---@field background? boolean        marks its elements for hands: their action takes neither pointer nor focus

--- Makes a snapshot of a tree that was read.
---@param tree sys.element.Tree
---@param look elements.Look
---@return elements.Snapshot
function M.of(tree, look)
  local by_id, nodes = join(leave_out(tree.nodes, look.hidden))
  correct_roles(nodes)
  set_keys(nodes)
  labels.give(nodes)
  show_chosen(nodes)
  dialog_name.give(nodes)
  for _, node in ipairs(look.background and nodes or {}) do node.background = true end
  local snapshot = { pid = look.pid, started = look.started or 0, nodes = nodes, by_id = by_id, cut = tree.cut,
    late = tree.late, route = tree.route, note = tree.note, partial = look.partial }
  refs.give(snapshot, not look.root)
  return snapshot
end


local function read(look, hidden)
  return element.tree {
    pid = not look.root and look.pid or nil, started = not look.root and look.started or nil, window = look.window,
    root = look.root, hidden = hidden, actions = look.actions, nodes = look.nodes or M.NODES, bounds = true, values = true,
    timeout = look.timeout,
  }
end


--- True if the tree reports nothing but windows as shown, as Firefox does behind another window.
local function tells_nothing_shown(nodes)
  local some = false
  for _, node in ipairs(nodes) do
    local above = node.role == "application" or words.TOPS[node.role]
    if not above and node.states.shown then return false end
    if above and node.role ~= "application" then some = some or (node.children or 0) > 0 end
  end
  return some
end


--- Marks all elements that have bounds as shown.
local function show_placed(nodes)
  for _, node in ipairs(nodes) do
    local b = node.bounds
    if b and b.width > 1 and b.height > 1 then node.states.shown = true end
  end
end


--- True if windows report content that is never listed, as those of Chromium do if it was started without its option.
local function is_hollow(tree)
  local claims = false
  for _, node in ipairs(tree.nodes) do
    local above = node.role == "application" or words.TOPS[node.role]
    if not above then return false end
    claims = claims or node.role ~= "application" and (node.children or 0) > 0
  end
  return claims and not tree.late
end

local HOLLOW = "process %d tells of its windows, and of nothing in them: it was started without what makes it tell. Close it and "
  .. "open it with open_application, which gives Chromium and its kin --force-renderer-accessibility"


---@param look elements.Look
---@return elements.Snapshot? snapshot
---@return string? err
---@return string? code
function M.take(look)
  local tree, err, code = read(look, look.hidden)
  if not tree then return nil, modal.explained(look.pid, err, code) end
  if not look.unasked then interest.note(look.pid) end
  if not look.root and tells_nothing_shown(tree.nodes) then
    if not look.hidden then tree, err, code = read(look, true) end
    if not tree then return nil, err, code end
    if not look.window and is_hollow(tree) then return nil, HOLLOW:format(look.pid), "no_tree" end
    show_placed(tree.nodes)
  end
  return M.of(tree, look)
end


--- True if the one is somewhere in the other, and not the same.
---@param node elements.Node
---@param top elements.Node
---@return boolean
function M.is_below(node, top)
  local at = node.up
  while at and at.id ~= top.id do at = at.up end
  return at ~= nil
end


return M
