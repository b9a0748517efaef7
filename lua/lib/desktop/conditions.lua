--- The conditions that a tool can wait for on the desktop: their parameters, their tests, and the words for them.

local app_names = require "app_names"
local json      = require "sys.json"
local listable  = require "desktop.listable"
local names     = require "desktop.names"
local quoting   = require "desktop.quoting"
local s         = require "schema"
local window    = require "sys.window"
local windows   = require "desktop.windows"

local M = {}

local SHOWN = 5

M.TIMEOUT = 10   -- seconds


-- --- looking -----------------------------------------------------------------------------

local function holds(outside, part)
  return quoting.either(outside, function(text) return text:lower():find(part:lower(), 1, true) ~= nil end)
end


local function managed(w)
  return w.kind ~= "popup" and w.kind ~= "panel"
end


local function first(list, test)
  for _, w in ipairs(list) do
    if test(w) then return w end
  end
end


--- The tests for the application that `window` names, by the arguments of the wait: they remember processes between looks.
local applications = setmetatable({}, { __mode = "k" })


--- Makes a test for the window that is meant, by its resource name, or by words of its title or its application's class, or by
--- its application's name or ID.
local function meant(args)
  local parsed = names.parse(args.window)
  return function(w)
    if not managed(w) then return false end
    if parsed then return parsed.kind == "window" and w.id == parsed.id and w.pid == parsed.pid end
    if holds(w.title, args.window) or holds(w.app, args.window) then return true end
    applications[args] = applications[args] or app_names.test(args.window, true)
    return applications[args](w)
  end
end


--- True if the window came, or came to the front, since `before`.
local function came(w, before)
  local was = before and before[w.id]
  return not was or w.focused and not was.focused or w.on_screen and not was.on_screen
end


--- Makes a test for the popups that count: all, or those of the window's application.
local function popup_of(list, args)
  local owner = args.window and first(list, meant(args))
  return function(w)
    return w.kind == "popup" and w.on_screen and (not args.window or owner ~= nil and w.pid == owner.pid)
  end
end


---@class desktop.Condition
---@field look fun(list: sys.window.Window[], args: table, before?: table<integer, sys.window.Window>): any
---@field seen string    %s: the window, or the caller's words for it
---@field missed string  %s: the caller's words for the window; the text
---@field comes? string  its noun, if only a new one counts after an action
---@field calm number    seconds for which it has to last
---@field needs string[]

--- The conditions of windows. `before`: the windows before an action whose effect is awaited.
---@type table<string, desktop.Condition>
M.ALL = {
  window = {
    look  = function(list, args, before)
      local is_meant = meant(args)
      return first(list, function(w) return is_meant(w) and came(w, before) end)
    end,
    seen = "The window is there: %s", missed = "no window matches %s", comes = "window", calm = 0.2, needs = { "window" },
  },
  gone = {
    look = function(list, args) return not first(list, meant(args)) end,
    seen = "No window matches %s", missed = "a window still matches %s", calm = 0.2, needs = { "window" },
  },
  focused = {
    look = function(list, args)
      local is_meant = meant(args)
      return first(list, function(w) return w.focused and is_meant(w) end)
    end,
    seen = "The keyboard focus is with %s", missed = "no window that matches %s has the keyboard focus", calm = 0,
    needs = { "window" },
  },
  title = {
    look = function(list, args)
      local is_meant = meant(args)
      return first(list, function(w) return is_meant(w) and holds(w.title, args.text) end)
    end,
    seen = "The title fits: %s", missed = "no window that matches %s has a title with %s", calm = 0,
    needs = { "window", "text" },
  },
  popup = {
    look = function(list, args, before)
      local counts = popup_of(list, args)
      return first(list, function(w) return counts(w) and came(w, before) end)
    end,
    seen = "A popup is open: %s", missed = "no popup is open", comes = "popup", calm = 0, needs = {},
  },
  no_popup = {
    look = function(list, args) return not first(list, popup_of(list, args)) end,
    seen = "No popup is open", missed = "a popup is still open", calm = 0.2, needs = {},
  },
}


