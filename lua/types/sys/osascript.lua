---@meta sys.osascript

--- AppleScript through `osascript` (macOS). Values are passed as arguments, never inside the script's text.
---@class sys.osascript
local osascript = {}

---@class sys.osascript.Spec
---@field file?    string    a script in a root's `scripts` folder, for example "keynote/open_keynote.applescript"
---@field text?    string    or its text, which is passed to osascript's stdin
---@field args?    (string|number)[]  the arguments of `on run argv`
---@field terms?   string    the bundle id for the script's lines `using terms from application id "..."`, the only part of a
---                          script that must be a literal; nothing else is changed. The text is then passed to stdin
---@field timeout? number    seconds; default 10, at most 600

--- Runs a script to its end.
---@param spec sys.osascript.Spec
---@return string? output  without the last newline
---@return string? err     what happened and what to do next
---@return string? code    "app_not_running", "app_not_found", "app_launch_failed", "timeout", "cancelled", "not_found",
---                        "bad_argument", "unsupported_command", "event_failed", "read_denied", "read_only",
---                        "permission_denied_automation" (do not try again), "permission_denied_access",
---                        "permission_prompt_needed", "blocked", "needs_user", "ax_error", "script_invalid", "script_error"
---                        (anything else, including errors of the script itself), "too_large", "no_osascript", "helper_lost"
---                        (with PERIGEE_OSA_HELPER only: it is not known what the script did)
---@return integer? number osascript's own error number, if it returned one: -1728, or that of `error "..." number 9001`
function osascript.run(spec) end

--- Explains what osascript or osacompile wrote to stderr when it failed, as run() does.
---@param errors string
---@return string text      the message and what to do next
---@return string code      one of run()'s
---@return integer? number  the error number, if there is one
function osascript.explain(errors) end

return osascript
