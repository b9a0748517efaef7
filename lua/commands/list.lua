--- perigee list: lists applications and windows, with the interface that scripts around Peekaboo use.

local command = require "screen.command"
local listing = require "screen.listing"

local bad, plain = command.bad, command.plain

local DETAILS = { "ids", "bounds", "off_screen" }


local function list_apps(args, io, said)
  for _, option in ipairs { "app", "include_details" } do
    if args[option] then return bad("--%s is not for `list apps`.", option:gsub("_", "-")) end
  end
  local rows, err, code, details = listing.apps(said)
  if not rows then return nil, err, code, details end
  local cells = {}
  for i, row in ipairs(rows) do
    cells[i] = { tostring(row.pid), tostring(row.window_count), row.is_active and "yes" or "", plain(row.bundle_id),
      plain(row.app_name) }
  end
  local lines = #rows == 0 and { "No application is running." }
    or command.table_lines(io, { "PID", "WINDOWS", "ACTIVE", "ID", "NAME" }, cells)
  return { data = { applications = rows }, lines = lines }
end


local function bounds_text(b)
  return b and ("%gx%g%+g%+g"):format(b.width, b.height, b.x, b.y)
end


--- Prints lines with the columns that the rows have.
local function window_lines(io, rows)
  local heads, cells = { "INDEX" }, {}
  local first = rows[1] or {}
  if first.window_id then heads[#heads + 1] = "ID" end
  if first.bounds then heads[#heads + 1] = "BOUNDS" end
  if first.is_on_screen ~= nil then heads[#heads + 1] = "ON SCREEN" end
  heads[#heads + 1] = "TITLE"
  for i, row in ipairs(rows) do
    local line = { tostring(row.window_index) }
    if row.window_id then line[#line + 1] = tostring(row.window_id) end
    if row.bounds then line[#line + 1] = bounds_text(row.bounds) end
    if row.is_on_screen ~= nil then line[#line + 1] = row.is_on_screen and "yes" or "no" end
    line[#line + 1] = plain(row.window_title)
    cells[i] = line
  end
  return command.table_lines(io, heads, cells)
end


local function list_windows(args, io, said)
  if not (args.app and args.app:find "%S") then return bad "Which application? `perigee list windows --app NAME`" end
  local details = args.include_details or {}
  local list, err, code, more = listing.windows(args.app, details, said)
  if not list then return nil, err, code, more end
  local lines = window_lines(io, list.rows)
  if #list.rows == 0 then
    local others = not table.concat(details, ","):find("off_screen", 1, true)
    lines = { ("%s has no window on the screen%s."):format(plain(list.app.app_name),
      others and "; --include-details off_screen lists the others" or "") }
  end
  return { data = { target_application_info = list.app, windows = list.rows }, lines = lines }
end


---@type perigee.Command
return {
  summary     = "list running applications, or the windows of one",
  usage       = { "list apps [options]", "list windows --app NAME [--include-details A,B] [options]" },
  description = "Lists the running applications, or an application's windows on the screen, frontmost first.",
  options     = {
    { "app", "app", "the application, as for `perigee image`" },
    { "include-details", "list", "ids: the windows' numbers; bounds: where they are, in points; off_screen: also minimized and "
                              .. "hidden windows, after the others", value = "A,B", enum = DETAILS },
    table.unpack(command.JSON),
  },
  subcommands = {
    apps    = { summary = "list the running applications",
                run = function(args, io) return command.run(args, io, list_apps) end },
    windows = { summary = "list the windows of --app",
                run = function(args, io) return command.run(args, io, list_windows) end },
  },
  notes       = "Exit status: 0 success, 1 the desktop could not be asked, 2 usage error",
  stoppable   = false,
  failure     = command.failure,

  examples = {
    { "lists applications", args = { "apps" },
      out = "PID  WINDOWS  ACTIVE  ID      NAME\n42   2        yes     editor  Text Editor\n",
      given = { ["screen.listing.apps"] = { n = 1, { { pid = 42, window_count = 2, is_active = true, bundle_id = "editor",
                                                       app_name = "Text Editor" } } } } },
    { "lists windows", args = { "windows", "--app", "editor", "--include-details", "ids" },
      out = "INDEX  ID  TITLE\n0      7   notes\n",
      given = { ["screen.listing.windows"] = { n = 1, { app = { app_name = "Text Editor" }, rows = {
        { window_index = 0, window_id = 7, window_title = "notes" } } } } }, did = { "screen.listing.windows editor ids" } },
    { "needs an application", args = { "windows", "--json-output" }, status = 2,
      has = { '"code":"INVALID_ARGUMENT"', "Which application?" } },
    { "knows two lists", args = { "screens" }, status = 2, err = 'unknown subcommand "screens"; there are apps, windows' },
  },
}
