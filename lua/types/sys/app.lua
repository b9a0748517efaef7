---@meta sys.app

--- Applications. Failures are nil, message, code: "no_display", "display_lost", "timeout", "desktop_hung", "app_not_found",
--- "app_ambiguous" (the message lists the candidates), "launch_failed".
---@class sys.app
local app = {}

---@class sys.app.App
---@field pid integer      0 if it does not run
---@field started integer  identifies the process with pid; only to be compared and passed back
---@field name string      for people: "Text Editor"
---@field id string        stable: the desktop entry's id or the bundle id; "" if unknown
---@field path string      the path of the executable; "" if unknown
---@field icon string      a name of the icon theme or a path; "" if unknown
---@field active boolean   true if it owns the focused window
---@field hidden boolean   true if every window is minimized or hidden
---@field windows integer

---@class sys.app.Options
---@field timeout? number  seconds for the whole call; default 10, at most 600

--- Lists the running applications: the active one first, then by name. One without windows is recognized by the program of its
--- desktop entry or, on a Mac, by its icon in the Dock.
---@param options? sys.app.Options
---@return sys.app.App[]? apps
---@return string? err
---@return string? code
function app.list(options) end

--- Lists the applications that can be opened.
---@param options? sys.app.Options
---@return sys.app.App[]? apps
---@return string? err
---@return string? code
function app.installed(options) end

---@class sys.app.Entry
---@field id string    "org.gnome.Calculator"
---@field path string  of its file
---@field text string  its lines, without those in languages other than the user's

--- Reads the desktop entries of the applications that can be opened, those that menus do not show as well. On a Mac it is
--- empty.
---@param options? sys.app.Options
---@return sys.app.Entry[]? entries
---@return string? err
---@return string? code
function app.entries(options) end

--- Returns one process, even if it shows no window.
---@param which {pid: integer, started: integer}  started 0 is not checked
---@param options? sys.app.Options
---@return sys.app.App? app
---@return string? err
---@return string? code  "app_not_found": it has ended, or another process has the number now; "not_an_app": with started 0, a
---                      process that is not an application of this display
function app.get(which, options) end

---@class sys.app.Open
---@field name string          a name, a desktop id ("org.gnome.Calculator"), or the path of an executable
---@field files? string[]      paths or URLs to open in it; "launch_failed" if its desktop entry would read a name as a command
---@field arguments? string[]  further arguments, behind those of its desktop entry
---@field new? boolean         true: start a new instance even if one runs; otherwise the running one may answer
---@field background? boolean  true: do not give it the focus, if the system allows that
---@field wait? number         seconds to wait for a window; default 10, at most 300
---@field timeout? number      seconds for the whole call; default `wait` and 10 more

---@class sys.app.Opened
---@field app sys.app.App           the process that owns the window; otherwise the one that was started
---@field window? sys.window.Ref    nil if none opened
---@field already boolean           true if it ran before, and no new process stayed
---@field ended boolean             true if the started process exited without showing a window
---@field note? string              if no window opened: what is known

--- Opens an application. Returns when its window is there, or none opened in time.
---@param what sys.app.Open
---@return sys.app.Opened? opened
---@return string? err
---@return string? code
function app.open(what) end

---@class sys.app.Outcome
---@field done boolean    true if it succeeded: activate: one of its windows has the focus; hide: none is on the screen; show:
---                       they are back; quit: the process and its windows are gone
---@field forced boolean  quit: true if the process had to be ended by force
---@field window? sys.window.Ref  activate: that window; quit: the one that keeps it open (a dialog)
---@field note? string    if not done: what happened instead

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
---@field force? boolean  true: end the process by force if closing its windows is not enough; "app_not_found", and nothing is
---                        done, if only a window's own word says that the process is an application here

--- Closes its windows and waits until it exits.
---@param which {pid: integer, started: integer}
---@param options? sys.app.QuitOptions
---@return sys.app.Outcome? outcome
---@return string? err
---@return string? code
function app.quit(which, options) end

return app
