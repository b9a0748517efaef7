---@meta sys.trace

--- Observes a function while it runs: the calls that it makes, and where it spends its time. For `perigee trace`, `time` and
--- `profile`.
---@class sys.trace
local trace = {}

--- Functions that are called for each call of a function of a sys module or of a method of its objects, and for each call of a
--- tool, while it happens. Neither may wait, and errors in them are dropped. `depth` is the number of tool calls around it;
--- `tool` is true for the call of a tool, and then `name` is "tools.NAME".
---@class sys.trace.Listener
---@field called fun(name: string, depth: integer, tool: boolean, ...): any  gets its arguments; its result is passed to
---@field returned fun(kept: any, how: "returned"|"raised"|"unfinished", name: string, depth: integer, tool: boolean,
---seconds: number, ...)  with its results

---@class sys.trace.Report
---@field seconds number       from the beginning to the end
---@field results? table       the results of the function, with `n`; after a failure instead:
---@field err? string
---@field code? string         "runtime", "memory", "timeout"
---@field traceback? string

---@class sys.trace.Total
---@field name string
---@field count integer
---@field seconds number  of all calls together
---@field most number     seconds of the longest

---@class sys.trace.Calls: sys.trace.Report
---@field calls sys.trace.Total[]
---@field lua number      seconds in Lua, of all tasks together
---@field sys number      seconds in functions of sys, of all tasks together; not in those that wait for other tasks
---@field memory integer  the most bytes of Lua that it had beyond those at the beginning

--- Runs fn in a task of its own and waits for it. Its tasks, and the tools that it calls, are observed as well. Calls of the
--- policy and of the command line's own files are left out. With `file`, calls of the functions that are in it, and of Lua
--- functions that it calls in other files, are reported as well: "helper", "schema.object". Their time is that of Lua.
---@param fn fun(): ...
---@param listener? sys.trace.Listener
---@param file? string  as messages call it: "tools/mine/dice.lua"; the name of a script
---@return sys.trace.Calls report
function trace.calls(fn, listener, file) end

---@class sys.trace.Frame
---@field name string      the function's: "list", "sys.time.sleep", "tools.NAME"; "main chunk"; "a function" if Lua knows none
---@field source? string   the file; nil for C
---@field line integer     the line of its definition; 0: the whole file, or C
---@field depth integer    the number of functions below it in the stack, from 1
---@field runs number      seconds that it ran itself, without the functions that it called
---@field waits number     seconds that it waited

---@class sys.trace.Line
---@field source string
---@field line integer
---@field runs number      seconds, including the C functions that it called
---@field waits number

---@class sys.trace.Profile: sys.trace.Report
---@field frames sys.trace.Frame[]  each before those that it called
---@field lines sys.trace.Line[]
---@field runs number   seconds that tasks ran
---@field waits number  seconds that they waited, of all tasks together; time of waiting for a task that does the work belongs to
---                     that task

--- Runs fn in a task of its own and waits for it. Its tasks, and the tools that it calls, are observed as well. The time of Lua
--- code is sampled, about every 0.1 ms; that of C functions and of waits is measured. The command line's own files are left
--- out.
---@param fn fun(): ...
---@return sys.trace.Profile report
function trace.profile(fn) end

--- Runs a script as `perigee run` does: with every tool as a function, each sys module, and globals. It raises the script's
--- errors.
---@param name string      its name in messages
---@param text string
---@param folder? string   the folder that its require() searches first
---@param args string[]
---@return any ...         its results; or nil, message, code: "syntax", "timeout"
function trace.script(name, text, folder, args) end

--- True if a value of this name is a secret, by the rules of the audit log: a password, a token.
---@param name string
---@return boolean
function trace.is_secret(name) end

return trace
