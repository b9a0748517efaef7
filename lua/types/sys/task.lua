---@meta sys.task

--- Several things at once, inside one call. Children end with their parent: they share its time limit and are cancelled with
--- it. A task of apart() has no parent.
---@class sys.task
local task = {}

---@class sys.task.MapOptions
---@field limit? integer    1 to 64; default 8
---@field collect? boolean  true: an error does not end the map; it is kept, and the other items go on

---@class sys.task.ItemError
---@field index integer     the index of the item
---@field message string
---@field code string       the code that the function returned; "runtime" or "memory" if it raised an error

--- Calls fn(item, index) for every item, at most `limit` at a time. If one raises an error, the others are cancelled and the
--- error is raised here, with the index. With `collect` both an error and `nil, message, code` of an item are put in a list, in
--- the order of the items, and its result is nil.
---@generic T, R
---@param items T[]
---@param fn fun(item: T, index: integer): R?, string?, string?
---@param limit? integer|sys.task.MapOptions
---@return R[] results    the first value of each; `n` is the number of items (a result may be nil)
---@return sys.task.ItemError[]? errors  with `collect`
function task.map(items, fn, limit) end

---@class sys.task.Task
local child = {}

--- Waits for its end. The results are kept: it may be joined again, by any task except those that end with it.
---@param seconds? number  more than 0, at most 86400; default: no limit
---@return any ...         the results of its function; or nil, message, code:
---  "runtime", "memory": it failed; "cancelled"; "timeout": it reached the time limit, or has not ended within `seconds`
function child:join(seconds) end

--- Ends it as soon as possible: at once unless it, or a task below it, is the one that calls this.
function child:cancel() end

--- Returns its present state.
---@return "running"|"done"|"failed"|"timeout"|"cancelled"
function child:status() end

--- Runs fn(...) in a task beside this one, which goes on. It ends with this one: if it is not joined by then, it is cancelled.
--- An error that is not joined goes to the log, once. Closing the handle (`local one <close> = task.spawn(...)`) cancels it.
---@param fn fun(...)
---@param ... any
---@return sys.task.Task? handle
---@return string? err
---@return string? code  "too_many_tasks": one call, with all that it calls, may have 256 at once; "memory"
function task.spawn(fn, ...) end

---@class sys.task.Channel
local channel = {}

--- Waits until there is room for the value, or a task that receives it.
---@param value any        not nil; a table stays the same table
---@param seconds? number  0 does not wait; default: no limit
---@return true? ok
---@return string? err
---@return string? code    "timeout", "closed"
function channel:send(value, seconds) end

--- Waits for a value. Values arrive in the order in which they were sent, and the task that waits longest gets the first.
---@param seconds? number  0 does not wait; default: no limit
---@return any value
---@return string? err
---@return string? code    "timeout", "closed" if there is no value left either
function channel:receive(seconds) end

--- Receives values until the channel is closed and empty: `for value in channel:values() do ... end`.
---@return fun(): any
function channel:values() end

--- Closes the channel: nothing can be sent from now on, and tasks that wait to send get "closed". Values in the channel can
--- still be received. The end of a variable also closes it: `local jobs <close> = task.channel()`.
function channel:close() end

--- Makes a channel, which takes values from one task to another. `#channel` is the number of values that wait in it.
---@param capacity? integer  the number of values that may wait in it, 0 to 100000; default 0: send() waits until a task receives
---@return sys.task.Channel
function task.channel(capacity) end

--- Waits until one of the channels has a value, or is closed and empty. If several are ready, the first in the list is chosen.
---@param channels sys.task.Channel[]  1 to 16
---@param seconds? number  0 does not wait; default: no limit
---@return integer? index  the index of the channel
---@return any value       nil if it is closed; or the error message
---@return string? code    "timeout"
function task.select(channels, seconds) end

--- Waits until no other task holds the lock of this name, and takes it. Close it to release it: `local held <close> = task.lock
--- "office"`. The task that waits longest gets it first, and a task that ends releases its locks. Taking a lock that this task
--- holds, or a task that waits for this one, is an error that names both places.
---@param name string
---@return table held
function task.lock(name) end

--- Waits until a task gives the signal of this name. An earlier signal is not noticed: check first, then wait.
---@param name string
function task.await(name) end

--- Wakes all tasks that await this name now.
---@param name string
function task.signal(name) end

--- Runs fn with a time limit of its own.
---@generic R
---@param seconds number
---@param fn fun(): R
---@param name? string   its name in `err`, up to 63 bytes; default: the running call's name
---@return R? result
---@return string? err   "NAME was stopped after 5 s, its time limit, at FILE:LINE": the line that ran, or waited, then
---@return string? code  "timeout"
function task.with_timeout(seconds, fn, name) end

---@class sys.task.Apart
local apart = {}

--- Ends it as soon as possible: at once unless it is the one that calls this.
function apart:stop() end

--- True until it has ended.
---@return boolean
function apart:runs() end

--- Runs fn in a task of its own that goes on when this one has ended, without a time limit: until fn returns, stop() is called
--- or the engine ends. An error ends it and goes to the log. It keeps its own code when files are reloaded.
---@param name string  for the log
---@param fn fun()
---@return sys.task.Apart
function task.apart(name, fn) end

---@class sys.task.Anchor
local anchor = {}

--- Ends it as soon as possible. It may be called twice.
function anchor:stop() end

--- True until it has ended.
---@return boolean
function anchor:runs() end

--- Runs fn in a task of its own, without a time limit, that belongs to the owner of the running one: a script that was started
--- by `perigee run`, which goes on until fn has returned, or a task of apart(). It ends with its owner. An error ends it and
--- goes to the log. Handles of watchers and timers are built on it.
---@param name string  for the log
---@param fn fun()
---@return sys.task.Anchor? anchor
---@return string? err
---@return string? code  "not_lasting": this is a call, and it would end at once
function task.anchor(name, fn) end

--- Returns how many tasks are anchored to the script, or to the task of apart(), of this name.
---@param owner string
---@return integer
function task.anchored(owner) end

--- Waits until no task that is anchored to the running task runs any more, and no process that it started.
function task.linger() end

--- Ends all tasks that are anchored to the running task.
function task.release() end

--- Returns the name of the script, or of the task of apart(), that an anchor would belong to; nil in a call.
---@return string?
function task.owner() end

--- Returns keys for tables that tell the running task and those that wait for it apart, the running one first. A key is another
--- task's when its task has ended.
---@return userdata[]
function task.lineage() end

--- Returns the seconds until the running call's time limit; math.huge without one.
---@return number
function task.remaining() end

return task
