--- Windows in the words of the tools: as structured facts and as a line of text.

local json  = require "sys.json"
local names = require "desktop.names"
local s     = require "schema"

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


--- The parameter of the tools that take one.
M.name_parameter = { "name", s.string("Resource name, as list_windows gives it; or a title that only one window has.",
  { minLength = 1, maxLength = 1024 }) }


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


--- The states that hold, by name.
---@param what sys.window.Window|sys.window.Outcome
---@return string[]
function M.states(what)
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
    states      = M.states(w),
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


return M
