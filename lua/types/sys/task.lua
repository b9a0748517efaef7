---@meta sys.task

--- Several things at once, inside one call. Children end with their parent: they share its deadline and are cancelled with it.
--- What apart() starts has no parent.
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
