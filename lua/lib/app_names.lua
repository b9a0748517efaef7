--- The names of an application: its name for people, its ID, and the class and instance of its windows. Each of them means it,
--- wherever an application is named.

local app     = require "sys.app"
local letters = require "letters"

local M = {}

local fold = letters.fold


--- True if the text is the name or the ID of the application.
---@param a sys.app.App
---@param wanted string  folded
---@return boolean
function M.names_app(a, wanted)
  return fold(a.name) == wanted or a.id ~= "" and (fold(a.id) == wanted or fold((a.id:gsub("%.desktop$", ""))) == wanted)
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
---@return fun(w: sys.window.Window): boolean
function M.test(name)
  local wanted, known = fold(name), {}
  for _, a in ipairs(app.list() or {}) do known[a.pid] = { started = a.started, fits = M.names_app(a, wanted) } end
  return function(w)
    if M.names_window(w, wanted) then return true end
    if w.pid == 0 then return false end
    local seen = known[w.pid]
    if not seen or seen.started ~= w.started then
      local a = app.get { pid = w.pid, started = w.started }
      if not a then return false end
      seen = { started = a.started, fits = M.names_app(a, wanted) }
      known[w.pid] = seen
    end
    return seen.fits
  end
end


return M
