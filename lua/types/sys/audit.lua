---@meta sys.audit

--- The audit log (docs/audit.md), to be read. Nothing in Lua can write to it.
---@class sys.audit
local audit = {}

---@class sys.audit.File
---@field name string
---@field id string      stays the same when the file gets another name
---@field size integer   bytes
---@field own boolean    of one process, which could not have the lock; otherwise of the chain that all share

--- Those of the shared chain, oldest first (the last is audit.jsonl), then those of processes' own.
---@return sys.audit.File[]? files
---@return string? err
---@return string? code
function audit.files() end

--- A piece of a file; empty at its end.
---@param file sys.audit.File  its name and id
---@param offset integer
---@param max integer  1 to 1048576 bytes
---@return string? bytes
---@return string? err
---@return string? code  "moved" if another file, or none, has the name now
function audit.read(file, offset, max) end

---@class sys.audit.Watch
local watch = {}

--- Watches the directory of the log, which is made if it is missing.
---@return sys.audit.Watch? watch
---@return string? err
---@return string? code
function audit.watch() end

--- Waits until a file changes, appears or goes; at once if one has since the last wait, or since watch().
---@param seconds? number  default: 86400, maximum: 86400
---@return boolean? changed  false: nothing did in time
---@return string? err
---@return string? code  "busy"
function watch:wait(seconds) end

--- Ends the watch; a `wait` of another task returns. Also done by `<close>`.
function watch:close() end

return audit
