---@meta sys.task

--- Several things at once, inside one call. Children end with their parent: they share its deadline and are cancelled with it.
--- What apart() starts has no parent.
---@class sys.task
local task = {}

---@class sys.task.MapOptions
---@field limit? integer    1 to 64; default 8
---@field collect? boolean  an error does not end the map: it is kept, and the other items go on

---@class sys.task.ItemError
---@field index integer     of the item
---@field message string
---@field code string       what the function returned; "runtime" or "memory" if it raised an error

--- Calls fn(item, index) for every item, at most `limit` at a time. If one raises, the others are cancelled and the error is
--- raised here, with the index. With `collect` both an error and `nil, message, code` of an item are put in a list, in the
--- order of the items, and its result is nil.
---@generic T, R
---@param items T[]
---@param fn fun(item: T, index: integer): R?, string?, string?
---@param limit? integer|sys.task.MapOptions
---@return R[] results    first value of each; `n` holds the count (a result may be nil)
---@return sys.task.ItemError[]? errors  with `collect`
function task.map(items, fn, limit) end

---@class sys.task.Task
local child = {}

--- Waits for its end. The results are kept: it may be joined again, by any task but those that it ends.
---@param seconds? number  more than 0, at most 86400; default: no limit
---@return any ...         what its function returned; or nil, message, code:
---  "runtime", "memory": it failed; "cancelled"; "timeout": it reached the deadline, or has not ended within `seconds`
function child:join(seconds) end

--- Ends it as soon as it can be: at once unless it, or a task below it, is the one that calls this.
function child:cancel() end

--- What became of it so far.
---@return "running"|"done"|"failed"|"timeout"|"cancelled"
function child:status() end

--- Runs fn(...) in a task beside this one, which goes on. It ends with this one: what is not joined by then is cancelled. An
--- error that is not joined goes to the log, once. Closing the handle (`local one <close> = task.spawn(...)`) cancels it.
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
---@param seconds? number  0: does not wait; default: no limit
---@return true? ok
---@return string? err
---@return string? code    "timeout", "closed"
function channel:send(value, seconds) end

--- Waits for a value. They come in the order in which they were sent, and who waits first gets the first.
---@param seconds? number  0: does not wait; default: no limit
---@return any value
---@return string? err
---@return string? code    "timeout", "closed": and there is no value left
function channel:receive(seconds) end

--- `for value in channel:values() do ... end` receives until the channel is closed and empty.
---@return fun(): any
function channel:values() end

--- Nothing can be sent from now on, and who waits to send is told so. What waits in the channel can be received. The end of a
--- variable also closes it: `local jobs <close> = task.channel()`.
function channel:close() end

--- Makes a channel, which takes values from one task to another. `#channel` is how many values wait in it.
---@param capacity? integer  so many values may wait in it, 0 to 100000; default 0: send() waits until a task receives
---@return sys.task.Channel
function task.channel(capacity) end

--- Waits until one of the channels has a value, or is closed and empty; if several are, the first in the list counts.
---@param channels sys.task.Channel[]  1 to 16
---@param seconds? number  0: does not wait; default: no limit
---@return integer? index  of the channel
---@return any value       nil: it is closed; or the error message
---@return string? code    "timeout"
function task.select(channels, seconds) end

--- Waits until no other task holds the lock of this name, and holds it. Give it back by closing it:
--- `local held <close> = task.lock "office"`. Who asked first gets it first; a task that ends gives back what it holds. To lock
--- what this task holds, or a task that waits for this one, is an error that names both places.
---@param name string
---@return table held
function task.lock(name) end

--- Waits until a task gives the signal of this name. One that was given before is not seen: look first, then wait.
---@param name string
function task.await(name) end

--- Wakes all that await this name now.
---@param name string
function task.signal(name) end

--- Runs fn with a time limit of its own.
---@generic R
---@param seconds number
---@param fn fun(): R
---@param name? string   what `err` calls it, up to 63 bytes; default: the running call's name
---@return R? result
---@return string? err   "NAME was stopped after 5 s, its time limit, at FILE:LINE": the line that ran, or waited, then
---@return string? code  "timeout"
function task.with_timeout(seconds, fn, name) end

---@class sys.task.Apart
local apart = {}

--- Ends it as soon as it can be: at once unless it is the one that calls this.
function apart:stop() end

--- Has it not ended?
---@return boolean
function apart:runs() end

--- Runs fn in a task of its own that goes on when this one has ended, without a time limit: until fn returns, stop() is called or
--- the engine ends. An error ends it and goes to the log. It keeps to the code that it began with when files are reloaded.
---@param name string  for the log
---@param fn fun()
---@return sys.task.Apart
function task.apart(name, fn) end

---@class sys.task.Anchor
local anchor = {}

--- Ends it as soon as it can be. Twice is harmless.
function anchor:stop() end

--- Has it not ended?
---@return boolean
function anchor:runs() end

--- Runs fn in a task of its own, without a time limit, that belongs to what the running one belongs to: a script that was started
--- by `perigee run`, which goes on until fn has returned, or what apart() started. It ends with that. An error ends it and goes
--- to the log. It is what handles of watchers and timers stand for.
---@param name string  for the log
---@param fn fun()
---@return sys.task.Anchor? anchor
---@return string? err
---@return string? code  "not_lasting": this is a call, and it would end at once
function task.anchor(name, fn) end

--- How many tasks are anchored to the script, or to what runs apart, of this name.
---@param owner string
---@return integer
function task.anchored(owner) end

--- Waits until nothing that is anchored to the running task runs any more.
function task.linger() end

--- Ends all that is anchored to the running task.
function task.release() end

--- The name of the script, or of what runs apart, that an anchor would belong to; nil: of a call.
---@return string?
function task.owner() end

--- Seconds until the running call's deadline; math.huge without one.
---@return number
function task.remaining() end

return task
