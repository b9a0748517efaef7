--- Windows in the words of the tools: as structured facts, as a line of text, and what an action did to them.

local fail   = require "desktop.fail"
local json   = require "sys.json"
local names  = require "desktop.names"
local s      = require "schema"
local window = require "sys.window"

local M = {}

local STATES = { "minimized", "maximized", "fullscreen", "hidden", "modal", "above", "below", "attention", "shaded" }


-- --- numbers and rectangles -----------------------------------------------------------

--- A whole number without a fraction, others with one digit.
---@param n number
---@return string
function M.number(n)
  local rounded = math.floor(n * 10 + 0.5) / 10
  return math.tointeger(rounded) and tostring(math.tointeger(rounded)) or ("%.1f"):format(rounded)
end


--- "640x480 at 10,20"
---@param rect sys.window.Rect
---@return string
function M.rect(rect)
  local n = M.number
  return ("%sx%s at %s,%s"):format(n(rect.width), n(rect.height), n(rect.x), n(rect.y))
end


--- A title in quotes, on one line.
---@param text string
---@return string
function M.quote(text)
  return '"' .. text:gsub("%c", " ") .. '"'
end


--- The schema of a rectangle. Its members speak for themselves: definitions are sent with every request to a model.
---@param description string
---@param options? table
---@return table
function M.rect_schema(description, options)
  return s.object({
    { "x", s.number() }, { "y", s.number() }, { "width", s.number() }, { "height", s.number() },
  }, description, options)
end


-- --- a window ----------------------------------------------------------------------------

--- The schema of what M.facts() gives.
M.schema = s.object({
  { "name", s.string "Resource name: applications/PID/windows/ID." },
  { "title", s.string() },
  { "title_cut", s.boolean("The title was longer.", { optional = true }) },
  { "application", s.string "Resource name of its application." },
  { "app", s.string "What the application calls itself." },
  { "kind", s.enum({ "normal", "dialog", "utility", "panel", "popup" }) },
  { "bounds", M.rect_schema "In points, with title bar, without shadow." },
  { "content", M.rect_schema "Without title bar and borders." },
  { "focused", s.boolean "Keys go here." },
  { "on_screen", s.boolean "Shown, and part of it within a display." },
  { "states", s.array(s.string(), "Those that hold: " .. table.concat(STATES, ", ") .. ".") },
  { "workspace", s.integer "From 0; -1: all, or unknown." },
  { "order", s.integer "0 is the front-most." },
  { "parent", s.string("Of a dialog: the resource name of its window.", { optional = true }) },
}, "A window.")


local function states_of(what)
  local states = json.array {}
  for _, name in ipairs(STATES) do
    if what[name] then states[#states + 1] = name end
  end
  return states
end


---@param w sys.window.Window
---@return table
function M.facts(w)
  return {
    name        = names.window(w),
    title       = w.title,
    title_cut   = w.title_cut or nil,
    application = names.application(w),
    app         = w.app,
    kind        = w.kind,
    bounds      = w.frame,
    content     = w.content,
    focused     = w.focused,
    on_screen   = w.on_screen,
    states      = states_of(w),
    workspace   = w.workspace,
    order       = w.order,
    parent      = w.parent and names.window { pid = w.pid, started = w.started, id = w.parent } or nil,
  }
end


--- `applications/1/windows/2  "notes.txt" (Text Editor), 640x480 at 0,0, focused`
---@param facts table  of M.facts()
---@return string
function M.line(facts)
  local parts = { ("%s  %s (%s), %s"):format(facts.name, M.quote(facts.title), facts.app, M.rect(facts.bounds)) }
  if facts.kind ~= "normal" then parts[#parts + 1] = facts.kind end
  if facts.focused then parts[#parts + 1] = "focused" end
  for _, state in ipairs(facts.states) do parts[#parts + 1] = state end
  if not facts.on_screen and #facts.states == 0 then parts[#parts + 1] = "not on screen" end
  return table.concat(parts, ", ")
end


-- --- actions ------------------------------------------------------------------------------

--- The parameter that all of them have.
M.name_parameter = { "name", s.string("Resource name, as list_windows gives it; or a title that only one window has.",
  { minLength = 1, maxLength = 1024 }) }


--- The schema of what M.act() gives: what was seen, not what was asked.
M.outcome_schema = s.object {
  { "name", s.string "The window's resource name." },
  { "done", s.boolean "The effect was seen in full." },
  { "note", s.string("When it was not: what happened instead.", { optional = true }) },
  { "before", M.rect_schema "Where it was, in points." },
  { "after", M.rect_schema("Where it is; absent when it is gone.", { optional = true }) },
  { "focused", s.boolean "Keys go to it now." },
  { "gone", s.boolean "It does not exist any more." },
  { "states", s.array(s.string(), "Those that hold now.") },
}


local function same_rect(a, b)
  return a.x == b.x and a.y == b.y and a.width == b.width and a.height == b.height
end


--- "is at 640x480 at 0,0 (was 800x600 at 0,0), focused"
local function seen(outcome)
  if outcome.gone then return "it is gone" end
  local parts = { "it is " .. M.rect(outcome.after) }
  if not same_rect(outcome.before, outcome.after) then
    parts[1] = ("%s (was %s)"):format(parts[1], M.rect(outcome.before))
  end
  parts[#parts + 1] = outcome.focused and "focused" or "not focused"
  for _, state in ipairs(states_of(outcome)) do parts[#parts + 1] = state end
  return table.concat(parts, ", ")
end


--- Finds the window, acts, and tells what was seen.
---@param call Call
---@param name string
---@param did string   for the text: "Moved"
---@param verb string  a function of sys.window
---@param ... any      its arguments after the window
function M.act(call, name, did, verb, ...)
  local ref, err, code = names.find_window(name)
  if not ref then return fail.with(err, code) end
  local outcome
  outcome, err, code = window[verb](ref, ...)
  if not outcome then
    if code == "window_not_found" then return fail.with(select(2, names.window_gone(names.window(ref))), code) end
    return fail.with(err, code)
  end
  local facts = {
    name    = names.window(ref),
    done    = outcome.done,
    note    = outcome.note,
    before  = outcome.before,
    after   = outcome.after,
    focused = outcome.focused,
    gone    = outcome.gone,
    states  = states_of(outcome),
  }
  local text = outcome.done and ("%s %s: %s."):format(did, facts.name, seen(outcome))
    or ("Not done: %s. %s: %s."):format(outcome.note or "the effect was not seen", facts.name, seen(outcome))
  return call:result { content = { { type = "text", text = text } }, structuredContent = facts }
end


return M
