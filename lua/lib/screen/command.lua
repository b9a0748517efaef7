--- The commands `perigee image` and `perigee list`: what the screen tools do, for a shell. With --json-output one JSON object
--- says how it went; without, lines for people.

local capture = require "screen.capture"
local json    = require "sys.json"
local listing = require "screen.listing"
local log     = require "sys.log"
local notes   = require "screen.notes"
local text    = require "cli.text"

local M = {}

local EXIT_FAILED, EXIT_USAGE = 1, 2

---@type screen.Words
local WORDS = { app = "--app", foreground = "--capture-focus foreground", window_specifier = "A window's title or index" }


-- --- reading the command line -------------------------------------------------------------------

---@class screen.Command
---@field command "image"|"list"
---@field options table<string, string>  by name without dashes, as typed
---@field words string[]                  what is no option
---@field json boolean
---@field colour boolean
---@field width? integer                  columns of the terminal; nil: stdout is none

local function bad(...)
  return nil, (...):format(select(2, ...)), "INVALID_ARGUMENT"
end


--- One of the words, or what they are.
local function choice(options, name, allowed)
  local given = options[name]
  if not given then return true end
  for _, word in ipairs(allowed) do
    if given:lower() == word then return word end
  end
  return bad("--%s is %s, not %q.", name, table.concat(allowed, ", ", 1, #allowed - 1) .. " or " .. allowed[#allowed], given)
end


local function specifier_of(options)
  local title, index = options["window-title"], options["window-index"]
  if title and index then return bad "--window-title and --window-index name a window each: give one of them." end
  if title then
    if not title:find "%S" then return bad "--window-title is empty." end
    return { title = title }
  end
  if not index then return true end
  local number = index:match "^%d+$" and math.tointeger(tonumber(index))
  if not number then return bad("--window-index is a whole number, 0 for the front-most window, not %q.", index) end
  return { index = number }
end


--- nil for what choice() and specifier_of() say is absent.
local function value_of(found)
  if found == true then return nil end
  return found
end


---@return screen.Request? request
---@return string? err
---@return string? code
local function image_request(spec)
  local options = spec.options
  if spec.words[1] then return bad("%q is no option: a path is given with --path, an application with --app.", spec.words[1]) end
  if options.path == "" then return bad "--path is empty." end
  local mode, format, focus, specifier, err, code
  mode, err, code = choice(options, "mode", { "screen", "window", "multi" })
  if not mode then return nil, err, code end
  format, err, code = choice(options, "format", { "png", "jpg" })
  if not format then return nil, err, code end
  focus, err, code = choice(options, "capture-focus", { "background", "foreground" })
  if not focus then return nil, err, code end
  specifier, err, code = specifier_of(options)
  if not specifier then return nil, err, code end
  return { app = options.app, path = options.path, mode = value_of(mode), format = value_of(format),
    capture_focus = value_of(focus), window_specifier = value_of(specifier), words = WORDS }
end


local DETAILS = { off_screen = true, bounds = true, ids = true }

local function details_of(given)
  local list = {}
  for word in (given or ""):gmatch "[^,]+" do
    word = word:match "^%s*(.-)%s*$"
    if word ~= "" and not DETAILS[word] then return bad("--include-details has off_screen, bounds and ids, not %q.", word) end
    if word ~= "" then list[#list + 1] = word end
  end
  return list
end


-- --- doing it ---------------------------------------------------------------------------------------

--- A result's facts, and lines for people.
---@class screen.Done
---@field data table
---@field lines string[]

--- Text of others on one line, with its control characters shown: a title must not move the cursor.
local function plain(value)
  if not utf8.len(value) then value = value:gsub("[\128-\255]", "?") end
  return (value:gsub("%c", function(c) return "^" .. string.char((c:byte() + 64) % 128) end):gsub("\194[\128-\159]", "?"))
end


--- Columns as wide as what is in them; on a terminal the last one is cut.
local function table_lines(spec, heads, rows)
  local widths, lines = {}, {}
  for _, row in ipairs { heads, table.unpack(rows) } do
    for i, value in ipairs(row) do widths[i] = math.max(widths[i] or 0, text.width(value)) end
  end
  for n, row in ipairs { heads, table.unpack(rows) } do
    local cells, used = {}, 0
    for i = 1, #row - 1 do
      cells[i] = text.pad(row[i], widths[i])
      used = used + widths[i] + 2
    end
    cells[#row] = text.cut(row[#row], spec.width and spec.width - used)
    local line = table.concat(cells, "  "):gsub("%s+$", "")
    lines[#lines + 1] = n == 1 and text.paint(spec.colour, "bold", line) or line
  end
  return lines
end


local function image(spec, said)
  local request, err, code = image_request(spec)
  if not request then return nil, err, code end
  local result, details
  result, err, code, details = capture.run(request, said)
  if not result then return nil, err, code, details end
  local lines, files = {}, json.array {}
  for i, file in ipairs(result.saved_files) do
    files[i] = json.object(file, { "path", "item_label", "window_title", "window_id", "window_index", "mime_type" })
    lines[i] = spec.width and ("%s  %s"):format(file.path, text.paint(spec.colour, "dim", plain(file.item_label))) or file.path
  end
  if result.temporary and not spec.json then
    said:message "Temporary files are removed when an hour has passed; --path keeps them."
  end
  return { data = { saved_files = files }, lines = lines }
end


local function list_apps(spec, said)
  local rows, err, code, details = listing.apps(said)
  if not rows then return nil, err, code, details end
  local cells = {}
  for i, row in ipairs(rows) do
    cells[i] = { tostring(row.pid), tostring(row.window_count), row.is_active and "yes" or "", plain(row.bundle_id),
      plain(row.app_name) }
  end
  local lines = #rows == 0 and { "No application with a window is running." }
    or table_lines(spec, { "PID", "WINDOWS", "ACTIVE", "ID", "NAME" }, cells)
  return { data = { applications = rows }, lines = lines }
end


local function bounds_text(b)
  return b and ("%gx%g%+g%+g"):format(b.width, b.height, b.x, b.y)
end


local function list_windows(spec, said)
  local options = spec.options
  if not (options.app and options.app:find "%S") then return bad "Which application? `perigee list windows --app NAME`" end
  local details, problem, what = details_of(options["include-details"])
  if not details then return nil, problem, what end
  local list, err, code, more = listing.windows(options.app, details, said)
  if not list then return nil, err, code, more end
  local heads, cells = { "INDEX" }, {}
  local first = list.rows[1] or {}
  if first.window_id then heads[#heads + 1] = "ID" end
  if first.bounds then heads[#heads + 1] = "BOUNDS" end
  if first.is_on_screen ~= nil then heads[#heads + 1] = "ON SCREEN" end
  heads[#heads + 1] = "TITLE"
  for i, row in ipairs(list.rows) do
    local line = { tostring(row.window_index) }
    if row.window_id then line[#line + 1] = tostring(row.window_id) end
    if row.bounds then line[#line + 1] = bounds_text(row.bounds) end
    if row.is_on_screen ~= nil then line[#line + 1] = row.is_on_screen and "yes" or "no" end
    line[#line + 1] = plain(row.window_title)
    cells[i] = line
  end
  local lines = table_lines(spec, heads, cells)
  if #cells == 0 then
    local others = not (options["include-details"] or ""):find("off_screen", 1, true)
    lines = { ("%s has no window on the screen%s."):format(plain(list.app.app_name),
      others and "; --include-details off_screen lists the others" or "") }
  end
  return { data = { target_application_info = list.app, windows = list.rows }, lines = lines }
end


local LISTS = { apps = list_apps, windows = list_windows }
local ALLOWED = { apps = {}, windows = { app = true, ["include-details"] = true } }

local function list(spec, said)
  local what = spec.words[1]
  if not what then return bad "List what? `perigee list apps` or `perigee list windows --app NAME`" end
  if not LISTS[what] then return bad("There is no list of %q, but of apps and windows.", what) end
  if spec.words[2] then return bad("%q is one word too many.", spec.words[2]) end
  for name in pairs(spec.options) do
    if not ALLOWED[what][name] then return bad("--%s is not for `list %s`.", name, what) end
  end
  return LISTS[what](spec, said)
end


-- --- telling it --------------------------------------------------------------------------------------

--- The object of --json-output for a success.
local function success(done, said)
  return json.object({ success = true, data = done.data, messages = json.array(said.messages),
    debug_logs = json.array(said.debug_logs) }, { "success", "data", "messages", "debug_logs" })
end


--- And for a failure.
local function failure(err, code, details, said)
  return json.object({ success = false, error = json.object({ message = err, code = code, details = details },
    { "message", "code", "details" }), debug_logs = json.array(said.debug_logs) }, { "success", "error", "debug_logs" })
end


local COMMANDS = { image = image, list = list }

--- Does what was typed and prints it.
---@param spec screen.Command
---@return integer status   exit code
---@return string? problem  for stderr
function M.run(spec)
  local said = notes.new()
  local ok, done, err, code, details = pcall(COMMANDS[spec.command], spec, said)
  if not ok then
    log.error(done)
    done, err, code, details = nil, "an error in the program: " .. tostring(done), "INTERNAL_SWIFT_ERROR", nil
  end
  if spec.json then
    print((json.encode(done and success(done, said) or failure(err, code, details, said))))
  else
    said:tell()
    for _, line in ipairs(done and done.lines or {}) do print(line) end
  end
  if done then return 0, not spec.json and #said.messages > 0 and table.concat(said.messages, "\n") or nil end
  return code == "INVALID_ARGUMENT" and EXIT_USAGE or EXIT_FAILED, not spec.json and plain(err) or nil
end


return M
