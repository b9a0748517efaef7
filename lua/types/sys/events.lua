---@meta sys.events

--- What the system tells of. Scripts use what lua/lib/events makes of it: sys.window.events(), sys.app.events(),
--- sys.display.events(), sys.clipboard.events(), sys.fs.watch(), sys.hotkey.bind().
---@class sys.events
local events = {}

---@class sys.events.Event
---@field about "windows"|"apps"|"displays"|"clipboard"|"active"|"hotkey"|"elements"|"desktop"
---@field what string  windows: "opened", "closed", "titled", "moved", "changed", "focused"; apps: "opened", "closed", "activated";
---                    displays, clipboard: "changed"; active: "active"; hotkey: "pressed", "released"; elements: the kinds of sys.element.changes(); desktop, which every stream gets: "lost",
---                    "found"
---@field at number    when, as sys.time.monotonic() counts
---@field window? sys.window.Window
---@field before? {x: number, y: number, width: number, height: number}  of "moved"
---@field app? sys.app.App
---@field id? integer     elements: of what changed
---@field pid? integer    elements
---@field detail? string  elements: as of sys.element.changes()

---@class sys.events.Stream
local stream = {}

--- The next event, in the order in which they were told.
---@param seconds? number  how long to wait (default: without a limit)
---@return sys.events.Event? event
---@return string? err
---@return string? code  "timeout", "closed", "busy"
function stream:next(seconds) end

--- A task begins with the event that next() gave last: it is not given again. So does the next call of next().
function stream:take() end

--- take(), and then fn(...) at once: a task cannot end between the two.
---@param fn function
---@param ... any
---@return any ...  what fn returns
function stream:call(fn, ...) end

--- The next call of next() gives the last event once more, if no task has begun with it.
function stream:again() end

--- How many there was no room for, the oldest first.
---@return integer
function stream:dropped() end

--- A task that waits for it gets "closed".
function stream:close() end

--- What happens from now on.
---@param kinds ("windows"|"apps"|"displays"|"clipboard"|"active")[]  active: keyboard or pointer, after a second or more of rest
---@param capacity? integer  events that are kept until a task takes them (default: 1000, maximum: 100000)
---@return sys.events.Stream? stream
---@return string? err
---@return string? code  "not_supported", "no_display", "timeout"
function events.watch(kinds, capacity) end

--- For how many seconds keyboard and pointer have rested; see sys.idle.
---@param options? {timeout?: number}
---@return number? seconds
---@return string? err
---@return string? code  "not_supported", "no_display", "timeout"
function events.idle(options) end

--- What happens to elements from now on, of all applications or of one.
---@param kinds string[]     of sys.element.changes()
---@param pid integer        0: of all
---@param capacity? integer  as of watch()
---@return sys.events.Stream? stream
---@return string? err
---@return string? code  as of sys.element
function events.elements(kinds, pid, capacity) end

--- The presses and releases of these keys, which no application gets from now on.
---@param keys string   as of sys.input.keys()
---@param owner string  who binds them, for messages
---@return sys.events.Stream? stream
---@return string? err
---@return string? code  "hotkey_taken", "unknown_key", "hotkey_failed" (macOS does not let it be bound)
function events.bind(keys, owner) end

---@class sys.events.Files
local files = {}

--- The next thing that changed in one of the folders.
---@param seconds? number
---@return integer? folder  its number
---@return string name      "": the system does not say which; nil for folder: why
---@return string what      "name": it came, went, or is another file's now; "content": or its rights; "gone": the folder itself.
---                         nil for folder: "timeout", "closed", "busy", "dropped" (more than 10,000 were not taken)
function files:next(seconds) end

--- Watches a granted folder, and not what is below it.
---@param path string
---@return integer? folder  a number for it
---@return string? err
---@return string? code  "not_granted", "not_found", "too_many"
function files:add(path) end

---@param folder integer
function files:remove(folder) end

--- A task that waits for it gets "closed".
function files:close() end

---@return sys.events.Files files
function events.files() end

return events
