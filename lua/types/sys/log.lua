---@meta sys.log

--- Writes lines to the engine's log (stderr), and to a client that asked for log messages of the running call.
---@class sys.log
local log = {}

--- Writes a line that only --verbose shows.
---@param ... any  joined by a space; tables as print shows them
function log.debug(...) end

--- Writes a line about what happens.
---@param ... any
function log.info(...) end

--- Writes a line about what may go wrong.
---@param ... any
function log.warn(...) end

--- Writes a line about a failure.
---@param ... any
function log.error(...) end

return log
