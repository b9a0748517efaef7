--- Predicates: a condition for an element or a window, and whether it is satisfied.
--
--   { element = 'button "Save"', condition = "enabled" }     { element = "e12", value = "Eve" }
--   { element = "listitem", count = 3 }   { text = "Saved" }   { window = "Notes", condition = "focused" }
--
-- The answer is "satisfied" or "unsatisfied" only if it was read. It is "unknown" if the element cannot be read, or is not
-- certainly the one that is meant.

local conditions  = require "desktop.conditions"
local facts       = require "elements.check.facts"
local find        = require "elements.find.search"
local names       = require "desktop.names"
local outline     = require "elements.read.outline"
local recognition = require "elements.read.recognition"
local refs        = require "elements.read.refs"
local s           = require "schema"
local selectors   = require "elements.find.selector"
local target      = require "elements.find.target"
local views       = require "elements.check.views"
local windows     = require "desktop.windows"
local words       = require "elements.read.words"

local M = {}

local NAMED = 3   -- elements in a line of evidence


---@class elements.Predicate
---@field kind "element"|"text"|"window"
---@field condition string
---@field selector? elements.Selector
---@field record? elements.Record        the record of a ref
---@field application? string
---@field window? string
---@field source? string                the source of elements, as for recognition.look()
---@field apart? table<integer, boolean>  by ID: windows whose text does not count
---@field wanted? string|integer         value, value_contains, text or title, count
---@field calm number                    seconds for which it has to last when it is waited for

---@class elements.Answer
---@field result "satisfied"|"unsatisfied"|"unknown"
---@field evidence string
---@field node? elements.Node            the element that was found
---@field near? elements.Node[]          elements that could have been meant
---@field short? string                  the evidence without these
---@field code? string                   why it is unknown, as sys.* says

local function answer(result, evidence, more)
  local told = { result = result, evidence = evidence }
  for key, value in pairs(more or {}) do told[key] = value end
  return told
end


local function decided(yes, evidence, more) return answer(yes and "satisfied" or "unsatisfied", evidence, more) end

--- The first line of a message, as a part of a sentence.
local function line_of(err) return ((err or "no reason was given"):match "^[^\n]*":gsub("%.$", "")) end


local function unknown(err, code) return answer("unknown", line_of(err), { code = code }) end


-- --- parameters ------------------------------------------------------------------------------

local CONDITIONS = { "exists", "gone", "enabled", "disabled", "checked", "unchecked", "selected", "focused", "expanded", "title" }
local OF_WINDOWS = { exists = "window", gone = "gone", focused = "focused", title = "title" }

local function words_of(description) return s.string(description, { optional = true, minLength = 1, maxLength = 1024 }) end

--- The parameters of a predicate, as an object.
M.PARAMETERS = {
  { "element", words_of "Ref or selector." },
  { "application", words_of "Of the element. Default: that of the call." },
  { "window", words_of "With element: only in it. Without: a window's title or name." },
  { "condition", s.enum(CONDITIONS, "Default: exists. title: of a window, with text.", { optional = true }) },
  { "value", s.string("The element holds exactly this.", { optional = true, maxLength = 10000 }) },
  { "value_contains", words_of "The element holds this part." },
  { "text", words_of "Name or value has this; without element: anything shown." },
  { "count", s.integer("So many elements match.", { optional = true, minimum = 0 }) },
}

local WANTED = { "value", "value_contains", "text", "count" }


local function wrong(text) return nil, text, "bad_argument" end


--- The condition of a predicate, and the wanted value.
local function condition_of(given)
  local condition, wanted = given.condition, nil
  for _, name in ipairs(WANTED) do
    if given[name] ~= nil and not (name == "text" and condition == "title") then
      if condition and condition ~= "exists" then
        return wrong(("A predicate has one condition, this one has %s and %s. Use two predicates."):format(condition, name))
      end
      condition, wanted = name, given[name]
    end
  end
  return condition or "exists", condition == "title" and given.text or wanted
