---@meta sys.events

--- The events that the system reports. Scripts use the functions that lua/lib/events builds on them: sys.window.events(),
--- sys.app.events(), sys.display.events(), sys.clipboard.events(), sys.fs.watch(), sys.hotkey.bind().
---@class sys.events
local events = {}

---@class sys.events.Event
---@field about "windows"|"apps"|"displays"|"clipboard"|"active"|"hotkey"|"elements"|"input"|"desktop"
---@field what string  windows: "opened", "closed", "titled", "moved", "changed", "focused"; apps: "opened", "closed",
---                    "activated"; displays, clipboard: "changed"; active: "active"; hotkey: "pressed", "repeated", "released";
---                    elements: the kinds of sys.element.changes(); input: "pressed", "released", and "rests" with x and y
---                    alone; desktop, which every stream gets: "lost", "found"
---@field at number    the time, as sys.time.monotonic() counts
---@field window? sys.window.Window
---@field before? {x: number, y: number, width: number, height: number}  "moved": the frame before
---@field app? sys.app.App
---@field id? integer     elements: the element that changed
---@field pid? integer    elements
---@field detail? string  elements: that of sys.element.changes()
---@field key? string     input: the key by the names of sys.input.keys(), with the modifiers that are held: "a", "shift+a",
---                       "ctrl+shift", "f5"; "" if it has no name. A key that is held down is pressed again and again
---@field text? string    input: the character that the key types in the layout of that moment, unless it is a shortcut
---@field button? string  input, in place of `key`: "left", "middle", "right", "back", "forward", "wheel_up", "wheel_down",
---                       "wheel_left", "wheel_right"; "" for others
---@field held? string    input, with `button`: the modifiers that are held: "ctrl+shift"; "" for none
---@field x? number       input: where the pointer was, in points of the desktop
---@field y? number       input

---@class sys.events.Stream
local stream = {}

--- Returns the next event, in the order in which they were reported.
---@param seconds? number  how long to wait (default: without a limit)
---@return sys.events.Event? event
---@return string? err
---@return string? code  "timeout", "closed", "busy"
function stream:next(seconds) end

--- Takes the event that next() returned last, so that it is not returned again. The next call of next() does the same.
function stream:take() end

--- Calls take(), and then fn(...) at once: a task cannot end between the two.
---@param fn function
---@param ... any
---@return any ...  the results of fn
function stream:call(fn, ...) end

--- Makes the next call of next() return the last event once more, if no task has taken it.
function stream:again() end

--- Returns how many events were dropped because there was no room for them, the oldest first.
---@return integer
function stream:dropped() end

--- Closes the stream. A task that waits for it gets "closed".
function stream:close() end

--- Reports events from now on.
---@param kinds ("windows"|"apps"|"displays"|"clipboard"|"active")[]  active: use of keyboard or pointer after a second or more
---@param capacity? integer  events that are kept until a task takes them (default: 1000, maximum: 100000)
---@return sys.events.Stream? stream
---@return string? err
---@return string? code  "not_supported", "no_display", "timeout"
function events.watch(kinds, capacity) end

--- Returns how many seconds keyboard and pointer have been idle; see sys.idle.
---@param options? {timeout?: number}
---@return number? seconds
---@return string? err
---@return string? code  "not_supported", "no_display", "timeout"
function events.idle(options) end

--- Reports events of elements from now on, of all applications or of one.
---@param kinds string[]     those of sys.element.changes()
---@param pid integer        0 for all
---@param capacity? integer  the same as for watch()
---@return sys.events.Stream? stream
---@return string? err
---@return string? code  those of sys.element
function events.elements(kinds, pid, capacity) end

--- Reports keys and buttons as the system does; input() names them. It is the effect `record` of the policy.
---@param purpose string
---@return sys.events.Stream? stream  its events have `type`, `code`, `state`, `symbol`, `plain` and `typed` (src/platform/watch.h)
---@return string? err
---@return string? code  those of input()
function events.presses(purpose) end

--- Reports the presses and releases of these keys, which no application gets from now on.
---@param keys string   by the names of sys.input.keys()
---@param owner string  the name of what binds them, for messages
---@return sys.events.Stream? stream
---@return string? err
---@return string? code  "hotkey_taken", "unknown_key", "hotkey_failed" (macOS does not let it be bound)
function events.bind(keys, owner) end

--- Returns the keys that are bound in this process, and the script or service that each belongs to.
---@return {keys: string, owner: string}[]
function events.bound() end

---@class sys.events.Files
local files = {}

--- Returns the next change in one of the folders.
---@param seconds? number
---@return integer? folder  its number
---@return string name      "" if the system does not say which; without a folder: the message
---@return string what      "name": a file of this name was created, removed or replaced; "content": its content or rights
---                         changed; "gone": the folder itself. Without a folder: "timeout", "closed", "busy", "dropped" (more
---                         than 10,000 were not taken)
function files:next(seconds) end

--- Watches a granted folder, but not the folders below it.
---@param path string
---@return integer? folder  a number for it
---@return string? err
---@return string? code  "not_granted", "not_found", "too_many"
function files:add(path) end

---@param folder integer
function files:remove(folder) end

--- Closes it. A task that waits for it gets "closed".
function files:close() end

---@return sys.events.Files files
function events.files() end

return events
