---@meta sys.permission

--- What the user of this machine has allowed, asked without ever showing a dialog, except by ask(). On a Mac these are permissions of the
--- responsible process, the program that started this one unless that was told otherwise (--own-identity); elsewhere all of it
--- is allowed.
---@class sys.permission
local permission = {}

---@class sys.permission.Options
---@field app?     string  the bundle id of the application that scripts are to act on; for "automation", and needed there
---@field timeout? number  seconds; default 10, at most 600

--- What is allowed now.
---@param name "accessibility"|"screen"|"automation"
---@param options? sys.permission.Options
---@return true? allowed
---@return string? err   names who lacks it, and the settings' pane
---@return string? code  "permission_denied_access", "permission_denied_screen", "permission_denied_automation",
---                      "app_not_running" (automation is told of running applications only), "no_display", "timeout",
---                      "desktop_hung"
function permission.check(name, options) end

--- Has macOS ask the user for it: by a dialog, or by an entry in the settings that is to be switched on, since a pane lists
--- only programs that have asked. For "automation" the application must run, and the call waits for the answer.
---@param name "accessibility"|"screen"|"automation"
---@param options? sys.permission.Options
---@return true? allowed  now; elsewhere than on a Mac always
---@return string? err
---@return string? code   as of check()
function permission.ask(name, options) end

--- The process that permissions are charged to: this one, where nothing else is told.
---@return integer pid
---@return string path  of its executable; "" when unknown
function permission.responsible() end

return permission
