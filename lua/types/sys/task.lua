---@meta sys.task

--- Several things at once, inside one call. Children end with their parent: they share its deadline and are cancelled with it.
---@class sys.task
local task = {}

--- Calls fn(item, index) for every item, at most `limit` at a time. If one raises, the others are cancelled and the error is
--- raised here, with the index.
---@generic T, R
---@param items T[]
---@param fn fun(item: T, index: integer): R
---@param limit? integer  1 to 64; default 8
---@return R[] results    first value of each; `n` holds the count (a result may be nil)
function task.map(items, fn, limit) end

--- Waits until no other task holds the lock of this name, and holds it. Give it back by closing it:
--- `local held <close> = task.lock "office"`. Who asked first gets it first; a task that ends gives back what it holds.
---@param name string
---@return table held
function task.lock(name) end

--- Runs fn with a time limit of its own.
---@generic R
---@param seconds number
---@param fn fun(): R
---@return R? result
---@return string? err
---@return string? code  "timeout"
function task.with_timeout(seconds, fn) end

--- Seconds until the running call's deadline; math.huge without one.
---@return number
function task.remaining() end

return task
