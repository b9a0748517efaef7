--- Finds the application, its elements and the one that is meant, from a tool's arguments.

local await       = require "elements.read.await"
local element     = require "sys.element"
local find        = require "elements.find.search"
local labels      = require "elements.read.labels"
local names       = require "desktop.names"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local refs        = require "elements.read.refs"
local selectors   = require "elements.find.selector"
local snapshots   = require "elements.read.snapshot"
local window      = require "sys.window"
local words       = require "elements.read.words"

local M = {}

local SHOWN = 8   -- candidates in a message


---@class elements.Place
---@field pid integer
---@field started integer
---@field window? integer  only elements of this window
---@field source? string  the source of its elements, as for recognition.look()
---@field background? boolean  nothing that is done there takes the pointer or the focus (elements.read.hands)

---@class elements.Target
---@field place elements.Place
---@field snapshot elements.Snapshot
---@field node elements.Node  absent for a whole application
---@field hidden boolean  true: the snapshot also has elements that are not shown
---@field mark? integer   a mark of events, from before the look
---@field must? boolean   what is done to it needs a seen effect


-- --- the application ------------------------------------------------------------------------

local function focused_place()
  local list, err, code = window.list()
  if not list then return nil, err, code end
  for _, each in ipairs(list) do
    if each.focused then return { pid = each.pid, started = each.started } end
  end
  return nil, "No window has keyboard focus. Pass application or window.", "bad_argument"
end


--- The place of the element with that ref.
---@param ref? string
---@return elements.Place? place  nil: there is no ref, or it was not listed
local function place_of_ref(ref)
  local record = ref and refs.find(ref)
  return record and { pid = record.pid, started = record.started, source = record.source } or nil
end


local function place_of(args, selector)
  if args.window then
    local ref, err, code = names.find_window(args.window)
    if not ref then return nil, err, code end
    return { pid = ref.pid, started = ref.started, window = ref.id }
  end
  if args.application then
    local app, err, code = names.find_application(args.application)
    if not app then return nil, err, code end
    return { pid = app.pid, started = app.started }
  end
  local place = place_of_ref(selector and selectors.ref_in(selector))
  if place then return place end
  return focused_place()
end


--- The application that the arguments name; without a name, the one of a ref in the selector, or the one with the keyboard focus.
---@param args {application?: string, window?: string, source?: string, background?: boolean}
---@param selector? elements.Selector
---@return elements.Place? place
---@return string? err
---@return string? code
function M.place(args, selector)
  local place, err, code = place_of(args, selector)
  if place then place.source, place.background = args.source or place.source, args.background end
  return place, err, code
end


---@param place elements.Place
---@param options? {hidden?: boolean, actions?: boolean, nodes?: integer, region?: sys.window.Rect}
---@return elements.Snapshot? snapshot
---@return string? err
---@return string? code
function M.look(place, options)
  options = options or {}
  return recognition.look { pid = place.pid, started = place.started, window = place.window, hidden = options.hidden,
    actions = options.actions, nodes = options.nodes, source = place.source, region = options.region,
    background = place.background }
end


-- --- messages -------------------------------------------------------------------------------------

