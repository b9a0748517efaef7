---@meta sys.log

--- Lines for the engine's log (stderr), and for a client that asked for log messages of the running call.
---@class sys.log
local log = {}

---@param ... any  joined by a space; tables as print shows them
function log.debug(...) end

---@param ... any
function log.info(...) end

---@param ... any
function log.warn(...) end

---@param ... any
function log.error(...) end

return log
