--- Windows as the tools report them: as structured facts and as a line of text.

local json    = require "sys.json"
local names   = require "desktop.names"
local quoting = require "desktop.quoting"
local s       = require "schema"

local M = {}

local STATES = { "minimized", "maximized", "fullscreen", "hidden", "modal", "above", "below", "attention", "shaded",
  "elsewhere" }

M.NONE = "There are no windows."


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


M.quote = quoting.quote


--- The schema of a rectangle. Its members have no descriptions, because definitions are sent with every request to a model.
---@param description string
---@param options? table
---@return table
function M.rect_schema(description, options)
  return s.object({
    { "x", s.number() }, { "y", s.number() }, { "width", s.number() }, { "height", s.number() },
  }, description, options)
end


--- The parameter of tools that do something with one window.
M.parameter = { "window", s.also_called("name", s.string("Resource name from list_windows, or title.",
  { minLength = 1, maxLength = 1024 })) }


-- --- a window ----------------------------------------------------------------------------

--- The schema of the result of M.facts().
M.schema = s.object({
  { "name", s.string "Resource name: applications/PID/windows/ID." },
  { "title", s.string() },
  { "title_cut", s.boolean("True if the title was cut.", { optional = true }) },
  { "application", s.string "Resource name of the window's application." },
  { "app", s.string "Name of the application." },
  { "kind", s.enum({ "normal", "dialog", "utility", "panel", "popup" }) },
  { "bounds", M.rect_schema "Bounds in points, with title bar, without shadow." },
  { "content", M.rect_schema "Bounds without title bar and borders." },
  { "focused", s.boolean "True if it has keyboard focus." },
  { "on_screen", s.boolean "True if it is shown and at least partly on a display." },
  { "states", s.array(s.string(), "Current states: " .. table.concat(STATES, ", ") .. ".") },
  { "workspace", s.integer "Workspace number from 0; -1 for all or unknown." },
  { "order", s.integer "Stacking order; 0 is frontmost." },
  { "parent", s.string("For a dialog: resource name of the window it belongs to.", { optional = true }) },
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
    title       = quoting.plain(w.title),
    title_cut   = w.title_cut or nil,
    application = names.application(w),
    app         = quoting.plain(w.app),
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


--- `"notes.txt" (applications/1/windows/2), Text Editor, 640x480 at 0,0, focused`
---@param facts table  the result of M.facts()
---@return string
function M.line(facts)
  local parts = { ("%s (%s)"):format(M.quote(facts.title), facts.name), quoting.name(facts.app), M.rect(facts.bounds) }
  if facts.kind ~= "normal" then parts[#parts + 1] = facts.kind end
  if facts.focused then parts[#parts + 1] = "focused" end
  for _, state in ipairs(facts.states) do parts[#parts + 1] = state end
  if not facts.on_screen and #facts.states == 0 then parts[#parts + 1] = "not on screen" end
  return table.concat(parts, ", ")
end


return M
