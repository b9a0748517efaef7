--- Running applications, an application's windows, or the server itself.

local answer  = require "screen.answer"
local json    = require "sys.json"
local listing = require "screen.listing"
local notes   = require "screen.notes"
local quoting = require "desktop.quoting"
local s       = require "schema"
local status  = require "screen.status"


local function plural(count, word)
  return ("%d %s%s"):format(count, word, count == 1 and "" or "s")
end


local function apps_text(rows)
  local lines = { ("Found %s."):format(plural(#rows, "running application")) }
  for _, row in ipairs(rows) do
    local id = row.bundle_id ~= "" and " (" .. quoting.name(row.bundle_id) .. ")" or ""
    lines[#lines + 1] = ("%s%s: PID %d, %s%s"):format(quoting.name(row.app_name), id, row.pid, plural(row.window_count, "window"),
      row.is_active and ", active" or "")
  end
  return table.concat(lines, "\n")
end


--- Points without a needless fraction.
local function point(n)
  return ("%g"):format(n)
end


local function windows_text(list)
  local lines = { ("Found %s of %s (PID %d)."):format(plural(#list.rows, "window"), quoting.name(list.app.app_name),
    list.app.pid) }
  for _, row in ipairs(list.rows) do
    local line = ("%d: %s"):format(row.window_index, quoting.quote(row.window_title))
    if row.window_id then line = line .. (", id %d"):format(row.window_id) end
    if row.bounds then
      local b = row.bounds
      line = line .. (", %s x %s at %s, %s"):format(point(b.width), point(b.height), point(b.x), point(b.y))
    end
    if row.is_on_screen == false then line = line .. ", not on the screen" end
    lines[#lines + 1] = line
  end
  return table.concat(lines, "\n")
end


--- The tool's bounds have short names.
local function short(rows)
  local list = json.array {}
  for i, row in ipairs(rows) do
    local b = row.bounds
    list[i] = json.object({ window_title = row.window_title, window_id = row.window_id, window_index = row.window_index,
      is_on_screen = row.is_on_screen,
      bounds = b and json.object({ x = b.x, y = b.y, w = b.width, h = b.height }, { "x", "y", "w", "h" }) },
      { "window_title", "window_id", "window_index", "bounds", "is_on_screen" })
  end
  return list
end


--- What the schema cannot say of the arguments.
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
    return answer.success(call, { apps_text(rows) }, {}, { application_list = rows }, said)
  end
  local list, err, code, details = listing.windows(args.app, args.include_window_details or {}, said)
  if not list then return answer.failure(err, code, details, said) end
  local facts = { window_list = short(list.rows), target_application_info = list.app }
  return answer.success(call, { windows_text(list) }, {}, facts, said)
end


local APPS = {
  { pid = 42, started = 1, name = "Text Editor", id = "org.gnome.TextEditor", path = "", active = true },
  { pid = 43, started = 1, name = "xterm", id = "", path = "/usr/bin/xterm", active = false },
}

local FRAME = { x = 10, y = 20.5, width = 800, height = 600 }

local WINDOWS = {
  { pid = 42, started = 1, id = 501, title = "Hidden.txt", app = "Text Editor", on_screen = false, frame = FRAME },
  { pid = 42, started = 1, id = 502, title = "Letter", app = "Text Editor", on_screen = true, frame = FRAME },
}

local GIVEN = { ["sys.app.list"] = APPS, ["sys.window.list"] = WINDOWS, ["sys.engine.status"] = { version = "1" } }


---@type Tool
return {
  title       = "List applications and windows",
  description = "List running applications, an application's windows, or the server status. Peekaboo-compatible: its window "
    .. "indexes work in image. For every other desktop tool, use list_applications and list_windows instead: they return "
    .. "resource names.",
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
    NO_DISPLAY = "No display server is available; the message says what to do.",
  },

  run = run,

  examples = {
    { "lists the running applications",
      given = GIVEN, args = {},
      want  = { application_list = {
        { app_name = "Text Editor", bundle_id = "org.gnome.TextEditor", pid = 42, is_active = true, window_count = 1 },
        { app_name = "xterm", bundle_id = "", pid = 43, is_active = false, window_count = 0 } } },
      has   = { "Found 2 running applications.\nText Editor (org.gnome.TextEditor): PID 42, 1 window, active\n",
        "\nxterm: PID 43, 0 windows\n\n--- Peekaboo MCP Server Status ---" } },
    { "lists an application's windows",
      given = GIVEN, args = { item_type = "application_windows", app = "editor" },
      want  = { window_list = { { window_title = "Letter", window_index = 0 } },
        target_application_info = { app_name = "Text Editor", bundle_id = "org.gnome.TextEditor", pid = 42 } },
      has   = { "Found 1 window of Text Editor (PID 42).\n0: \"Letter\"" } },
    { "lists the windows with all details",
      given = GIVEN,
      args  = { item_type = "application_windows", app = "42", include_window_details = { "off_screen", "bounds", "ids" } },
      want  = { window_list = {
        { window_title = "Letter", window_id = 502, window_index = 0, is_on_screen = true,
          bounds = { x = 10, y = 20.5, w = 800, h = 600 } },
        { window_title = "Hidden.txt", window_id = 501, window_index = 1, is_on_screen = false } } },
      has   = { "0: \"Letter\", id 502, 800 x 600 at 10, 20.5\n",
        "1: \"Hidden.txt\", id 501, 800 x 600 at 10, 20.5, not on the screen" } },
    { "returns the server's status",
      given = GIVEN, args = { item_type = "server_status" },
      has   = { "--- Peekaboo MCP Server Status ---\nName: Perigee\nVersion: 1\n" },
      did   = { "engine.status" } },
    { "requires an application for its windows",
      args  = { item_type = "application_windows", app = "  " },
      code  = "INVALID_ARGUMENT", err = "For 'application_windows', 'app' identifier is required." },
    { "refuses details without windows",
      args  = { include_window_details = { "ids" } },
      code  = "INVALID_ARGUMENT", err = "'include_window_details' only for 'application_windows'." },
    { "refuses other arguments for the status",
      args  = { item_type = "server_status", app = "x" },
      code  = "INVALID_ARGUMENT", err = "'app' and 'include_window_details' not applicable for 'server_status'." },
    { "reports that there is no display",
      given = { ["sys.app.list"] = { n = 3, false, "there is no display: DISPLAY is not set", "no_display" },
                ["sys.engine.launcher"] = "cursor-vscode" }, args = {},
      code  = "NO_DISPLAY", err = "DISPLAY is not set. Cursor did not pass DISPLAY on. Run `perigee install cursor`" },
  },
}
