--- Captures the images of a request: every display, one window, or all windows of an application.

local app_list = require "sys.app"
local display  = require "sys.display"
local fault    = require "screen.fault"
local match    = require "desktop.match"
local pictures = require "desktop.pictures"
local places   = require "screen.places"
local quoting  = require "desktop.quoting"
local screen   = require "sys.screen"
local targets  = require "screen.targets"
local window   = require "sys.window"

local M = {}

local DATA_BYTES = 5500000  -- bytes of all returned images, which fit into one result as base64


--- The caller's words for the options that error messages mention.
---@class screen.Words
---@field app string               the application
---@field foreground string        the option that brings it to the front
---@field window_specifier string

---@type screen.Words
local WORDS = { app = "app", foreground = 'capture_focus "foreground"', window_specifier = "window_specifier" }


---@class screen.Request
---@field app? string
---@field path? string
---@field mode? "screen"|"window"|"multi"
---@field window_specifier? screen.Specifier
---@field format? "png"|"jpg"
---@field return_data? boolean
---@field capture_focus? "background"|"foreground"
---@field longest? integer  pixels of the longest side, for images that are returned and not saved
---@field frame? boolean  capture windows with title bar and borders
---@field words? screen.Words  default: the tool's
---@field on_shots? fun(shots: screen.Shot[])  called as soon as the shots are known

---@class screen.Shot
---@field what table        the argument of sys.screen.capture()
---@field info string       a part of the file's name
---@field label string
---@field title? string
---@field id? integer
---@field index? integer
---@field window? sys.window.Window

---@class screen.Saved
---@field path string
---@field item_label string
---@field window_title? string
---@field window_id? integer
---@field window_index? integer
---@field mime_type string

---@class screen.Picture
---@field bytes string
---@field mime_type string
---@field shot screen.Shot
---@field path? string
---@field origin {x: number, y: number}  point of the top left pixel
---@field scale number  pixels per point
---@field width integer
---@field height integer

---@class screen.Captured
---@field mode "screen"|"window"|"multi"
---@field app? sys.app.App
---@field saved_files screen.Saved[]
---@field pictures screen.Picture[]  if data was requested
---@field taken integer   number of images, saved or returned or both
---@field temporary boolean  the saved files are temporary ones


-- --- shots -------------------------------------------------------------------------------

local function display_shots()
  local list, err, code = display.list()
  if not list then return fault.from(err, code) end
  local shots = {}
  for i, d in ipairs(list) do
    shots[i] = {
      what = { display = d.id }, info = places.display_info(i - 1, d.main),
      label = ("Display %d%s"):format(i, d.main and " / Main" or ""),
    }
  end
  return shots
end


--- The shot of a window, without title bar and borders unless `frame` is set.
local function window_shot(w, index, frame)
  return {
    what = { window = { pid = w.pid, started = w.started, id = w.id }, content_only = not frame or nil },
    info = places.window_info(index, targets.label(w)),
    label = targets.label(w), title = quoting.plain(w.title), id = w.id, index = index, window = w,
  }
end


--- Brings the application to the front. If it does not come, a note says so, and it is captured in its place.
local function raise(app, notes)
  local done, err = app_list.activate(app)
  if done and done.done then return end
  local why = err or done.note
  notes:message(("%s could not be brought to the front%s."):format(quoting.name(app.name),
    why and ": " .. why:gsub("%.$", "") or ""))
end


--- The window's index among those of its application.
local function index_of(w, windows)
  for i, other in ipairs(windows) do
    if other.id == w.id then return i - 1 end
  end
end


--- The requested window, brought to the front if requested. It is looked up first, because its index is the one that the caller
--- saw. A title decides among all applications that the request may mean.
local function one_window(app, w, request, notes)
  local windows, err, code, details = targets.windows(app)
  if not windows then return nil, err, code, details end
  local index = w and index_of(w, windows)
  if not w then
    w, index, err = targets.window(app, windows, request.window_specifier, notes)
    if not w then return nil, index, err end
  end
  if request.capture_focus == "foreground" then
    raise(app, notes)
    local outcome, why = window.focus(w)
    if not outcome or not outcome.done then
      notes:debug("Could not raise specific window; it is captured where it is: " .. (why or outcome.note or "no focus"))
    end
  end
  return { window_shot(w, index, request.frame) }