---@class desktop.ElementCondition
---@field needs string[]
---@field seen string  comes before the evidence
---@field predicate fun(args: table): table  in the form of elements/check/predicates.lua

--- Conditions of elements.
---@type table<string, desktop.ElementCondition>
M.ELEMENTS = {
  element = { needs = { "element" }, seen = "The element is there: ",
    predicate = function(args) return { element = args.element, window = args.window } end },
  element_gone = { needs = { "element" }, seen = "It is gone: ",
    predicate = function(args) return { element = args.element, window = args.window, condition = "gone" } end },
  text = { needs = { "text" }, seen = "The text is there: ",
    predicate = function(args) return { element = args.element, window = args.window, text = args.text } end },
  enabled = { needs = { "element" }, seen = "",
    predicate = function(args) return { element = args.element, window = args.window, condition = "enabled" } end },
  value = { needs = { "element", "value" }, seen = "",
    predicate = function(args) return { element = args.element, window = args.window, value = args.value } end },
}


-- --- saying ------------------------------------------------------------------------------

--- The line about a window; only its resource name where the policy does not let the caller list it.
local function line_of(w) return listable.window(w) and windows.line(windows.facts(w)) or names.window(w) end


--- The sentence for a condition that was met: "applications/7/windows/3 ... is there"
---@param args table
---@param found any  the result of look()
---@return string
function M.seen(args, found)
  local it = type(found) == "table" and line_of(found) or args.window and windows.quote(args.window)
  return (M.ALL[args.condition].seen:format(it))
end


