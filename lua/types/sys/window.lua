---@meta sys.window

--- Windows. Points are those of sys.display. Every function waits without holding up other calls; failures are
--- nil, message, code: "no_display", "display_lost", "timeout", "desktop_hung", "window_not_found", "not_supported".
---@class sys.window
local window = {}

---@class sys.window.Rect
---@field x number       points from the left of the main display
---@field y number       points from its top
---@field width number
---@field height number

--- What names a window: any table with these three. A number is used again after its owner ends; with the start
--- time of the process it cannot be mistaken.
---@class sys.window.Ref
---@field pid integer      0: the application does not say
---@field started integer  of the process; only to be compared and given back. 0: not checked
---@field id integer

---@class sys.window.Window: sys.window.Ref
---@field kind "normal"|"dialog"|"utility"|"panel"|"popup"
---@field title string        valid UTF-8, at most 1024 bytes
---@field title_cut boolean   it was longer
---@field app string          what the application calls itself (WM_CLASS's class)
---@field instance string     WM_CLASS's first part
---@field frame sys.window.Rect    what the user sees, with title bar, without shadow
---@field content sys.window.Rect  without title bar and borders
---@field minimized boolean
---@field maximized boolean   both ways
---@field fullscreen boolean
---@field hidden boolean      on another workspace, or its application is hidden
---@field modal boolean
---@field above boolean       kept above others
---@field below boolean
---@field attention boolean   it asks for attention
---@field shaded boolean      rolled up to its title bar
---@field elsewhere boolean   on a Mac: hidden because it is in another Space
---@field workspace integer   from 0; -1: all, or unknown
---@field order integer       0 is the frontmost
---@field focused boolean     keys go here
---@field on_screen boolean   shown, and part of it within a display
---@field parent? integer     id of the window it is a dialog of

---@class sys.window.Options
---@field timeout? number  seconds for the whole call, waiting for its turn included; default 10, at most 600

---@class sys.window.ListOptions: sys.window.Options
---@field pid? integer         only of this process
---@field all_kinds? boolean   also panels, popups and what no window manager manages

--- All windows, the frontmost first.
---@param options? sys.window.ListOptions
---@return sys.window.Window[]? windows
---@return string? err
---@return string? code
function window.list(options) end

--- One window, as it is now.
---@param ref sys.window.Ref
---@param options? sys.window.Options
---@return sys.window.Window? window
---@return string? err
---@return string? code  "window_not_found": it is gone, or the process behind the number is another one now
function window.get(ref, options) end

---@class sys.window.Over: sys.window.Window
---@field own boolean  a popup of the same application: its menu, its tooltip

--- What a click at a point reaches in place of a window that lies there; false: nothing lies over it. Popups of any application
--- count, and under X11 the real shape of each window. On a Mac only the frames of other windows do.
---@param ref sys.window.Ref
---@param x number
---@param y number
---@param options? sys.window.Options
---@return sys.window.Over|false? over
---@return string? err
---@return string? code
function window.over(ref, x, y, options) end

---@class sys.window.ChangedOptions: sys.window.Options
---@field wait? number  seconds to wait for a change; default 10, at most 60

--- Waits until the windows are not as the mark says: one came or went, moved, has another title, state or place in the order,
--- or the focus went elsewhere. Popups count. Take a mark, look, and wait with that mark: then nothing between is missed.
---@param mark? string  of an earlier call; nil: gives the mark of now, at once
---@param options? sys.window.ChangedOptions
---@return string? mark  of what is there now; the same one if nothing changed for so long
---@return string? err
---@return string? code
function window.changed(mark, options) end

---@class sys.window.ActOptions: sys.window.Options
---@field wait? number  seconds to wait for the effect; default 2, at most 60

--- What was seen after an action. The states are those of sys.window.Window.
---@class sys.window.Outcome
---@field before sys.window.Rect  frames
---@field after? sys.window.Rect  nil when the window is gone
---@field done boolean      the effect was seen in full
---@field silent boolean    not done: the application has not answered to it, so the frame may still change
---@field focused boolean
---@field gone boolean      the window does not exist any more
---@field note? string      when not done: what happened instead
---@field minimized boolean
---@field maximized boolean
---@field fullscreen boolean
---@field hidden boolean
---@field modal boolean
---@field above boolean
---@field below boolean
---@field attention boolean
---@field shaded boolean

--- Brings it to the front, restored if it is minimized, and gives it keyboard focus.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.focus(ref, options) end

--- Moves the top left corner of the frame to a point.
---@param ref sys.window.Ref
---@param x number
---@param y number
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.move(ref, x, y, options) end

--- Gives the frame a size.
---@param ref sys.window.Ref
---@param width number
---@param height number
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.resize(ref, width, height, options) end

--- Moves and resizes in one step.
---@param ref sys.window.Ref
---@param frame sys.window.Rect
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.place(ref, frame, options) end

--- Takes it off the screen, into the dock or the taskbar.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.minimize(ref, options) end

--- Brings a minimized window back. One that is not minimized leaves maximized and fullscreen.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.restore(ref, options) end

--- Makes it as large as the display without panels and docks.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.maximize(ref, options) end

--- Gives it the whole display, without title bar.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.fullscreen(ref, options) end

--- Asks it to close; the application may show a dialog instead (then done is false and note says so).
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.close(ref, options) end

return window
