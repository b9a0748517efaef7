---@meta sys.log

--- Lines for the engine's log (stderr), and for a client that asked for log messages of the running call.
---@class sys.log
local log = {}

--- A line that only --verbose shows.
---@param ... any  joined by a space; tables as print shows them
function log.debug(...) end

--- A line of what happens.
---@param ... any
function log.info(...) end

--- A line of what may go wrong.
---@param ... any
function log.warn(...) end

--- A line of what failed.
---@param ... any
function log.error(...) end

return log
