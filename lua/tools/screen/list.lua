--- Running applications, an application's windows, or the server itself.

local answer  = require "screen.answer"
local listing = require "screen.listing"
local notes   = require "screen.notes"
local s       = require "schema"
local status  = require "screen.status"
local text    = require "screen.list_text"

--- The error in the arguments that the schema cannot find.
local function wrong(args, item_type)
  if item_type == "application_windows" and not (args.app and args.app:find "%S") then
    return "app: For 'application_windows', 'app' identifier is required."
  elseif item_type == "server_status" and (args.app or args.include_window_details) then
    return "item_type: 'app' and 'include_window_details' not applicable for 'server_status'."
  elseif args.include_window_details and item_type ~= "application_windows" then
    return "include_window_details: 'include_window_details' only for 'application_windows'."
  end
end


---@class screen.ListArgs
---@field item_type? "running_applications"|"application_windows"|"server_status"
---@field app? string
---@field include_window_details? ("off_screen"|"bounds"|"ids")[]


---@param args screen.ListArgs
---@param call Call
local function run(args, call)
  local said = notes.new()
  local item_type = args.item_type or "running_applications"
  local problem = wrong(args, item_type)
  if problem then return answer.failure(problem, "INVALID_ARGUMENT", nil, said) end
  if item_type == "server_status" then
    return call:result { content = { { type = "text", text = status.text() } }, structuredContent = {} }
  end
  if item_type == "running_applications" then
    local rows, err, code, details = listing.apps(said)
    if not rows then return answer.failure(err, code, details, said) end
    return answer.success(call, { text.applications(rows) }, {}, { application_list = rows }, said)
  end
  local list, err, code, details = listing.windows(args.app, args.include_window_details or {}, said)
  if not list then return answer.failure(err, code, details, said) end
  local facts = { window_list = text.short(list.rows), target_application_info = list.app }
  return answer.success(call, { text.windows(list) }, {}, facts, said)
end


---@type Tool
return {
  title       = "List applications and windows",
  description = "List running applications, an application's windows with details, or the server status. "
    .. "app may be partial or misspelled. Its window indexes work in image. For all other tools, use list_applications and "
    .. "list_windows: they return resource names.",
  inputSchema = s.object {
    { "item_type", s.enum({ "running_applications", "application_windows", "server_status" },
      "server_status names version and AI providers.",
      { optional = true, default = "running_applications" }) },
    { "app", s.string("As for image. Required for application_windows.",
      { optional = true, maxLength = 1000 }) },
    { "include_window_details", s.array({ type = "string", enum = { "off_screen", "bounds", "ids" } },
      "For application_windows, for example [\"bounds\"].", { optional = true, maxItems = 10 }) },
  },
  outputSchema = s.object {
    { "application_list", s.array(s.object {
      { "app_name", s.string "The name that users see." },
      { "bundle_id", s.string "Desktop entry or bundle ID; empty if unknown." },
      { "pid", s.integer "Process ID." },
      { "is_active", s.boolean "True if it owns the focused window." },
      { "window_count", s.integer "Number of windows on the screen." },
    }, "For running_applications.", { optional = true }) },
    { "window_list", s.array(s.object {
      { "window_title", s.string "Window title; may be empty." },
      { "window_id", s.integer("Window ID; with ids.", { optional = true }) },
      { "window_index", s.integer("Window index for image; 0 is the frontmost.", { optional = true }) },
      { "bounds", s.object({ { "x", s.number "Left." }, { "y", s.number "Top." }, { "w", s.number "Width." },
        { "h", s.number "Height." } }, "Bounds in points; with bounds.", { optional = true }) },
      { "is_on_screen", s.boolean("True if the window is on the screen; with off_screen.", { optional = true }) },
    }, "For application_windows.", { optional = true }) },
    { "target_application_info", s.object({
      { "app_name", s.string "The name that users see." },
      { "bundle_id", s.string("Desktop entry or bundle ID, if known.", { optional = true }) },
      { "pid", s.integer "Process ID." } },
      "For application_windows.", { optional = true }) },
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  codes       = {
    APP_NOT_FOUND = "No running application matches; the message lists those that run.",
    AMBIGUOUS_APP_IDENTIFIER = "Several applications match; the message lists them.",
    INVALID_ARGUMENT = "The arguments contradict each other.",
    PERMISSION_DENIED_SCREEN_RECORDING = "On a Mac: windows have no titles, since the system does not allow this program to "
      .. "record the screen.",
    NO_DISPLAY = "No display server is available; the message says what to do.",
  },

  about = { "every", app = "application_words", item_type = { "every", application_windows = "nothing" } },
  run = run,

  examples = {
    { "lists the running applications",
      given = { ["sys.engine.status"] = { version = "1" },
                ["sys.app.list"] = { { pid = 42, started = 1, name = "Text Editor", id = "org.gnome.TextEditor", path = "",
                  active = true } },
                ["sys.window.list"] = { { pid = 42, started = 1, id = 502, title = "Letter", on_screen = true } } },
      args  = {},
      want  = { application_list = {
        { app_name = "Text Editor", bundle_id = "org.gnome.TextEditor", pid = 42, is_active = true, window_count = 1 } } },
      has   = { "Found 1 running application.\nText Editor (org.gnome.TextEditor): PID 42, 1 window, active\n" } },
    { "lists an application's windows",
      given = { ["sys.engine.status"] = { version = "1" },
                ["sys.app.list"] = { { pid = 42, started = 1, name = "Text Editor", id = "org.gnome.TextEditor", path = "" } },
                ["sys.window.list"] = { { pid = 42, started = 1, id = 502, title = "Letter", on_screen = true } } },
      args  = { item_type = "application_windows", app = "editor" },
      want  = { window_list = { { window_title = "Letter", window_index = 0 } }, target_application_info = { pid = 42 } },
      has   = { 'Found 1 window of Text Editor (PID 42).\n0: "Letter"' } },
    { "requires an application for its windows",
      args  = { item_type = "application_windows", app = "  " },
      code  = "INVALID_ARGUMENT", err = "For 'application_windows', 'app' identifier is required." },
    { "refuses details without windows",
      args  = { include_window_details = { "ids" } },
      code  = "INVALID_ARGUMENT", err = "'include_window_details' only for 'application_windows'." },
  },
}
