---@meta sys.permission

--- Permissions that the user of this machine has given. Only ask() ever shows a dialog. On a Mac these are permissions of the
--- responsible process, which is the program that started this one unless it was started otherwise (--own-identity); elsewhere
--- everything is allowed.
---@class sys.permission
local permission = {}

---@class sys.permission.Options
---@field app?     string  the bundle id of the application that scripts are to act on; required for "automation"
---@field timeout? number  seconds; default 10, at most 600

--- Checks whether it is allowed now.
---@param name "accessibility"|"screen"|"automation"
---@param options? sys.permission.Options
---@return true? allowed
---@return string? err   names the program that lacks it, and the pane of the settings
---@return string? code  "permission_denied_access", "permission_denied_screen", "permission_denied_automation",
---                      "app_not_running" (automation is reported for running applications only), "no_display", "timeout",
---                      "desktop_hung"
function permission.check(name, options) end

--- Makes macOS ask the user for it: by a dialog, or by an entry in the settings for the user to switch on, because a pane lists
--- only programs that have asked. For "automation" the application must run, and the call waits for the answer.
---@param name "accessibility"|"screen"|"automation"
---@param options? sys.permission.Options
---@return true? allowed  true if it is allowed now; on other systems than a Mac always
---@return string? err
---@return string? code   those of check()
function permission.ask(name, options) end

--- Returns the process whose permissions count: this one, unless the system names another.
---@return integer pid
---@return string path  the path of its executable; "" if unknown
function permission.responsible() end

return permission
