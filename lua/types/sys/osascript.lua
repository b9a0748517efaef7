---@meta sys.osascript

--- AppleScript through `osascript` (macOS). Values travel as arguments, never inside the script's text.
---@class sys.osascript
local osascript = {}

---@class sys.osascript.Spec
---@field file?    string    a script under a root's `scripts` folder, e.g. "keynote/open_keynote.applescript"
---@field text?    string    or its text, which goes to osascript's stdin
---@field args?    string[]  what `on run argv` gets
---@field timeout? number    seconds; default 10, at most 600

---@param spec sys.osascript.Spec
---@return string? output  without the last newline
---@return string? err     what happened and what to do next
---@return string? code    "permission_automation", "app_not_running", "timeout", "not_found", "script_invalid", "cancelled",
---                        "permission_accessibility", "bad_argument", "unsupported_command", "script_error", "no_osascript", ...
---@return integer? number osascript's own error number
function osascript.run(spec) end

return osascript
