---@meta sys.app

--- Applications. Failures are nil, message, code: "no_display", "display_lost", "timeout", "desktop_hung",
--- "app_not_found", "app_ambiguous" (the text lists the candidates), "launch_failed".
---@class sys.app
local app = {}

---@class sys.app.App
---@field pid integer      0: it does not run
---@field started integer  of the process; only to be compared and given back
---@field name string      for people: "Text Editor"
---@field id string        stable: the desktop entry's id or the bundle id; "" when unknown
---@field path string      of the executable; "" when unknown
---@field icon string      a name of the icon theme or a path; "" when unknown
---@field active boolean   owns the focused window
---@field hidden boolean   every window is minimized or hidden
---@field windows integer

---@class sys.app.Options
---@field timeout? number  seconds for the whole call; default 10, at most 600

--- Those that run: the active one first, then by name. One without windows is told by the program of its desktop entry
--- or, on a Mac, by having an icon in the Dock.
---@param options? sys.app.Options
---@return sys.app.App[]? apps
---@return string? err
---@return string? code
function app.list(options) end

--- Those that could be opened.
---@param options? sys.app.Options
---@return sys.app.App[]? apps
---@return string? err
---@return string? code
function app.installed(options) end

--- One process, also when it shows no window.
---@param which {pid: integer, started: integer}  started 0: not checked
---@param options? sys.app.Options
---@return sys.app.App? app
---@return string? err
---@return string? code  "app_not_found": it has ended, or the number belongs to another process now
function app.get(which, options) end

---@class sys.app.Open
---@field name string          a name, a desktop id ("org.gnome.Calculator"), or the path of an executable
---@field files? string[]      paths or URLs to open in it
---@field arguments? string[]  for its command line, behind what its desktop entry says
---@field new? boolean         a new instance, also when one runs; else that one may answer
---@field background? boolean  do not give it the focus; kept where the system can
---@field wait? number         seconds to wait for a window; default 10, at most 300
---@field timeout? number      seconds for the whole call; default `wait` and 10 more

---@class sys.app.Opened
---@field app sys.app.App           the process that owns the window; else the one started
---@field window? sys.window.Ref    nil: none came
---@field already boolean           it ran before, and no new process stayed
---@field ended boolean             what was started exited without showing a window
---@field note? string              when no window came: what is known

--- Returns when its window is there, or none came in time.
---@param what sys.app.Open
---@return sys.app.Opened? opened
---@return string? err
---@return string? code
function app.open(what) end

---@class sys.app.Outcome
---@field done boolean    activate: one of its windows has the focus; hide: none is on the screen; show: they are back;
---                       quit: the process is gone
---@field forced boolean  quit: it had to be ended
---@field window? sys.window.Ref  activate: that window; quit: the one that keeps it (a dialog)
---@field note? string    when not done: what happened instead

--- Brings its frontmost window to the front and gives it keyboard focus.
---@param which {pid: integer, started: integer}
---@param options? sys.app.Options
---@return sys.app.Outcome? outcome
---@return string? err
---@return string? code
function app.activate(which, options) end

--- Takes all of its windows off the screen.
---@param which {pid: integer, started: integer}
---@param options? sys.app.Options
---@return sys.app.Outcome? outcome
---@return string? err
---@return string? code
function app.hide(which, options) end

--- Brings its windows back.
---@param which {pid: integer, started: integer}
---@param options? sys.app.Options
---@return sys.app.Outcome? outcome
---@return string? err
---@return string? code
function app.show(which, options) end

---@class sys.app.QuitOptions: sys.app.Options
---@field force? boolean  end the process when closing its windows was not enough

--- Closes its windows and waits for its end.
---@param which {pid: integer, started: integer}
---@param options? sys.app.QuitOptions
---@return sys.app.Outcome? outcome
---@return string? err
---@return string? code
function app.quit(which, options) end

return app
