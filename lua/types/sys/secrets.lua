---@meta sys.secrets

--- Values that must stay secret, mainly tokens. Each name is one file, private to the user, in the state folder; on macOS an
--- item of the user's keychain (PERIGEE_KEYCHAIN=0: also a file there).
---@class sys.secrets
local secrets = {}

--- Returns the value that is stored under a name.
---@param name string  a-z, 0-9 and _
---@return string? bytes
---@return string? err
---@return string? code  "not_found", "not_private", "too_large", ...
function secrets.read(name) end

--- Reads a file in which the user or another program keeps secrets, such as Google's credentials.json. It must belong to the
--- user, and no other user may read or write it.
---@param path string  absolute, or relative to the working directory
---@return string? bytes  at most 65536
---@return string? err
---@return string? code  "not_found", "insecure", "too_large", "permission_denied", ...
function secrets.read_file(path) end

--- Stores a value, whole or not at all.
---@param name string
---@param bytes? string  nil or "" removes it
---@return true? ok
---@return string? err
---@return string? code
function secrets.write(name, bytes) end

--- Takes the lock to change a value, among all programs; close it to release it: `local held <close> = ...`. It does not wait.
---@param name string
---@return table? held
---@return string? err
---@return string? code  "busy"
function secrets.try_lock(name) end

--- From now on the log shows "***" in place of this text, unless it is shorter than 6 bytes.
---@param text string
function secrets.hide(text) end

--- Returns the text as the log shows it: with "***" in place of each value of `.env` and each text of hide().
---@param text string
---@return string
function secrets.without(text) end

return secrets
