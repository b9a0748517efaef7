--- The names of an application: its name for people, its ID, the name by which it was opened, and the class and instance of its
--- windows. Each of them means it, wherever an application is named.

local app     = require "sys.app"
local letters = require "letters"
local state   = require "sys.state"

local M = {}

local fold = letters.fold

local LEAST = 3    -- bytes of a beginning


local DOMAINS = { com = true, edu = true, gov = true, io = true, net = true, org = true, app = true, dev = true }

--- The last part of a name that begins with a domain: "jEdit" of "org-gjt-sp-jedit-jEdit", the class of a Java program that has
--- no other name here, and "TextEditor" of "org.gnome.TextEditor".
local function last_part(name)
  local first, last = name:match "^(%a+)[.-][%w_.-]*[.-](%w+)$"
  return first and (DOMAINS[first:lower()] or #first == 2) and last or nil
end


--- The applications that were opened, by process ID.
---@return table<integer, {started: integer, name: string}>
local function opened()
  local mine = state.open "desktop"
  mine.opened = mine.opened or {}
  return mine.opened
end


--- Remembers the name by which an application was opened: it may show itself by another one.
---@param a sys.app.App
---@param name string
function M.remember(a, name)
  if a.pid ~= 0 then opened()[a.pid] = { started = a.started, name = name } end
end


--- All names of an application but the classes of its windows.
---@param a sys.app.App
---@return string[]
function M.of(a)
  local list, known, id = { a.name }, opened()[a.pid], a.id:gsub("%.desktop$", "")
  if id ~= "" then list[2], list[3] = id, id .. ".desktop" end
  list[#list + 1] = last_part(id ~= "" and id or a.name)
  if known and known.started == a.started then list[#list + 1] = known.name end
  return list
end


--- True if the text is a name of the application or its ID.
---@param a sys.app.App
---@param wanted string  folded
---@return boolean
function M.names_app(a, wanted)
  for _, name in ipairs(M.of(a)) do
    if fold(name) == wanted then return true end
  end
  return false
end


--- True if a name of the application or its ID begins with the text.
---@param a sys.app.App
---@param wanted string  folded
---@return boolean
function M.begins(a, wanted)
  for _, name in ipairs(M.of(a)) do
    if fold(name):sub(1, #wanted) == wanted then return true end
  end
  return false
end


--- True if the text is the class or the instance of the window.
---@param w sys.window.Window
---@param wanted string  folded
---@return boolean
function M.names_window(w, wanted)
  return w.app ~= "" and fold(w.app) == wanted or (w.instance or "") ~= "" and fold(w.instance) == wanted
end


--- Returns a test whether a window belongs to the application of this name. It waits for the desktop when it sees a process for
--- the first time, and remembers it, because a window that has closed may be the last thing of its process.
---@param name string
---@param beginning? boolean  a name that begins with the text also counts
---@return fun(w: sys.window.Window): boolean
function M.test(name, beginning)
  local wanted, known = fold(name), {}
  local function fits(a) return M.names_app(a, wanted) or beginning and #wanted >= LEAST and M.begins(a, wanted) or false end
  for _, a in ipairs(app.list() or {}) do known[a.pid] = { started = a.started, fits = fits(a) } end
  return function(w)
    if M.names_window(w, wanted) then return true end
    if w.pid == 0 then return false end
    local seen = known[w.pid]
    if not seen or seen.started ~= w.started then
      local a = app.get { pid = w.pid, started = w.started }
      if not a then return false end
      seen = { started = a.started, fits = fits(a) }
      known[w.pid] = seen
    end
    return seen.fits
  end
end


return M