end


local function kind_of(given, condition)
  if given.element then return "element" end
  if condition == "text" then return "text" end
  return given.window and "window" or nil
end


local function misfit(given, kind, condition)
  if not kind then return "A predicate needs element, window or text." end
  if condition == "title" and (kind ~= "window" or not given.text) then
    return "condition title needs window and text, not element."
  end
  if kind == "window" and not OF_WINDOWS[condition] then
    return ("A window cannot be asked for %s. Add element, or use exists, gone, focused or title."):format(condition)
  end
  if kind == "window" and given.application then return "application goes with element or text." end
end


local function read_element(out, line)
  local selector, err, code = selectors.parse(line)
  if not selector then return nil, err, code end
  out.selector = selector
  local ref = selectors.ref_in(selector)
  local record = ref and refs.find(ref)
  if ref and not record then return nil, target.unlisted(ref), "element_not_found" end
  if not selector.ref then
    out.around = record or nil
    return out
  end
  out.record = record
  selector.roles = { [out.record.role] = true }
  return out
end


--- Checks a predicate as a caller gave it.
---@param given table         in the form of M.PARAMETERS
---@param application? string used if the predicate names none
---@param source? string      the source of elements; default auto
---@return elements.Predicate? predicate
---@return string? err
---@return string? code
function M.read(given, application, source)
  local condition, wanted, code = condition_of(given)
  if not condition then return nil, wanted, code end
  local kind = kind_of(given, condition)
  local misfits = misfit(given, kind, condition)
  if misfits then return wrong(misfits) end
  local out = { kind = kind, condition = condition, wanted = wanted, window = given.window,
    source = source or "auto",
    application = given.application or kind ~= "window" and not given.window and application or nil }
  out.calm = (condition == "gone" or condition == "count" or kind == "window" and condition == "exists") and 0.2 or 0
  if kind == "element" then return read_element(out, given.element) end
  if kind == "text" then out.selector = { contains = wanted } end
  return out
end


-- --- windows -----------------------------------------------------------------------------------

local function window_line(w) return windows.line(windows.facts(w)) end


local function of_window(view, predicate)
  local list, err, code = view:windows()
  if not list then return unknown(err, code) end
  local args = { window = predicate.window, text = predicate.wanted }
  local condition = conditions.ALL[OF_WINDOWS[predicate.condition]]
  local found = condition.look(list, args)
  if type(found) == "table" then return decided(true, window_line(found)) end
  local there = conditions.ALL.window.look(list, args)
  if there then return decided(found, window_line(there)) end
  return decided(found, "no window matches " .. windows.quote(predicate.window))
end


-- --- the elements that are meant ------------------------------------------------------------------

--- True if the predicate means an application or window that existed, not only a name that matches nothing.
local function was_there(predicate)
  return predicate.record or names.parse(predicate.application or predicate.window or "")
end


local ENDED = { app_not_found = true, window_not_found = true }

--- The answer if there is no application or window to look at.
local function of_nothing(predicate, err, code)
  if not ENDED[code] then return unknown(err, code) end
  local none = predicate.condition == "gone" or predicate.condition == "count" and predicate.wanted == 0
  if none and not was_there(predicate) then return unknown(err, code) end
  return decided(none, line_of(err))
end


local function called(predicate)
  local record = predicate.record
  if not record then return selectors.describe(predicate.selector) end
  return ("%s %s%s"):format(record.ref, record.role, record.name ~= "" and " " .. words.quote(record.name, 60) or "")
end


