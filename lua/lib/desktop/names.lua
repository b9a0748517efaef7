--- Resource names: "applications/PID", "applications/PID/windows/ID", "displays/ID".
--
-- A process ID is used again after its process ends. So when a name is given out, the start time of its process is noted. A
-- name is valid only while its process has the noted start time. A name that was never given out is looked up, and its start
-- time is noted then.

local app        = require "sys.app"
local app_names  = require "app_names"
local beginnings = require "desktop.beginnings"
local display    = require "sys.display"
local listable   = require "desktop.listable"
local match      = require "desktop.match"
local quoting    = require "desktop.quoting"
local state      = require "sys.state"
local window     = require "sys.window"

local M = {}

local SHOWN = 10     -- candidates in a message
local SHOWN_TITLE = 200  -- characters
local KEPT  = 20000  -- start times; beyond that all are forgotten
local NAMED = 1000   -- windows since forget_named(); beyond that all are forgotten


--- The start times of processes that were named, by process ID.
local function started()
  local mine = state.open "desktop"
  mine.started = mine.started or {}
  return mine.started
end


local function remember(pid, time)
  local mine, known = state.open "desktop", started()
  if known[pid] == nil then
    mine.count = (mine.count or 0) + 1
    if mine.count > KEPT then mine.started, mine.count = {}, 1 end
  end
  mine.started[pid] = time
end


-- --- making ------------------------------------------------------------------------

---@param which {pid: integer, started: integer}
---@return string
function M.application(which)
  remember(which.pid, which.started)
  return ("applications/%d"):format(which.pid)
end


---@param which sys.window.Ref
---@return string
function M.window(which)
  local mine = state.open "desktop"
  if not mine.named or (not mine.named[which.id] and mine.named_count >= NAMED) then M.forget_named() end
  if not mine.named[which.id] then
    mine.named[which.id], mine.named_count = true, mine.named_count + 1
  end
  return ("%s/windows/%d"):format(M.application(which), which.id)
end


--- True if this window was named since forget_named(), and that is remembered.
---@param which sys.window.Ref
---@return boolean
function M.is_named(which) return (state.open "desktop".named or {})[which.id] == true end


function M.forget_named()
  local mine = state.open "desktop"
  mine.named, mine.named_count = {}, 0
end


---@param which sys.display.Display
---@return string
function M.display(which)
  return ("displays/%d"):format(which.id)
end


-- --- reading -----------------------------------------------------------------------

local function whole(text)
  return #text <= 19 and math.tointeger(tonumber(text)) or nil
end


---@param name string
---@return {kind: "application"|"window"|"display", pid?: integer, id?: integer}?  nil: it is no resource name
function M.parse(name)
  local pid, id = name:match "^applications/(%d+)/windows/(%d+)$"
  if pid then
    pid, id = whole(pid), whole(id)
    return pid and id and { kind = "window", pid = pid, id = id }
  end
  pid = whole(name:match "^applications/(%d+)$" or "")
  if pid then return { kind = "application", pid = pid } end
  id = whole(name:match "^displays/(%d+)$" or "")
  return id and { kind = "display", id = id }
end


