--- Lists running applications, and the windows of one.

local app_list   = require "sys.app"
local fault      = require "screen.fault"
local json       = require "sys.json"
local match      = require "desktop.match"
local permission = require "sys.permission"
local quoting    = require "desktop.quoting"
local targets    = require "screen.targets"
local window     = require "sys.window"

local M = {}


---@class screen.AppRow
---@field app_name string
---@field bundle_id string   the ID of the desktop entry or bundle; "" if it is unknown
---@field pid integer
---@field is_active boolean
---@field window_count integer  windows on the screen

--- The number of windows of the application on the screen, and true if it is the active one. Of several applications in one
--- process that is the one with the focused window.
local function seen(app, windows)
  local count, focused = 0, nil
  for _, w in ipairs(windows) do
    if w.pid == app.pid and targets.belongs(w, app) and w.on_screen then count = count + 1 end
    if w.pid == app.pid and w.focused then focused = targets.belongs(w, app) end
  end
  return count, app.active and focused ~= false
end


--- The running applications, with and without windows, the active one first. Applications that share a process have rows of
--- their own.
---@param notes screen.Notes
---@return screen.AppRow[]? rows
---@return string? err
---@return string? code
---@return string? details
function M.apps(notes)
  local apps, err, code = app_list.list()
  if not apps then return fault.from(err, code) end
  local windows
  windows, err, code = window.list()
  if not windows then return fault.from(err, code) end
  local rows = json.array {}
  for i, app in ipairs(targets.each(apps, windows)) do
    local count, active = seen(app, windows)
    rows[i] = json.object({ app_name = quoting.plain(app.name), bundle_id = quoting.plain(app.id), pid = app.pid,
      is_active = active, window_count = count }, { "app_name", "bundle_id", "pid", "is_active", "window_count" })
  end
  notes:debug(("%d applications, %d windows"):format(#rows, #windows))
  return rows
end


--- The failure for windows whose titles the system hides, because this program may not record the screen.
local function hidden_titles(app, windows)
  for _, w in ipairs(windows) do
    if w.title == "" then
      local _, err, code = permission.check "screen"
      if code ~= "permission_denied_screen" then return nil end
      return fault.from(("The titles of the windows of %s cannot be read: %s"):format(match.label(app), err), code)
    end
  end
end


---@class screen.WindowRow
---@field window_title string
---@field window_id? integer     if "ids" is requested
---@field window_index integer   the index that `image` accepts
---@field is_on_screen? boolean  if "off_screen" is requested
---@field bounds? sys.window.Rect  if "bounds" is requested

---@class screen.AppInfo
---@field app_name string
---@field bundle_id? string
---@field pid integer

--- The windows of the application that the query names: those on the screen, and with "off_screen" the others after them.
---@param query string
---@param details string[]  "off_screen", "bounds", "ids"
---@param notes screen.Notes
---@return {app: screen.AppInfo, rows: screen.WindowRow[]}? list
---@return string? err
---@return string? code
---@return string? more
function M.windows(query, details, notes)
  local app, err, code, more = targets.app(query, notes)
  if not app then return nil, err, code, more end
  local windows
  windows, err, code, more = targets.windows(app)
  if not windows then return nil, err, code, more end
  err, code = select(2, hidden_titles(app, windows))
  if code then return nil, err, code end
  local want = {}
  for _, name in ipairs(details) do want[name] = true end
  local rows = json.array {}
  for i, w in ipairs(windows) do
    if w.on_screen or want.off_screen then
      rows[#rows + 1] = json.object({
        window_title = quoting.plain(w.title),
        window_id = want.ids and w.id or nil,
        window_index = i - 1,
        bounds = want.bounds and json.object(w.frame, { "x", "y", "width", "height" }) or nil,
      }, { "window_title", "window_id", "window_index", "is_on_screen", "bounds" })
      if want.off_screen then rows[#rows].is_on_screen = w.on_screen end
    end
  end
  local info = json.object({ app_name = quoting.plain(app.name),
    bundle_id = app.id ~= "" and quoting.plain(app.id) or nil, pid = app.pid },
    { "app_name", "bundle_id", "pid" })
  notes:debug(("%d windows of %s, %d listed"):format(#windows, app.name, #rows))
  return { app = info, rows = rows }
end


return M
