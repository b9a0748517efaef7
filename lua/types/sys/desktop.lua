---@meta sys.desktop

--- The state of the whole desktop: it applies to every Perigee process of the user that acts on it.
---@class sys.desktop
local desktop = {}

---@class sys.desktop.HoldOptions
---@field timeout? number  seconds for actions in progress to end; default 10, at most 600

--- Calls `fn` while no action is done on the desktop: for a question on the screen that only the user may answer. In every
--- process of the user, input, actions on elements, windows and applications, and clipboard writes wait until it has returned,
--- within their own time limits (then they fail with "held"). `fn` runs once the input and the actions on elements that were in
--- progress have ended; reading goes on. The hold ends with `fn`, however that ends, with the task, and with the process.
--- Actions of `fn` itself would also wait.
---@generic T
---@param fn fun(): T...
---@param options? sys.desktop.HoldOptions
---@return T? ...  the results of `fn`
---@return string? err
---@return string? code  "timeout" (an action is still in progress), "no_runtime_folder", "no_space", ...
function desktop.hold(fn, options) end

--- Returns a process that holds the desktop now.
---@return integer? pid
function desktop.held() end

--- Returns why actions are refused now: who stopped them, when, and how they are allowed again; nil if they are allowed.
---@return string? why
function desktop.stopped() end

return desktop
