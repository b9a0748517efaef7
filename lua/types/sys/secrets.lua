---@meta sys.secrets

--- What must stay secret: tokens above all. Each name is one file, private to the user, in the state folder; on macOS an
--- item of the user's keychain (PERIGEE_KEYCHAIN=0: also a file there).
---@class sys.secrets
local secrets = {}

--- What was kept under a name.
---@param name string  a-z, 0-9 and _
---@return string? bytes
---@return string? err
---@return string? code  "not_found", "not_private", "too_large", ...
function secrets.read(name) end

--- A file that the user or another program keeps secrets in, such as Google's credentials.json.
---@param path string  from the working directory, if it is not absolute
---@return string? bytes  at most 65536
---@return string? err
---@return string? code  "not_found", "too_large", "permission_denied", ...
function secrets.read_file(path) end

--- Whole or not at all.
---@param name string
---@param bytes? string  nil or "": nothing is kept any more
---@return true? ok
---@return string? err
---@return string? code
function secrets.write(name, bytes) end

--- The right to change it, among all programs; close it to give it back: `local held <close> = ...`. Does not wait.
---@param name string
---@return table? held
---@return string? err
---@return string? code  "busy"
function secrets.try_lock(name) end

--- From now on the log shows "***" where this text would stand; not if it is shorter than 6 bytes.
---@param text string
function secrets.hide(text) end

return secrets
