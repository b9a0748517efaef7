---@meta sys.trace

--- Looks on while a function runs: what it calls, and where it spends its time. For `perigee trace`, `time` and `profile`.
---@class sys.trace
local trace = {}

--- What is told of each call of a function of a sys module or of a method of its objects, and of each call of a tool, while it
--- happens. Neither may wait, and what they raise is dropped. `depth` is how many calls of tools are around it; `tool` says that
--- it is the call of a tool, of which `name` is "tools.NAME".
---@class sys.trace.Listener
---@field called fun(name: string, depth: integer, tool: boolean, ...): any  with its arguments; what it returns is given to
---@field returned fun(kept: any, how: "returned"|"raised"|"unfinished", name: string, depth: integer, tool: boolean,
---seconds: number, ...)  with its results

---@class sys.trace.Report
---@field seconds number       from the begin to the end
---@field results? table       what the function returned, with `n`; of a failure instead:
---@field err? string
---@field code? string         "runtime", "memory", "timeout"
---@field traceback? string

---@class sys.trace.Total
---@field name string
---@field count integer
---@field seconds number  of all together
---@field most number     of the longest

---@class sys.trace.Calls: sys.trace.Report
---@field calls sys.trace.Total[]
---@field lua number      seconds in Lua, of all tasks together
---@field sys number      seconds in functions of sys, of all tasks together; not in those that wait for other tasks
---@field memory integer  bytes of Lua that it had more than at the beginning, at most

--- Runs fn in a task of its own and waits for it. Its tasks, and the tools that it calls, are looked on as well. Calls of the
--- policy and of the command line's own files are left out.
---@param fn fun(): ...
---@param listener? sys.trace.Listener
---@return sys.trace.Calls report
function trace.calls(fn, listener) end

---@class sys.trace.Frame
---@field name string      of the function: "list", "sys.time.sleep", "tools.NAME"; "main chunk"; "a function" where Lua knows none
---@field source? string   the file; nil: it is C
---@field line integer     where it is defined; 0: the whole file, or C
---@field depth integer    how many functions are below it in the stack, from 1
---@field runs number      seconds that it ran itself, without the functions that it called
---@field waits number     seconds that it waited

---@class sys.trace.Line
---@field source string
---@field line integer
---@field runs number      seconds, with the C functions that it called
---@field waits number

---@class sys.trace.Profile: sys.trace.Report
---@field frames sys.trace.Frame[]  each before those that it called
---@field lines sys.trace.Line[]
---@field runs number   seconds that tasks ran
---@field waits number  seconds that they waited, of all tasks together; waiting for a task that does what is waited for is that
---                     task's

--- Runs fn in a task of its own and waits for it. Its tasks, and the tools that it calls, are looked on as well. The time of Lua
--- code is sampled, every 0.1 ms or so; that of C functions and of waits is measured. The command line's own files are left out.
---@param fn fun(): ...
---@return sys.trace.Profile report
function trace.profile(fn) end

--- Runs a script as `perigee run` does: with every tool as a function, each sys module, and globals. Its errors are raised.
---@param name string      for messages
---@param text string
---@param folder? string   whose files its require() finds first
---@param args string[]
---@return any ...         what it returned; or nil, message, code: "syntax", "timeout"
function trace.script(name, text, folder, args) end

--- Is what has this name a secret, by what the audit log goes by: a password, a token?
---@param name string
---@return boolean
function trace.is_secret(name) end

return trace
