---@meta sys.window

--- Windows. Points are those of sys.display. Every function waits without blocking other calls; failures are nil, message,
--- code: "no_display", "display_lost", "timeout", "desktop_hung", "window_not_found", "not_supported".
---@class sys.window
local window = {}

---@class sys.window.Rect
---@field x number       points from the left of the main display
---@field y number       points from its top
---@field width number
---@field height number

--- The name of a window: any table with these three. Numbers are used again after their owners end; with the start time of the
--- process they cannot be mistaken.
---@class sys.window.Ref
---@field pid integer      0 if the application does not report it
---@field started integer  identifies the process with pid; only to be compared and passed back. 0 is not checked
---@field id integer

---@class sys.window.Window: sys.window.Ref
---@field kind "normal"|"dialog"|"utility"|"panel"|"popup"
---@field title string        valid UTF-8, at most 1024 bytes
---@field title_cut boolean   true if it was longer
---@field app string          the application's own name (WM_CLASS's class); sys.app has its name for people and its ID
---@field instance string     the first part of WM_CLASS
---@field frame sys.window.Rect    the visible window, with title bar, without shadow
---@field content sys.window.Rect  without title bar and borders
---@field minimized boolean
---@field maximized boolean   true if it is maximized in both directions
---@field fullscreen boolean
---@field hidden boolean      true if it is on another workspace, or its application is hidden
---@field modal boolean
---@field above boolean       true if it is kept above others
---@field below boolean
---@field attention boolean   true if it asks for attention
---@field shaded boolean      true if it is rolled up to its title bar
---@field elsewhere boolean   on a Mac: true if it is hidden because it is in another Space
---@field workspace integer   from 0; -1 for all, or if unknown
---@field order integer       0 is the frontmost
---@field focused boolean     true if keys go to it
---@field on_screen boolean   true if it is shown, and part of it is within a display
---@field parent? integer     id of the window that it is a dialog of

---@class sys.window.Options
---@field timeout? number  seconds for the whole call, including the wait for its turn; default 10, at most 600

---@class sys.window.ListOptions: sys.window.Options
---@field app? string          only windows of the application with this name, ID or class; case is ignored
---@field pid? integer         only windows of this process
---@field all_kinds? boolean   true: also panels, popups and windows that no window manager manages

--- Lists all windows, the frontmost first.
---@param options? sys.window.ListOptions
---@return sys.window.Window[]? windows
---@return string? err
---@return string? code
function window.list(options) end

--- Returns one window, as it is now.
---@param ref sys.window.Ref
---@param options? sys.window.Options
---@return sys.window.Window? window
---@return string? err
---@return string? code  "window_not_found": it is gone, or another process has the number now
function window.get(ref, options) end

---@class sys.window.Over: sys.window.Window
---@field own boolean  true for a popup of the same application: its menu, its tooltip

--- Returns what a click at a point of a window reaches in its place; false if nothing covers it there. Popups of any
--- application count, and under X11 the real shape of each window. On a Mac only the frames of other windows do.
---@param ref sys.window.Ref
---@param x number
---@param y number
---@param options? sys.window.Options
---@return sys.window.Over|false? over
---@return string? err
---@return string? code
function window.over(ref, x, y, options) end

---@class sys.window.Export: sys.window.Ref
---@field bus string           the connection's unique name: ":1.7"
---@field application string   the application's id: "org.gnome.Evince"; "" if it is not given, as the paths
---@field app_path string      the object of the application, which has its actions
---@field window_path string   the object of the window, which has the window's actions
---@field menubar_path string

--- Lists the windows whose program says, by properties of the window, where it can be called over D-Bus: those of GTK's
--- applications under X11. These are the program's own words: ask the bus for the process of the connection. Elsewhere it is
--- empty.
---@param options? sys.window.Options
---@return sys.window.Export[]? exports
---@return string? err
---@return string? code
function window.exports(options) end

---@class sys.window.ChangedOptions: sys.window.Options
---@field wait? number  seconds to wait for a change; default 10, at most 60

--- The windows at one time, popups included. Two marks are equal only if they are the same one.
---@class sys.window.Mark: userdata

--- Waits until the windows differ from the mark: one opened or closed, moved, has another title, state or place in the order,
--- or the focus went elsewhere. Popups count. Take a mark, look, and wait with that mark: then no change between is missed.
---@param mark? sys.window.Mark  from an earlier call; nil returns the present mark at once
---@param options? sys.window.ChangedOptions
---@return sys.window.Mark? mark  the present one; it is the same if nothing changed in that time
---@return string? err
---@return string? code
function window.changed(mark, options) end

---@class sys.window.Difference
---@field what "opened"|"closed"|"titled"|"moved"|"changed"|"focused"  as of sys.window.events()
---@field window? sys.window.Window  as the later mark has it; "closed": as the earlier one has it; "focused": nil if no window
---                                  has the keyboard focus any more
---@field was? string                "titled": the title before
---@field before? sys.window.Rect    "moved": the frame before

--- Returns the differences between two marks: windows that closed, then, from the back to the front, windows that opened or
--- changed, then the one that got the keyboard focus. A window whose only difference is its place in the order has none.
---@param before sys.window.Mark?  nil: all windows of the other mark opened
---@param after sys.window.Mark
---@return sys.window.Difference[]
function window.differences(before, after) end

---@class sys.window.ActOptions: sys.window.Options
---@field wait? number  seconds to wait for the effect; default 2, at most 60

--- The state of a window after an action. The states are those of sys.window.Window.
---@class sys.window.Outcome
---@field before sys.window.Rect  frames
---@field after? sys.window.Rect  nil if the window is gone
---@field done boolean      true if the whole effect was seen
---@field silent boolean    not done: true if the application has not answered to it, so the frame may still change
---@field focused boolean
---@field gone boolean      true if the window does not exist any more
---@field note? string      if not done: what happened instead
---@field minimized boolean
---@field maximized boolean
---@field fullscreen boolean
---@field hidden boolean
---@field modal boolean
---@field above boolean
---@field below boolean
---@field attention boolean
---@field shaded boolean

--- Brings the window to the front, restored if it is minimized, and gives it keyboard focus. If it is on another workspace,
--- the desktop switches to that one.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.focus(ref, options) end

--- Moves the top left corner of the frame to a point. This function, resize() and place() first end the states in which a
--- window has no place of its own: maximized, fullscreen and shaded, and under X11 also maximized in one direction. On a Mac,
--- restore a fullscreen window first. A minimized window stays minimized.
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

--- Moves and resizes the frame in one step.
---@param ref sys.window.Ref
---@param frame sys.window.Rect
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.place(ref, frame, options) end

--- Takes the window off the screen, into the dock or the taskbar.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.minimize(ref, options) end

--- Brings a minimized window back. One that is not minimized leaves maximized, fullscreen and shaded.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.restore(ref, options) end

--- Makes the window as large as the display without panels and docks.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.maximize(ref, options) end

--- Gives the window the whole display, without title bar.
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.fullscreen(ref, options) end

--- Asks the window to close; the application may show a dialog instead (then done is false and note says so).
---@param ref sys.window.Ref
---@param options? sys.window.ActOptions
---@return sys.window.Outcome? outcome
---@return string? err
---@return string? code
function window.close(ref, options) end

return window
