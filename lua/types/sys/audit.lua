---@meta sys.audit

--- Reads the audit log (docs/audit.md). Nothing in Lua can write to it.
---@class sys.audit
local audit = {}

---@class sys.audit.File
---@field name string
---@field id string      stays the same if the file is renamed
---@field size integer   bytes
---@field own boolean    true for the file of one process that could not have the lock; false for one of the shared chain

--- Lists the files of the shared chain, oldest first (the last is audit.jsonl), then those of single processes.
---@return sys.audit.File[]? files
---@return string? err
---@return string? code
function audit.files() end

--- Reads a piece of a file; it is empty at the end.
---@param file sys.audit.File  its name and id
---@param offset integer
---@param max integer  1 to 1048576 bytes
---@return string? bytes
---@return string? err
---@return string? code  "moved" if another file has the name now, or none has
function audit.read(file, offset, max) end

---@class sys.audit.Watch
local watch = {}

--- Watches the directory of the log, which is made if it is missing.
---@return sys.audit.Watch? watch
---@return string? err
---@return string? code
function audit.watch() end

--- Waits until a file changes, appears or disappears. Returns at once if one has since the last wait, or since watch().
---@param seconds? number  default: 86400, maximum: 86400
---@return boolean? changed  false if none did in time
---@return string? err
---@return string? code  "busy"
function watch:wait(seconds) end

--- Ends the watch; a `wait` of another task returns. `<close>` does the same.
function watch:close() end

return audit