--- The windows that a wait of windows is about, of those in the list.
---@param list sys.window.Window[]
---@param args table
---@return sys.window.Window[]
function M.fitting(list, args)
  local fits, found = args.window and meant(args) or popup_of(list, args), {}
  for _, w in ipairs(list) do
    if fits(w) then found[#found + 1] = w end
  end
  return found
end


--- The windows of the applications that a wait is about. A wait after an action may tell of no others, because a rule of the
--- policy about an application held for these alone.
local function of_same(list, args)
  local pids, found = {}, {}
  for _, w in ipairs(args.window and M.fitting(list, args) or {}) do pids[w.pid] = true end
  for _, w in ipairs(list) do
    if pids[w.pid] then found[#found + 1] = w end
  end
  return found
end


--- The message for a condition that was not met: "no window matches "Notes". Windows now: ..."
---@param args table
---@param list sys.window.Window[]
---@param before? table<integer, sys.window.Window>  those before the action that the wait follows
---@return string
function M.missed(args, list, before)
  local condition = M.ALL[args.condition]
  local text = condition.missed:format(args.window and windows.quote(args.window), args.text and windows.quote(args.text))
  local old = before and condition.comes and condition.look(list, args)
  if old then
    text = ("no new %s %s. This one was there before the action: %s"):format(condition.comes,
      condition.comes == "window" and "matches " .. windows.quote(args.window) or "is open", line_of(old))
  end
  local told = of_same(list, args)
  if before and #told == 0 then return text .. ". list_windows shows those that are there." end
  return text .. ". " .. M.summary(#told > 0 and told or list)
end


---@param list sys.window.Window[]
---@return string
function M.summary(list)
  local lines = {}
  for _, w in ipairs(list) do
    if managed(w) and #lines < SHOWN and listable.window(w) then lines[#lines + 1] = windows.line(windows.facts(w)) end
  end
  if #lines == 0 then return #list == 0 and windows.NONE or "list_windows tells which there are." end
  return "Windows now:\n" .. table.concat(lines, "\n")
end


-- --- parameters --------------------------------------------------------------------------

M.NAMES = { "window", "gone", "focused", "title", "still", "popup", "no_popup", "element", "element_gone", "text", "enabled",
  "value" }

--- The parameters of a wait.
M.PARAMETERS = {
  { "condition", s.enum(M.NAMES, "What to wait for: window or element appears, gone: it goes.") },
  { "window", s.string("Resource name, or a part of a title or application name.", { optional = true, minLength = 1,
    maxLength = 1024 }) },
  { "element", s.string("For element, element_gone, text, enabled, value: ref or selector.", { optional = true, minLength = 1,
    maxLength = 1000 }) },
  { "application", s.string("Of the element. Default: the one with keyboard focus.", { optional = true, minLength = 1,
    maxLength = 1024 }) },
  { "text", s.string("For title and text: what must be in it.", { optional = true, minLength = 1, maxLength = 1024 }) },
  { "source", s.rare(s.string('Of elements. auto (default): the tree, else text recognition; tree; ocr; "ocr:deu".',
    { optional = true, pattern = "^(auto|tree|ocr(:[A-Za-z0-9_+]{1,100})?)$" })) },
  { "value", s.string("For value: what the element must hold.", { optional = true, maxLength = 10000 }) },
  { "region", s.rare(windows.rect_schema("For still: only this part of the desktop, in points, in place of window.",
    { optional = true })) },
  { "seconds", s.rare(s.number("For still: how long nothing may change. Default: 0.5.", { optional = true, minimum = 0.1,
    maximum = 30 })) },
  { "timeout", s.number("Longest wait in seconds.", { optional = true, minimum = 0, maximum = 55, default = M.TIMEOUT }) },
}

local WHOLE = s.object(M.PARAMETERS)


--- The same as a parameter of other tools. Lists of a toolset show only the names and types of its members, which are those of
--- wait_for. check() applies the complete schema.
---@param description string
---@param options? table
---@return table
function M.schema(description, options)
  local fields = {}
  for i, field in ipairs(M.PARAMETERS) do
    local whole = field[2]
    fields[i] = { field[1], { type = whole.type, enum = whole.enum, properties = whole.properties, required = whole.required,
      additionalProperties = whole.additionalProperties, optional = field[1] ~= "condition" } }
  end
  return s.brief(s.object(fields, description, options))
end


--- Checks the arguments by the complete schema.
---@param args table
---@return boolean? ok
---@return string? err
function M.check(args)
  return json.check(WHOLE, args)
end


--- The error in the parameters; nil: there is none. For an element, "gone" means element_gone, as it does in verify.
---@param args table
---@return string? err
function M.wrong(args)
  if args.condition == "gone" and args.element then args.condition = "element_gone" end
  local condition, of_elements = M.ALL[args.condition], M.ELEMENTS[args.condition]
  for _, name in ipairs((condition or of_elements or { needs = {} }).needs) do
    if not args[name] then
      return ("condition %s needs %s."):format(args.condition,
        name == "window" and "window: words of a title or an application's name"
        or name == "element" and 'element: a ref, or a selector as button "Save"' or name)
    end
  end
  if args.region and (condition or of_elements or args.window) then return "region goes with condition still, without window." end
  for _, name in ipairs(of_elements and {} or { "element", "application", "value" }) do
    if args[name] then return ("condition %s does not take %s. Use element, element_gone, text, enabled or value.")
      :format(args.condition, name) end
  end
  local parsed = args.window and names.parse(args.window)
  if parsed and parsed.kind ~= "window" then
    return ("%s does not name a window. Use a resource name from list_windows, or words of a title."):format(args.window)
  end
end


--- The windows, including popups and panels, as a list and by their IDs.
---@return sys.window.Window[]? list
---@return table<integer, sys.window.Window>|string by_id_or_err
---@return string? code
function M.windows()
  local list, err, code = window.list { all_kinds = true }
  if not list then return nil, err, code end
  local by_id = {}
  for _, w in ipairs(list) do by_id[w.id] = w end
  return list, by_id
end


return M