local function listed(lines)
  local shown = table.move(lines, 1, math.min(#lines, SHOWN), 1, {})
  if #lines > SHOWN then shown[#shown + 1] = ("... and %d more"):format(#lines - SHOWN) end
  return table.concat(shown, "\n")
end


local function same(a, b)
  return a ~= "" and quoting.either(a, function(text) return text:lower() == b:lower() end)
end


local function holds(outside, part)
  return quoting.either(outside, function(text) return text:lower():find(part:lower(), 1, true) ~= nil end)
end


local function those(items, test)
  local list = {}
  for _, item in ipairs(items) do
    if test(item) then list[#list + 1] = item end
  end
  return list
end


--- The one item that the first of the tests accepts which accepts any; otherwise the only one with a name that begins with the
--- text. Otherwise nil and the items that could be meant.
---@param items table[]
---@param text string
---@param exact (fun(item: table): any)[]
---@param near fun(item: table): any
---@param names_of fun(item: table): string[]
---@param may fun(item: table): boolean  true: its name may be told
local function only(items, text, exact, near, names_of, may)
  local found, taken = {}, nil
  for _, test in ipairs(exact) do
    if #found == 0 then found = those(items, test) end
  end
  if #found == 0 then found, taken = beginnings.of(items, text, names_of) end
  beginnings.keep(text, taken and found[1] and may(found[1]) and taken or nil)
  if #found == 1 then return found[1] end
  return nil, #found > 0 and found or those(items, near)
end


--- The error for text that does not name exactly one: several match, only one contains it, or none does.
---@param text string
---@param kind "window"|"app"
---@param lines string[]  the candidates
---@param none string     advice if there are none
local function unclear(text, kind, lines, none)
  local quoted, thing = match.quoted(text), kind == "app" and "application" or kind
  if #lines > 1 then
    return nil, ("%s matches %d %ss. Use one of these resource names:\n%s"):format(quoted, #lines, thing, listed(lines)),
      kind .. "_ambiguous"
  end
  local there = ("There is no %s %s. "):format(kind == "app" and "running application" or thing, quoted)
  if #lines == 0 then return nil, there .. none, kind .. "_not_found" end
  return nil, ("%sIf you mean this one, use its resource name:\n%s"):format(there, lines[1]), kind .. "_not_found"
end


-- --- windows -----------------------------------------------------------------------

local function window_line(w)
  return ("  %s  %s (%s)"):format(M.window(w), quoting.quote(w.title, SHOWN_TITLE), quoting.name(w.app))
end


--- The error for a window name that is no longer valid.
---@param name string
function M.window_gone(name)
  return nil, ("Window %s no longer exists. Call list_windows to get the current windows."):format(name), "window_not_found"
end


--- True if the text is the application's name, ID or path.
local function called(a, text)
  for _, name in ipairs(app_names.of(a)) do
    if same(name, text) then return true end
  end
  return a.path == text
end


--- Returns the application of a window: a function that reads the list once.
local function owners()
  local by_pid
  return function(w)
    if not by_pid then
      by_pid = {}
      for _, a in ipairs(app.list() or {}) do by_pid[a.pid] = a end
    end
    return by_pid[w.pid]
  end
end


--- The texts by whose beginning a window is found: its title, and the names of its application.
local function names_of_window(w, owner)
  local list = { w.title, w.app, w.instance }
  return owner and table.move(app_names.of(owner), 1, 5, #list + 1, list) or list
end


--- The window with this title, or of the application with this name, ID or class, if exactly one matches; otherwise the only
--- one with a title or class that begins so.
local function window_of_words(text)
  local windows, err, code = window.list()
  if not windows then return nil, err, code end
  local owner = owners()
  local function is_of_application(w) return owner(w) ~= nil and called(owner(w), text) end
  local found, others = only(windows, text,
    { function(w) return same(w.title, text) or same(w.app, text) end, is_of_application },
    function(w) return holds(w.title, text) or holds(w.app, text) end,
    function(w) return names_of_window(w, owner(w)) end, listable.window)
  if found then return found end
  local lines = {}
  for i, w in ipairs(listable.those(others, listable.window)) do lines[i] = window_line(w) end
  return unclear(text, "window", lines, "Call list_windows and use a resource name from its result.")
end


--- The window that a resource name means. A title, or the name of an application with one window, is accepted if exactly one
--- window matches.
---@param name string
---@return sys.window.Ref? ref
---@return string? err
---@return string? code  "window_not_found", "window_ambiguous"
function M.find_window(name)
  local parsed = M.parse(name)
  if not parsed then return window_of_words(name) end
  if parsed.kind ~= "window" then
    return nil, ("%s does not name a window. Use a resource name like applications/PID/windows/ID from list_windows.")
      :format(name), "bad_argument"
  end
  local known = started()[parsed.pid]
  if known then return { pid = parsed.pid, started = known, id = parsed.id } end
  local found, err, code = window.get { pid = parsed.pid, started = 0, id = parsed.id }
  if not found then
    if code == "window_not_found" then return M.window_gone(name) end
    return nil, err, code
  end
  M.window(found)
  return found
end


--- The window that a name means, as it is now.
---@param name string
---@return sys.window.Window? window
---@return string? err
---@return string? code  the same as those of find_window()
function M.look_at_window(name)
  local ref, err, code = M.find_window(name)
  if not ref then return nil, err, code end
  local found
  found, err, code = window.get(ref)
  if code == "window_not_found" then return M.window_gone(M.window(ref)) end
  return found, err, code
end


-- --- applications --------------------------------------------------------------------

--- The windows of this class, and the process that they have alone; a process with windows of other classes is shared.
local function windows_of_class(text)
  local list, found, pids, others = window.list() or {}, {}, {}, {}
  local function is_of(w) return same(w.app, text) or same(w.instance or "", text) end
  for _, w in ipairs(list) do
    if is_of(w) then
      found[#found + 1] = w
      pids[w.pid] = w
    else
      others[w.pid] = true
    end
  end
  local pid, first = next(pids)
  return found, pid and pid ~= 0 and not next(pids, pid) and not others[pid] and first or nil
end


--- The error for words that match no process but an application that shares its process with others, as LibreOffice's do; nil
--- if there is none.
local function shares_a_process(text)
  local lines, pids, seen = {}, {}, {}
  for _, w in ipairs(window.list() or {}) do
    if holds(w.app, text) and listable.window(w) then
      lines[#lines + 1] = window_line(w)
      if not seen[w.pid] then pids[#pids + 1] = M.application(w) end
      seen[w.pid] = true
    end
  end
  if #lines == 0 then return nil end
  return nil, ("%s has windows of its own, and a process that it shares with other applications. Use a window's resource "
    .. "name with focus_window or close_window, or %s for all that the process shows:\n%s")
    :format(match.quoted(text), table.concat(pids, " or "), listed(lines)), "app_not_found"
end


--- The classes and instances of the windows of each process that has windows of one class only.
local function classes()
  local first, list = {}, {}
  for _, w in ipairs(window.list() or {}) do
    if first[w.pid] and first[w.pid] ~= w.app then
      list[w.pid] = {}
    elseif not first[w.pid] then
      first[w.pid], list[w.pid] = w.app, { w.app, w.instance }
    end
  end
  return list
end


--- Returns all names of an application: a function that reads the windows once.
local function all_names()
  local of_pid
  return function(a)
    of_pid = of_pid or classes()
    local list = app_names.of(a)
    return table.move(of_pid[a.pid] or {}, 1, #(of_pid[a.pid] or {}), #list + 1, list)
  end
end


local function app_of_words(text)
  local apps, err, code = app.list()
  if not apps then return nil, err, code end
  local function is_called(a) return called(a, text) end
  local _, alone = nil, nil
  if #those(apps, is_called) == 0 then _, alone = windows_of_class(text) end
  if alone then
    beginnings.keep(text)
    return app.get { pid = alone.pid, started = alone.started }
  end
  local found, others = only(apps, text, { is_called }, function(a) return holds(a.name, text) or holds(a.id, text) end,
    all_names(), listable.application)
  if found then return found end
  local lines = {}
  for i, a in ipairs(listable.those(others, listable.application)) do
    lines[i] = ("  %s  %s"):format(M.application(a), quoting.name(a.name))
  end
  if #lines == 0 then
    local _, shared, what = shares_a_process(text)
    if shared then return nil, shared, what end
  end
  return unclear(text, "app", lines, "Call list_applications to see what is running, or open_application to start it.")
end


--- The running application that a resource name means, or a name or ID that only one application has.
---@param name string
---@return sys.app.App? app  as it is now
---@return string? err
---@return string? code  "app_not_found", "app_ambiguous", "not_an_app"
function M.find_application(name)
  local parsed = M.parse(name)
  if not parsed then return app_of_words(name) end
  if parsed.kind ~= "application" then
    return nil, ("%s does not name an application. Use a resource name like applications/PID from list_applications.")
      :format(name), "bad_argument"
  end
  local found, err, code = app.get { pid = parsed.pid, started = started()[parsed.pid] or 0 }
  if found then
    M.application(found)
    return found
  end
  if code == "not_an_app" then
    return nil, ("%s is not an application (%s). Call list_applications to get the running applications."):format(name, err), code
  end
  if code == "app_not_found" then
    return nil, ("%s has exited or never existed. Call list_applications to get the running applications."):format(name), code
  end
  return nil, err, code
end


-- --- displays ------------------------------------------------------------------------

--- The display with that resource name, or with that name in the system.
---@param name string
---@return sys.display.Display? display
---@return string? err
---@return string? code  "display_not_found"
function M.find_display(name)
  local displays, err, code = display.list()
  if not displays then return nil, err, code end
  local lines = {}
  for i, d in ipairs(displays) do
    if M.display(d) == name or same(d.name, name) then return d end
    lines[i] = ("  %s  %s"):format(M.display(d), quoting.name(d.name))
  end
  return nil, ("There is no display %s. Use one of these:\n%s"):format(match.quoted(name), listed(lines)),
    "display_not_found"
end


return M