local function listed(nodes)
  local lines = {}
  for i = 1, math.min(#nodes, SHOWN) do
    local node = nodes[i]
    local top = node.top ~= node and node.top or nil
    lines[i] = ("  %s%s%s"):format(outline.line(node), node.beside and " near " .. words.quote(node.beside, 60) or "",
      top and " in " .. words.called(top) or "")
  end
  if #nodes > SHOWN then lines[#lines + 1] = ("  ... and %d more"):format(#nodes - SHOWN) end
  return table.concat(lines, "\n")
end


local function not_found(snapshot, selector, err)
  local near = find.nearest(snapshot, selector)
  for _, told in ipairs { find.unread(snapshot) or "", find.unsearched(snapshot, selector) or "" } do
    if told ~= "" then err = ("%s %s"):format(err, told) end
  end
  if snapshot.source and (selector.roles or selector.states) then
    err = err .. " Its text was read from the screen, where roles and states are not known: pass the text alone."
  end
  if #near > 0 then return nil, ("%s Nearest:\n%s"):format(err, listed(near)), "element_not_found" end
  if #snapshot.nodes <= 1 then
    err = ("%s The application shows no elements%s."):format(err, snapshot.note and ": " .. snapshot.note or "")
  else
    err = err .. " Call get_ui_tree to see what is there."
  end
  return nil, err, "element_not_found"
end


local function ambiguous(err, candidates)
  return nil, ("%s Pass the ref of one, or add in, near or nth:\n%s"):format(err, listed(candidates)), "element_ambiguous"
end


-- --- the one that is meant ---------------------------------------------------------------------------

--- A whole application, without an element that is meant.
---@param place elements.Place
---@return elements.Target? target  without a node
---@return string? err
---@return string? code
function M.whole(place)
  local mark = await.mark(place.pid)   -- to know later which elements changed by themselves
  local snapshot, err, code = snapshots.take { pid = place.pid, started = place.started }
  if not snapshot then return nil, err, code end
  return { place = place, snapshot = snapshot, hidden = false, mark = mark }
end


--- Looks first among the shown elements, then among all: items of closed menus can be meant.
---@param place elements.Place
---@param try fun(snapshot: elements.Snapshot): elements.Node?, string?, string?, elements.Node[]?
---@return elements.Target? target
---@return string? err
---@return string? code
---@return elements.Node[]? candidates
---@return elements.Snapshot? seen  the look in which it was not found
local function look_twice(place, try)
  local mark = await.mark(place.pid)   -- to know later which elements changed by themselves
  local snapshot, err, code = M.look(place)
  if not snapshot then return nil, err, code end
  local node, why, what, candidates = try(snapshot)
  if node then return { place = place, snapshot = snapshot, node = node, hidden = false, mark = mark } end
  if what ~= "element_not_found" or snapshot.source then return nil, why, what, candidates, snapshot end
  local all = M.look(place, { hidden = true })
  if not all then return nil, why, what, nil, snapshot end
  local hidden_why, hidden_what
  node, hidden_why, hidden_what, candidates = try(all)
  if node then return { place = place, snapshot = all, node = node, hidden = true, mark = mark } end
  if hidden_what == "element_ambiguous" then return nil, hidden_why, hidden_what, candidates, all end
  return nil, why, what, nil, snapshot
end


--- The error, with the elements that could have been meant.
local function failed(selector, err, code, candidates, seen)
  if code == "element_ambiguous" and candidates then return ambiguous(err, candidates) end
  if code == "element_not_found" and seen then return not_found(seen, selector, err) end
  return nil, err, code
end


---@param snapshot elements.Snapshot
---@param counts fun(window: integer?): any
local function part(snapshot, counts)
  local nodes = {}
  for _, node in ipairs(snapshot.nodes) do
    if counts(node.window) then nodes[#nodes + 1] = node end
  end
  return { pid = snapshot.pid, started = snapshot.started, nodes = nodes, by_id = snapshot.by_id, cut = snapshot.cut,
    late = snapshot.late, route = snapshot.route, note = snapshot.note, source = snapshot.source }
end


--- The part of a snapshot that is in one window.
---@param snapshot elements.Snapshot
---@param window_id integer
---@return elements.Snapshot
function M.in_window(snapshot, window_id) return part(snapshot, function(id) return id == window_id end) end


--- The part of a snapshot that is in none of these windows.
---@param snapshot elements.Snapshot
---@param ids table<integer, boolean>
---@return elements.Snapshot
function M.without_windows(snapshot, ids) return part(snapshot, function(id) return not ids[id] end) end


--- Finds an element by a selector. It looks at the whole application even for one of a window, because whatever the element
--- opens is outside of it.
local function by_selector(args, selector)
  local place, err, code = M.place(args, selector)
  if not place then return nil, err, code end
  local window_id = place.window
  place.window = nil
  local found, why, what, candidates, seen = look_twice(place, function(each)
    return find.one(recognition.widen(window_id and M.in_window(each, window_id) or each, selector), selector)
  end)
  if found then return found end
  return failed(selector, why, what, candidates, seen)
end


local function was_called(record)
  return ("%s %s%s"):format(record.ref, record.role, record.name ~= "" and " " .. words.quote(record.name, 60) or "")
end


--- The message about a ref that no element has.
---@param ref string
---@return string
function M.unlisted(ref)
  return ("%s was not listed in this run. Call find_elements or get_ui_tree for current refs."):format(ref)
end


--- Finds an element by its ref. Refs of text that was read from the screen are only for tools that accept such elements.
local function by_ref(ref, args)
  local source = args.source
  local record = refs.find(ref)
  if not record then return nil, M.unlisted(ref), "element_not_found" end
  if record.source and not source then
    return nil, was_called(record) .. " was read from the screen by text recognition. It can be found and clicked; for anything "
      .. "else use create_input.", "not_supported"
  end
  local place = { pid = record.pid, started = record.started, source = record.source or source,
    background = args.background }
  record = refs.copy(record)   -- as it was listed, because the look updates the record
  local found, why, what, candidates, seen = look_twice(place, function(each)
    if record.source then each = recognition.widen(each, { text = record.name }) end
    local node, reason, alike = refs.locate(record, each, not args.reading)
    if node then return node end
    if reason == "renamed" then
      return nil, ("%s is now called %s. Pass %s again if that is meant."):format(was_called(record),
        words.quote(words.name(alike[1]), 60), record.ref), "element_changed"
    end
    if reason == "unsure" then
      return nil, ("%s is not certainly one of these %d."):format(was_called(record), #alike), "element_ambiguous", alike
    end
    return nil, was_called(record) .. " no longer exists.", "element_not_found"
  end)
  if found then return found end
  local selector = { roles = { [record.role] = true }, text = record.name ~= "" and record.name or nil }
  return failed(selector, why, what, candidates, seen)
end


--- Finds the element that `args.element` names: a ref, or a selector for elements of the application.
--- With `reading`, the caller does nothing to it, so an element that was renamed since it was listed is accepted.
---@param args {element: string, application?: string, window?: string, source?: string, reading?: boolean, background?: boolean}
---@return elements.Target? target
---@return string? err
---@return string? code  "element_not_found", "element_ambiguous", "element_changed", "no_tree", "bad_argument", ...
function M.find(args)
  local selector, err, code = selectors.parse(args.element)
  if not selector then return nil, err, code end
  if selector.ref then return by_ref(selector.ref, args) end
  return by_selector(args, selector)
end


--- Reads the node's actions, and its bounds and states as they are now. The tree does not include actions.
---@param node elements.Node
---@return elements.Node? node  the same, renewed
---@return string? err
---@return string? code
function M.renew(node)
  if node.source then return recognition.renew(node) end
  local fresh, err, code = element.get { node.id }
  if not fresh then return nil, err, code end
  if fresh[1].gone then return nil, words.called(node) .. " no longer exists. Look again.", "element_gone" end
  fresh[1].states.shown = fresh[1].states.shown or node.states.shown   -- an element with bounds may have been marked as shown
  node.actions, node.bounds, node.states, node.number = fresh[1].actions, fresh[1].bounds, fresh[1].states, fresh[1].number
  node.value = labels.value(node, fresh[1])
  return node
end


return M