--- The nodes that count: those that are shown, unless the selector asks for hidden ones, and each only once.
local function countable(nodes, selector)
  local list, all = {}, selector.states and selector.states.shown == false
  for _, node in ipairs(nodes) do
    local counts = not words.doubled(node) and (selector.roles or not node.names)
    if counts and (all or node.states.shown) then list[#list + 1] = node end
  end
  return list
end


--- The snapshot with the words that are meant as elements, if it was read from the screen.
local function widened(predicate, snapshot)
  local record = predicate.record
  return recognition.widen(snapshot, record and { text = record.source and record.name } or predicate.selector)
end


---@return elements.Node[]? nodes
---@return string? err
---@return string? code
local function all_of(predicate, snapshot)
  local nodes, err, code
  snapshot = widened(predicate, snapshot)
  if predicate.record then
    local node, why = refs.locate(predicate.record, snapshot)
    if why == "unsure" then
      return nil, called(predicate) .. " is not certainly one of several that look the same", "element_ambiguous"
    end
    nodes = { node }
  else
    nodes, err, code = find.all(snapshot, predicate.selector)
    if not nodes then return nil, err, code end
  end
  return countable(nodes, predicate.selector)
end


--- `e3 listitem "a", e4 listitem "b" and 5 more`
local function lines_of(nodes)
  local lines = {}
  for i = 1, math.min(#nodes, NAMED) do lines[i] = outline.placed(nodes[i]) end
  return table.concat(lines, "; ") .. (#nodes > NAMED and (" and %d more"):format(#nodes - NAMED) or "")
end


--- The reason why an element that was not found may exist all the same; nil: it does not.
local function not_seen(predicate, snapshot)
  if #snapshot.nodes == 0 then return "the application shows no elements" .. (snapshot.note and ": " .. snapshot.note or "") end
  if views.may_lack(snapshot, predicate.selector) then
    return ("the application has more than the %d elements that were read, and %s is not among these"):format(#snapshot.nodes,
      called(predicate))
  end
end


--- True for text that was read from the screen with little confidence.
local function is_unsure(node) return node ~= nil and node.source ~= nil and node.confidence < recognition.SURE end


local function unsure(node)
  return answer("unknown", outline.placed(node) .. " was read from the screen with little confidence", { node = node })
end


local function none(predicate)
  if predicate.kind == "text" then return "nothing that is shown holds " .. words.quote(predicate.wanted, 80) end
  if predicate.record then return called(predicate) .. " is not there" end
  return "no element matches " .. called(predicate)
end


local function missing(predicate, snapshot)
  local maybe = not_seen(predicate, snapshot)
  if maybe then return unknown(maybe) end
  local near = predicate.record and {} or find.nearest(snapshot, predicate.selector)
  local evidence = none(predicate)
  if near[1] then evidence = ("%s; the nearest is %s"):format(evidence, outline.placed(near[1])) end
  return decided(false, evidence, { near = near, short = none(predicate) })
end


-- --- conditions on any number of them ----------------------------------------------------------------

local several = {}

function several.exists(predicate, snapshot, nodes)
  if #nodes == 0 then return missing(predicate, snapshot) end
  if is_unsure(nodes[1]) then return unsure(nodes[1]) end
  return decided(true, lines_of(nodes), { node = nodes[1] })
end

function several.gone(predicate, snapshot, nodes)
  if #nodes > 0 then return decided(false, lines_of(nodes), { node = nodes[1] }) end
  local maybe = not_seen(predicate, snapshot)
  local similar = snapshot.source and recognition.similar(snapshot, predicate.selector)
  if similar then maybe = ("text recognition reads %s, which may be it"):format(outline.placed(similar)) end
  return maybe and unknown(maybe) or decided(true, none(predicate))
end

function several.count(predicate, snapshot, nodes)
  local evidence = ("%d match%s"):format(#nodes, #nodes > 0 and ": " .. lines_of(nodes) or "")
  local maybe = #nodes <= predicate.wanted and (#nodes == 0 and not_seen(predicate, snapshot)
    or views.may_lack(snapshot, predicate.selector) and "more may match than were read; " .. evidence)
  return maybe and unknown(maybe) or decided(#nodes == predicate.wanted, evidence)
end

--- Looks for text. A look reads only a part of long text, so elements with long text are asked for the rest.
function several.text(predicate, snapshot, nodes)
  if #nodes > 0 then return several.exists(predicate, snapshot, nodes) end
  local node, unread = facts.in_long_text(snapshot, predicate.wanted)
  if node then return decided(true, outline.placed(node), { node = node }) end
  if unread then return unknown(unread) end
  return missing(predicate, snapshot)
end


-- --- conditions on one --------------------------------------------------------------------------------

--- The element that is meant: looked for among the shown elements, then among all.
---@return elements.Node? node
---@return elements.Answer? why
local function only(view, predicate, place)
  for _, hidden in ipairs { false, true } do
    local snapshot, err, code = view:look(place, hidden)
    if not snapshot then return nil, of_nothing(predicate, err, code) end
    local node, why, candidates
    snapshot = widened(predicate, snapshot)
    if predicate.record then
      node, why, candidates = refs.locate(predicate.record, snapshot)
      code = why == "unsure" and "element_ambiguous" or "element_not_found"
    else
      node, why, code, candidates = find.one(snapshot, predicate.selector, true)
    end
    if node then return node end
    if code == "element_ambiguous" then
      local evidence = ("%s may be %d elements: %s"):format(called(predicate), #candidates, lines_of(candidates))
      return nil, answer("unknown", evidence, { code = code, near = candidates })
    end
    if code ~= "element_not_found" then return nil, unknown(why, code) end
    if hidden or snapshot.source then return nil, missing(predicate, snapshot) end
  end
end


local MENUS = words.set "menu menubar combobox"

--- True for an element in a closed menu. It can be chosen there: the menu opens for it.
local function in_menu(node)
  local up = node.up
  while up and not MENUS[up.role] do up = up.up end
  return up ~= nil
end


local function of_one(view, predicate, place)
  local node, why = only(view, predicate, place)
  if not node then return why end
  if is_unsure(node) then return unsure(node) end
  local holds, evidence = facts.CONDITIONS[predicate.condition](node, predicate.wanted)
  if not node.states.shown and not in_menu(node) then
    evidence = evidence .. ", and is not shown"
    if predicate.condition == "enabled" then holds = false end
  end
  if holds == nil then return answer("unknown", evidence, { node = node }) end
  return decided(holds, evidence, { node = node })
end


--- The answer about text that only windows show which do not count.
local function of_apart(predicate, snapshot, told)
  local nodes = all_of(predicate, snapshot)
  if told.result ~= "unsatisfied" or not nodes or #nodes == 0 then return told end
  told.evidence = ("%s in the window that the steps are about; elsewhere there is %s"):format(none(predicate), lines_of(nodes))
  return told
end


local function of_text(view, predicate, place)
  local snapshot, err, code = view:look(place, false)
  if not snapshot then return of_nothing(predicate, err, code) end
  local counts = snapshot
  if predicate.apart and not predicate.window then counts = target.without_windows(snapshot, predicate.apart) end
  local nodes
  nodes, err, code = all_of(predicate, counts)
  if not nodes then return unknown(err, code) end
  local told = several.text(predicate, counts, nodes)
  return counts ~= snapshot and of_apart(predicate, snapshot, told) or told
end


local function of_element(view, predicate)
  local place, err, code = view:place(predicate)
  if not place then return of_nothing(predicate, err, code) end
  if predicate.kind == "text" then return of_text(view, predicate, place) end
  local many = several[predicate.condition]
  if not many or predicate.condition == "text" then return of_one(view, predicate, place) end
  local states = predicate.selector.states
  local snapshot
  snapshot, err, code = view:look(place, states and states.shown == false or false)
  if not snapshot then return of_nothing(predicate, err, code) end
  local nodes
  nodes, err, code = all_of(predicate, snapshot)
  if not nodes then return unknown(err, code) end
  return many(predicate, snapshot, nodes)
end


--- Answers a predicate, as far as it can be read.
---@param predicate elements.Predicate
---@param view elements.View
---@return elements.Answer
function M.ask(predicate, view)
  if predicate.kind == "window" then return of_window(view, predicate) end
  return of_element(view, predicate)
end


return M
