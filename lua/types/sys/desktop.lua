---@meta sys.desktop

--- What holds for the whole desktop: for every Perigee process of the user that acts on it.
---@class sys.desktop
local desktop = {}

---@class sys.desktop.HoldOptions
---@field timeout? number  seconds for what is under way to end; default 10, at most 600

--- Calls `fn` while nothing acts on the desktop: for a question on the screen that only the user may answer. In every process
--- of the user, input, actions on elements, windows and applications, and clipboard writes wait until it has returned, within
--- their own time limits ("held" then). `fn` runs once the input and the actions on elements that were under way have ended;
--- looking goes on. The hold ends with `fn`, however that ends, with the task, and with the process. What `fn` itself does to
--- the desktop would also wait.
---@generic T
---@param fn fun(): T...
---@param options? sys.desktop.HoldOptions
---@return T? ...  what `fn` returns
---@return string? err
---@return string? code  "timeout" (something is still under way), "no_runtime_folder", "no_space", ...
function desktop.hold(fn, options) end

--- The process that holds the desktop now, one of them.
---@return integer? pid
function desktop.held() end

--- Why what acts is refused now: who stopped it, when, and how it is allowed again. nil: it is not.
---@return string? why
function desktop.stopped() end

return desktop
