--- Finds the application, and those of its windows, that a request names.

local app_list = require "sys.app"
local fault    = require "screen.fault"
local match    = require "desktop.match"
local quoting  = require "desktop.quoting"
local window   = require "sys.window"

local M = {}


-- --- applications ----------------------------------------------------------------------

--- The application and class of each window, for applications with windows of several classes.
local function several(apps, windows)
  local first, mixed, list, by_pid = {}, {}, {}, {}
  for _, app in ipairs(apps) do by_pid[app.pid] = app end
  for _, w in ipairs(windows) do
    first[w.pid] = first[w.pid] or w.app
    if by_pid[w.pid] and first[w.pid] ~= w.app then mixed[w.pid] = true end
  end
  for _, w in ipairs(windows) do
    if mixed[w.pid] then list[#list + 1] = { app = by_pid[w.pid], class = w.app } end
  end
  return list
end


--- The applications of each process that has windows of several applications, as LibreOffice has: one for each class of windows
--- that is the ID of a desktop entry. A window of another class, for example of a dialog, belongs to the application as which
--- the process is listed.
---@param apps sys.app.App[]
---@param windows sys.window.Window[]
---@return screen.Target[]
local function classes_of(apps, windows)
  local mixed = several(apps, windows)
  local list, seen, entries, taken = {}, {}, {}, {}
  for _, entry in ipairs(#mixed > 0 and app_list.installed() or {}) do entries[entry.id:lower()] = entry end
  for _, one in ipairs(mixed) do
    local app, entry, key = one.app, entries[one.class:lower()], ("%d %s"):format(one.app.pid, one.class)
    if entry and not seen[key] then
      seen[key] = true
      local others = taken[app.pid] or {}
      taken[app.pid] = others
      local of = entry.id == app.id and { others = others } or { class = one.class }
      if of.class then others[of.class] = true end
      of.name, of.id, of.path = entry.name, entry.id, ""
      list[#list + 1] = setmetatable(of, { __index = app })
    end
  end
  return list
end


--- True if a window of the process belongs to the application.
---@param w sys.window.Window
---@param app screen.Target
---@return boolean
function M.belongs(w, app)
  if app.class then return w.app == app.class end
  return not (app.others and app.others[w.app])
end


--- The applications. Each of those that share a process has its own item, after the one as which the process is listed.
---@param apps sys.app.App[]
---@param windows sys.window.Window[]
---@return screen.Target[]
function M.each(apps, windows)
  local own, more, list = {}, {}, {}
  for _, one in ipairs(classes_of(apps, windows)) do
    local those = more[one.pid] or {}
    more[one.pid] = those
    if one.others then own[one.pid] = one else those[#those + 1] = one end
  end
  for _, app in ipairs(apps) do
    list[#list + 1] = own[app.pid] or app
    table.move(more[app.pid] or {}, 1, #(more[app.pid] or {}), #list + 1, list)
  end
  return list
end


--- The application that the query means. In a process with several applications it is the one with that name, if only one has
--- it. A class of windows in another process is meant only if no application matches as closely.
---@param windows sys.window.Window[]
---@param query string
---@return screen.Target? app
---@return string match_or_err
---@return string? code
---@return screen.Target[]? candidates
local function find(apps, windows, query)
  local classes = classes_of(apps, windows)
  local one, other = match.rank(apps, query)[1], match.rank(classes, query)[1]
  if not other or one and one.kind ~= other.kind and one.score > other.score then return match.find(apps, query) end
  if not one or one.kind ~= other.kind then return match.find(classes, query) end
  local class = match.find(classes, query)
  local app, how, code, candidates = match.find(apps, query)
  return app and class and class.pid == app.pid and class or app, how, code, candidates
end


---@class screen.Target: sys.app.App
---@field class? string                 only windows of this class belong to it
---@field others? table<string, true>   all windows but those of these classes belong to it

--- The running application that the query names.
---@param query string
---@param notes screen.Notes
---@return screen.Target? app
---@return string? err
---@return string? code
---@return string? details
function M.app(query, notes)
  local apps, err, code = app_list.list()
  if not apps then return fault.from(err, code) end
  local windows
  windows, err, code = window.list()
  if not windows then return fault.from(err, code) end
  local app, how, what, candidates = find(apps, windows, query)
  if app then
    notes:debug(("%s is %s (by %s)"):format(match.quoted(query), match.label(app), how))
    return app
  end
  if not candidates then return fault.from(how, what) end
  local labels = {}
  for i, candidate in ipairs(candidates) do labels[i] = match.label(candidate) end
  return nil, how, fault.code(what), table.concat(labels, "\n")
end


-- --- windows ---------------------------------------------------------------------------

--- The windows on the screen, frontmost first, then the others.
local function ordered(all)
  local list = {}
  for _, seen in ipairs { true, false } do
    for _, w in ipairs(all) do
      if w.on_screen == seen then list[#list + 1] = w end
    end
  end
  return list
end


--- An application's windows: those on the screen, frontmost first, then the others. The place in this list is the window's
--- index, here and in each listing, even if the listing omits the others.
---@param app screen.Target
---@return sys.window.Window[]? windows
---@return string? err
---@return string? code
---@return string? details
function M.windows(app)
  local all, err, code = window.list { pid = app.pid }
  if not all then return fault.from(err, code) end
  local meant = {}
  for _, w in ipairs(all) do
    if M.belongs(w, app) then meant[#meant + 1] = w end
  end
  return ordered(meant)
end


--- The name of a window, even if its title is empty.
---@param w sys.window.Window
---@return string
function M.label(w)
  local title, app = quoting.plain(w.title), quoting.plain(w.app)
  return title ~= "" and title or app ~= "" and app or ("window %d"):format(w.id)
end


local function titles(windows)
  local list = {}
  for i, w in ipairs(windows) do
    if i > 10 then
      list[#list + 1] = ("and %d more"):format(#windows - 10)
      break
    end
    list[#list + 1] = ("%d: %s%s"):format(i - 1, match.quoted(M.label(w)), w.on_screen and "" or " (not on the screen)")
  end
  return table.concat(list, ", ")
end


--- The quality of a title's match: 3 equal, 2 begins with the words, 1 contains them; nil: none.
local function fits(title, wanted)
  wanted = wanted:lower()
  return quoting.either(title, function(text)
    text = text:lower()
    if text == wanted then return 3 end
    local at = text:find(wanted, 1, true)
    return at == 1 and 2 or at and 1 or nil
  end)
end


--- Positions of the windows whose titles match best.
local function with_title(windows, wanted)
  local best, list = 0, {}
  for i, w in ipairs(windows) do
    local fit = fits(w.title, wanted)
    if fit and fit > best then best, list = fit, {} end
    if fit == best and fit then list[#list + 1] = i end
  end
  return list
end


--- The applications that a query may mean, by process ID.
local function meant(apps, windows, query)
  local app, how, what, candidates = find(apps, windows, query)
  if not app and not candidates then return fault.from(how, what) end
  local by_pid = {}
  for _, candidate in ipairs(app and { app } or candidates) do by_pid[candidate.pid] = candidate end
  return by_pid
end


--- The window with this title, of any application or of all those that the query may mean, and its application. Of several the
--- frontmost.
---@param query? string
---@param title string
---@param notes screen.Notes
---@return sys.window.Window? window
---@return sys.app.App|string app_or_err
---@return string? code
---@return string? details
function M.titled(query, title, notes)
  local apps, err, code = app_list.list()
  if not apps then return fault.from(err, code) end
  local all, why, kind = window.list()
  if not all then return fault.from(why, kind) end
  local by_pid = {}
  for _, app in ipairs(apps) do by_pid[app.pid] = app end
  if query then
    by_pid, err, code = meant(apps, all, query)
    if not by_pid then return nil, err, code end
  end
  local windows = {}
  for _, w in ipairs(ordered(all)) do
    if by_pid[w.pid] and M.belongs(w, by_pid[w.pid]) then windows[#windows + 1] = w end
  end
  local found = with_title(windows, title)
  local first = query and by_pid[next(by_pid)]
  local whose = first and " of " .. (next(by_pid, first.pid) and match.quoted(query) or quoting.name(first.name)) or ""
  if #found == 0 then
    return nil, ("No window%s has %s in its title. Choose one of these: %s."):format(whose, match.quoted(title), titles(windows)),
      "WINDOW_NOT_FOUND"
  end
  if #found > 1 then
    notes:message(("%d windows%s match the title %s; the frontmost was captured."):format(#found, whose, match.quoted(title)))
  end
  return windows[found[1]], by_pid[windows[found[1]].pid]
end


---@class screen.Specifier
---@field title? string
---@field index? integer

--- One window, and its index: the specified one, otherwise the frontmost.
---@param app sys.app.App
---@param windows sys.window.Window[]
---@param specifier? screen.Specifier
---@param notes screen.Notes
---@return sys.window.Window? window
---@return integer|string index_or_err
---@return string? code
function M.window(app, windows, specifier, notes)
  if #windows == 0 then return nil, ("%s has no windows. Open one first."):format(match.label(app)), "WINDOW_NOT_FOUND" end
  if specifier and specifier.index then
    local found = windows[specifier.index + 1]
    if found then return found, specifier.index end
    return nil, ("%s has no window with index %d. Choose one of these: %s.")
      :format(quoting.name(app.name), specifier.index, titles(windows)),
      "WINDOW_NOT_FOUND"
  end
  if specifier and specifier.title then
    local found = with_title(windows, specifier.title)
    if #found == 0 then
      return nil, ("No window of %s has %s in its title. Choose one of these: %s."):format(quoting.name(app.name),
        match.quoted(specifier.title), titles(windows)), "WINDOW_NOT_FOUND"
    end
    if #found > 1 then
      notes:message(("%d windows of %s match the title %s; the frontmost was captured. To choose another, use its index.")
        :format(#found, quoting.name(app.name), match.quoted(specifier.title)))
    end
    return windows[found[1]], found[1] - 1
  end
  return windows[1], 0
end


return M
