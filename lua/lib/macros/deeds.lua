--- The deeds of a run, call by call, in names that last: of the calls that were made, those that did not fail.
--
-- A call of act is several deeds. Looks stay in the list, for the values that were read and for the last check.

local outlines  = require "macros.outlines"
local resources = require "macros.resources"
local set_of    = require("word_set").of
local words     = require "elements.read.words"

local M = {}

--- A call that was made, from the journal of a run or from a session.
---@class macros.Made
---@field tool string
---@field arguments table
---@field text string
---@field structured? any
---@field failed boolean
---@field reads boolean    it changes nothing
---@field before? boolean   it is not part of the macro: it only says what refs mean

---@class macros.Deed
---@field kind string      "open", "set", "click", "choose", "menu", "dialog", "keys", "type", "verify", "wait", "look", "call"
---@field given macros.Given  in names that last
---@field seen? macros.Seen   the element
---@field effect? string   "confirmed", "partial", "none_seen", "unknown"
---@field changes string[]
---@field application? string  the name of its application that lasts
---@field made macros.Made
---@field looks macros.Outlines  nil but for looks
---@field doing? string     what kind of elements it is about

---@class macros.Reading
---@field outlines macros.Outlines
---@field places macros.Resources
---@field dialogs {title: string, ref?: string}[]  dialogs and windows that the run opened and that are open, the latest last
---@field deeds macros.Deed[]

local KINDS = { open_application = "open", write_element_value = "set", click_element = "click", select_option = "choose",
  select_menu_item = "menu", handle_dialog = "dialog", create_input = "keys", verify = "verify", wait_for = "wait" }

-- Calls that a macro needs no step for: its steps find their windows themselves.
local NEEDLESS = set_of "focus_window activate_application"

local WINDOWS = set_of "dialog alert window"


local function copy_of(value)
  if type(value) ~= "table" then return value end
  local copy = {}
  for key, each in pairs(value) do copy[key] = copy_of(each) end
  return copy
end


-- --- names that last ------------------------------------------------------------------------------------------

local function is_ref(text) return type(text) == "string" and text:find "^e%d+$" ~= nil end

local ELEMENTS = { "element", "to", "find", "click", "double_click", "set", "drag" }