end


local function all_windows(app, request, words, notes)
  local windows, err, code, details = targets.windows(app)
  if not windows then return nil, err, code, details end
  local shots, away = {}, 0
  for i, w in ipairs(windows) do
    if w.on_screen then shots[#shots + 1] = window_shot(w, i - 1, request.frame) else away = away + 1 end
  end
  if away > 0 then
    notes:message(("%d window%s of %s not on the screen and %s not captured."):format(away, away == 1 and "" or "s",
      quoting.name(app.name) .. (away == 1 and " is" or " are"), away == 1 and "was" or "were"))
  end
  if #shots > 0 then return shots end
  return nil, ("%s has no window on the screen.%s"):format(match.label(app),
    away > 0 and (" Use %s to bring it there."):format(words.foreground) or ""), "WINDOW_NOT_FOUND"
end


--- The captures to make, and the application.
---@return screen.Shot[]? shots
---@return sys.app.App|string? app_or_err
---@return string? code
---@return string? details
local function shots_of(request, mode, notes)
  local app, shots, err, code, details, w
  local title = mode == "window" and request.window_specifier and request.window_specifier.title
  if title then
    w, app, code, details = targets.titled(request.app, title, notes)
    if not w then return nil, app, code, details end
  elseif request.app then
    app, err, code, details = targets.app(request.app, notes)
    if not app then return nil, err, code, details end
    if request.capture_focus == "foreground" and mode ~= "window" then raise(app, notes) end
  end
  if mode == "screen" then
    shots, err, code, details = display_shots()
  elseif mode == "window" then
    shots, err, code, details = one_window(app, w, request, notes)
  else
    shots, err, code, details = all_windows(app, request, request.words or WORDS, notes)
  end
  if not shots then return nil, err, code, details end
  return shots, app
end


-- --- captures --------------------------------------------------------------------------------

--- One capture, to a file, to memory, or both.
local function take(shot, place, format, want_bytes, words, notes, longest)
  local what, path = { format = format == "jpg" and "jpeg" or "png", bytes = want_bytes }, nil
  if not place then what.longest = longest end
  for key, value in pairs(shot.what) do what[key] = value end
  if place then
    local err, code, details
    path, err, code, details = places.path(place, shot.info, notes)
    if not path then return nil, err, code, details end
    what.path, what.named = path, place.named
  end
  local got, err, code = screen.capture(what)
  if got then
    notes:debug(("%s: %dx%d pixels by %s"):format(quoting.name(shot.label), got.width, got.height, got.route))
    if path and shot.window then pictures.keep(got, shot.window) end
    return got, path
  end
  if place then places.discard(place, path) end
  if code == "file_io_error" then
    return nil, ("%s could not be saved at %s: %s"):format(quoting.name(shot.label), path,
      (err:gsub("^the image cannot be written: ", ""))),
      "FILE_IO_ERROR"
  end
  if code == "window_minimized" then
    err = ("the window is minimized. Use %s to restore it first"):format(words.foreground)
  end
  return nil, ("%s: %s."):format(quoting.name(shot.label), (err:gsub("%.$", ""))), fault.code(code), code
end


local function saved(shot, path, mime_type)
  return { path = path, item_label = shot.label, window_title = shot.title, window_id = shot.id, window_index = shot.index,
    mime_type = mime_type }
end


--- Adds one capture to the result. False and the failure if the request cannot go on.
local function add(result, shot, got, path, place, words, notes)
  if path then result.saved_files[#result.saved_files + 1] = saved(shot, path, got.mime_type) end
  if not got.bytes then return true end
  if result.bytes + #got.bytes <= DATA_BYTES then
    result.bytes = result.bytes + #got.bytes
    result.pictures[#result.pictures + 1] = { bytes = got.bytes, mime_type = got.mime_type, shot = shot, path = path,
      origin = got.origin, scale = got.scale, width = got.width, height = got.height }
    return true
  end
  if not path then
    local again, where, code, details = take(shot, place, result.format, false, words, notes)
    if not again then return false, where, code, details end
    got, path = again, where
    result.saved_files[#result.saved_files + 1] = saved(shot, path, got.mime_type)
    result.temporary = true
  end
  notes:message(("%s is too large to be returned with the others (%d bytes). It was saved to %s."):format(
    quoting.name(shot.label), got.size, path))
  return true
end


--- The error in a request that the schema does not find.
local function wrong(request, mode, words)
  local specifier = request.window_specifier
  if specifier and specifier.index and not request.app then
    return ("A window's index needs its application. Pass %s."):format(words.app)
  end
  if mode ~= "screen" and not request.app and not (mode == "window" and specifier and specifier.title) then
    return ("Mode %q requires an application. Pass %s."):format(mode, words.app)
  end
  if request.app and not request.app:find "%S" then return "The application name is empty. Pass a name, an ID or \"PID:42\"." end
  if not specifier then return nil end
  if not specifier.title and not specifier.index then return "window_specifier has neither title nor index. Pass one of them." end
  if specifier.title and not specifier.title:find "%S" then return "window_specifier.title is empty. Pass a window title." end
end


--- Failures that would also hit every other capture.
local FATAL = { FILE_IO_ERROR = true, NO_DISPLAY = true, DISPLAY_LOST = true, TIMEOUT = true, DESKTOP_HUNG = true, STOPPED = true,
  PERMISSION_DENIED_SCREEN_RECORDING = true }


--- Makes all captures, until one fails for good. The first failure: message, code, details.
---@return {[1]: string, [2]: string, [3]?: string}? failure
local function take_all(result, shots, place, request, notes)
  -- An image that is returned needs no temporary file.
  local save = not (request.return_data and place.way == "temporary") and place or nil
  local words = request.words or WORDS
  local first
  for _, shot in ipairs(shots) do
    local got, path, why, more = take(shot, save, result.format, request.return_data or false, words, notes,
      request.longest)
    local ok = got ~= nil
    if got then ok, path, why, more = add(result, shot, got, path, place, words, notes) end
    if ok then
      result.taken = result.taken + 1
    else
      first = first or { path, why, more }
      notes:debug(("%s (%s)"):format(path, why))
      if FATAL[why] then return { path, why, more } end
      if #shots > 1 then notes:message(path) end
    end
  end
  return first
end


---@param request screen.Request
---@param notes screen.Notes
---@return screen.Captured? result
---@return string? err
---@return string? code
---@return string? details
function M.run(request, notes)
  local mode = request.mode or (request.app or request.window_specifier) and "window" or "screen"
  local words = request.words or WORDS
  local problem = wrong(request, mode, words)
  if problem then return nil, problem, "INVALID_ARGUMENT" end
  if request.window_specifier and mode ~= "window" then
    notes:message(("%s applies only to mode \"window\"; the mode is %q."):format(words.window_specifier, mode))
  end
  local format = places.format(request.path, request.format)
  local place, err, code, details = places.decide({ path = request.path, format = format, single = mode == "window",
    app = mode ~= "screen" and request.app or "" }, notes)
  if not place then return nil, err, code, details end
  local shots, app
  shots, app, code, details = shots_of(request, mode, notes)
  if not shots then return nil, app, code, details end
  if request.on_shots then request.on_shots(shots) end
  if app and mode ~= "screen" then place.app = places.clean(app.name, 40) end

  local result = { mode = mode, app = app, saved_files = {}, pictures = {}, taken = 0, bytes = 0, format = format,
    temporary = place.way == "temporary" and not request.return_data }
  local failure = take_all(result, shots, place, request, notes)
  if not failure or result.taken > 0 and not FATAL[failure[2]] then return result end
  local kept = {}
  for i, file in ipairs(result.saved_files) do kept[i] = file.path end
  return nil, failure[1], failure[2], #kept > 0 and "saved before it failed: " .. table.concat(kept, ", ") or failure[3]
end


return M