--- The title of a dialog that is a window of its own, and in front now.
local function front(reading)
  local last = reading.dialogs[#reading.dialogs]
  local node = last and last.ref and reading.outlines.by_ref[last.ref]
  return last and not (node and node.up) and last.title or nil
end


--- Puts selectors in the places of refs within a selector: "button in e12".
local function without_refs(reading, line)
  return (line:gsub("%f[%w]in (e%d+)%f[%W]", function(ref)
    local seen = reading.outlines:element(ref)
    return seen and "in " .. seen.line or nil
  end))
end


--- Makes an argument that means an element last. `known` is the ref that the result gave for a selector.
---@return macros.Seen?|false seen  false: it means none any more
---@return string? err
local function element_of(reading, args, key, known)
  local said = args[key]
  local ref = is_ref(said) and said or known
  local seen, err = nil, nil
  if ref then seen, err = reading.outlines:element(ref) end
  if not seen then
    if is_ref(said) then return false, err end
    args[key] = without_refs(reading, said)
    return nil
  end
  if is_ref(said) or seen.way ~= "index" and reading.outlines.looks[ref] then args[key] = seen.line end
  if is_ref(said) and args[key] ~= seen.line then args[key] = seen.line end
  return seen
end


--- Makes the application and the window of a call last. A call that becomes no step in a window keeps what it named, and no more.
local function place(reading, args, seen, current, is_step)
  local title, of
  if type(args.window) == "string" then title, of = reading.places:window(args.window) end
  local said = args.application or of or seen and seen.node.application
  local name, resource = reading.places:application(said or nil)
  if current then reading.places.current = resource or reading.places.current end
  if not is_step then
    args.application, args.window = args.application and (name or args.application), args.window and (title or args.window)
    return
  end
  if name then args.application = name end
  local dialog = seen and seen.dialog
  local is_open = false
  for _, each in ipairs(reading.dialogs) do is_open = is_open or title ~= nil and each.title == title end
  args.window = dialog or is_open and title or nil
end


--- Makes the window that a predicate names by its resource name last. One in which something is to hold is that of the step,
--- because its title may be another one by then; a dialog keeps its title, and so does a window that is to come or to go.
local function place_of_predicate(reading, args)
  local title, of = reading.places:window(args.window)
  local is_in_it = args.element or args.text or args.condition == "title"
  local is_dialog = false
  for _, each in ipairs(reading.dialogs) do is_dialog = is_dialog or each.title == title end
  args.window = (is_dialog or not is_in_it) and title or nil
  if is_in_it then args.application = args.application or of end
end


local LISTS = { "predicates", "steps" }

--- Makes all names in arguments last. Returns the element that they are about.
---@return macros.Seen? seen
---@return string? err
local function lasting(reading, args, known, current, is_step, inner)
  local seen
  for _, key in ipairs(ELEMENTS) do
    if type(args[key]) == "string" then
      local found, err = element_of(reading, args, key, known)
      if found == false then return nil, err end
      seen = seen or found
    end
  end
  for _, key in ipairs(LISTS) do
    for _, each in ipairs(type(args[key]) == "table" and args[key] or {}) do
      local found, err = lasting(reading, each, known, false, false, true)
      if err then return nil, err end
      seen = seen or found
    end
  end
  for _, key in ipairs { "wait", "verify" } do
    if type(args[key]) == "table" then
      local found, err = lasting(reading, args[key], known, false, false, true)
      if err then return nil, err end
      seen = seen or found
    end
  end
  if inner then
    if resources.is_window(args.window) then place_of_predicate(reading, args) end
    if args.application then args.application = reading.places:application(args.application) end
  else
    place(reading, args, seen, current, is_step)
  end
  return seen
end


-- --- parts of a call -------------------------------------------------------------------------------------------

--- The lines of a result that say what changed.
local function changes_of(made)
  local facts = type(made.structured) == "table" and made.structured or {}
  if type(facts.changes) == "table" then return facts.changes end
  local list = {}
  for line in (made.text or ""):gmatch "[^\n]+" do
    if line:find "^[+~-] " then list[#list + 1] = line end
  end
  return list
end


local EFFECTS = { Confirmed = "confirmed", Partial = "partial", ["No effect seen"] = "none_seen", ["Unknown effect"] = "unknown" }

local function effect_of(made)
  local facts = type(made.structured) == "table" and made.structured or {}
  if type(facts.effect) == "string" then return facts.effect end
  for words_of, effect in pairs(EFFECTS) do
    if (made.text or ""):find("[.%s]" .. words_of .. ": ") then return effect end
  end
end


local STEP_KINDS = { click = "click", double_click = "click", set = "set", menu = "menu", type = "type", keys = "keys",
  wait = "wait", verify = "verify" }

--- How many steps of a call of act were done, and what it says of each.
local function steps_done(made)
  local facts = type(made.structured) == "table" and made.structured or {}
  if type(facts.steps) == "table" then
    local done = facts.done and #facts.steps or #facts.steps - 1
    return done, facts.steps
  end
  local stopped = tonumber((made.text or ""):match "^Stopped at step (%d+) of")
  return stopped and stopped - 1 or #(made.arguments.steps or {}), {}
end


--- The calls that one call stands for: { kind, tool, arguments, effect, ref }.
local function parts_of(made)
  if made.tool ~= "act" then
    local facts = type(made.structured) == "table" and made.structured or {}
    local kind = KINDS[made.tool]
    if made.tool == "create_input" then kind = (made.arguments.action == "type" or made.arguments.action == "paste") and "type"
      or made.arguments.action == "keys" and "keys" or "call" end
    if made.tool == "handle_dialog" and not (made.arguments.button or made.arguments.path) then kind = "look" end
    return { { kind = kind or made.reads and "look" or "call", tool = made.tool, arguments = made.arguments,
      effect = effect_of(made), ref = is_ref(facts.element) and facts.element or nil } }
  end
  local list, done, facts = {}, steps_done(made)
  for i = 1, math.min(done, #(made.arguments.steps or {})) do
    local step, said = made.arguments.steps[i], facts[i] or {}
    local kind = "call"
    for name, is in pairs(STEP_KINDS) do
      if step[name] ~= nil then kind = is end
    end
    if step.find == nil then
      list[#list + 1] = { kind = kind, tool = "act", effect = said.effect, ref = is_ref(said.element) and said.element or nil,
        arguments = { steps = { step }, application = made.arguments.application, window = made.arguments.window } }
    end
  end
  return list
end


--- The call of a tool that does the same as a step of act.
local function plain(given)
  local args = given.arguments
  local step = given.tool == "act" and args.steps[1]
  if not step then return given end
  local function as(tool, more)
    more.application, more.window = args.application, args.window
    return { tool = tool, arguments = more }
  end
  if step.click then return as("click_element", { element = step.click }) end
  if step.double_click then return as("click_element", { element = step.double_click, count = 2 }) end
  if step.set then return as("write_element_value", { element = step.set, value = step.value }) end
  if step.menu then return as("select_menu_item", { path = step.menu }) end
  if step.keys then return as("create_input", { action = "keys", keys = step.keys }) end
  if step.type then return as("create_input", { action = "type", text = step.type }) end
  if step.verify then return as("verify", { predicates = { step.verify } }) end
  return given
end


-- --- reading ----------------------------------------------------------------------------------------------------

--- Notes which dialogs and windows came and went.
local function follow_windows(reading, changes)
  for _, line in ipairs(changes) do
    local sign, ref, role, title = line:match '^([+-]) ?(e?%d*) ?(%a+) "(.-)"'
    if sign and WINDOWS[role] and title ~= "" then
      if sign == "+" then
        reading.outlines.came[ref] = true
        reading.dialogs[#reading.dialogs + 1] = { title = title, ref = ref ~= "" and ref or nil }
      else
        for i = #reading.dialogs, 1, -1 do
          if reading.dialogs[i].title == title then table.remove(reading.dialogs, i) end
        end
      end
    end
  end
end


--- Reads the outlines and lines of a result.
local function follow(reading, made)
  reading.places:add(made)
  local facts = type(made.structured) == "table" and made.structured or {}
  local said = facts.application
  if type(said) == "table" then said = said.name end
  local application = type(said) == "string" and said or reading.places:resource(made.arguments.application or "")
    or reading.places.current
  local text = type(facts.outline) == "string" and facts.outline or made.text or ""
  if made.tool == "get_ui_tree" then
    local snapshot = reading.outlines:read(text, application)
    reading.places.current = application or reading.places.current
    return snapshot
  end
  reading.outlines:lines(text, made.reads and application or nil)
  for _, list in ipairs { facts.changes, facts.dialog and facts.dialog.fields } do
    if type(list) == "table" then reading.outlines:lines(table.concat(list, "\n"), nil) end
  end
end


--- The title of the dialog that a call of handle_dialog answered.
local function title_of_dialog(made)
  local facts = type(made.structured) == "table" and made.structured or {}
  return type(facts.dialog) == "table" and type(facts.dialog.title) == "string" and facts.dialog.title
    or (made.text or ""):match 'dialog "(.-)" closed' or nil
end


--- The menu items of an open menu, and cells, are not of the window that a macro finds.
local POPUPS = words.set "menuitem checkitem radioitem"

---@return macros.Deed? deed
---@return string? err
local function deed_of(reading, made, part)
  local given = { tool = part.tool, arguments = copy_of(part.arguments) }
  local looks = part.kind == "look"
  local seen, err = lasting(reading, given.arguments, part.ref, not looks or made.tool == "get_ui_tree",
    part.kind ~= "call" and part.kind ~= "look" or part.tool == "act")
  if err and not looks then return nil, ("%s: %s"):format(part.tool, err) end
  given = plain(given)
  local args = given.arguments
  if given.tool == "create_input" then args.window = args.window or front(reading) end
  if given.tool == "handle_dialog" then args.window = title_of_dialog(made) or args.window or front(reading) end
  if given.tool == "open_application" then
    args = { application = args.application or args.name, files = args.files, arguments = args.arguments, new = args.new or nil }
    args.application = reading.places:application(args.application) or args.application
    given.arguments = args
  end
  local popup = seen and POPUPS[seen.node.role]
  return { kind = part.kind, given = given, seen = seen, effect = part.effect, changes = {}, made = made, popup = popup or nil,
    application = args.application or looks and reading.places:application() or nil }
end


--- Reads calls in the order in which they were made.
---@param made macros.Made[]
---@return macros.Reading? reading
---@return string? err
function M.read(made)
  local reading = { outlines = outlines.new(), places = resources.new(), dialogs = {}, deeds = {} }
  for i, each in ipairs(made) do
    local first = #reading.deeds + 1
    if each.tool == "open_application" and not each.failed then reading.places:add(each) end
    -- The refs of a result are not known before it; what the call was about is.
    local known = each.failed and {} or parts_of(each)
    if each.tool ~= "get_ui_tree" and not each.failed then
      for _, part in ipairs(known) do
        if part.ref and not reading.outlines.by_ref[part.ref] then follow(reading, each) end
      end
    end
    for _, part in ipairs(each.before and {} or known) do
      if not NEEDLESS[part.tool] then
        local deed, err = deed_of(reading, each, part)
        if not deed then return nil, ("call %d, %s"):format(i, err) end
        deed.at = i
        reading.deeds[#reading.deeds + 1] = deed
      end
    end
    local snapshot = follow(reading, each)
    if not each.failed then
      local changes = changes_of(each)
      local last = reading.deeds[#reading.deeds]
      if #reading.deeds >= first then
        last.changes, last.snapshot = changes, snapshot
      end
      follow_windows(reading, changes)
    end
  end
  return reading
end


return M
