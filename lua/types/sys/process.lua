---@meta sys.process

--- Child processes: an argument list, never a shell. Every child runs in a
--- process group of its own and the whole group is killed when its time is up,
--- when the call that started it ends or is cancelled, and when the engine exits.
---@class sys.process
local process = {}

---@class sys.process.Spec
---@field [integer] string          argv: the program (found on PATH) and its arguments
---@field input?        string      bytes for its stdin; default: empty
---@field cwd?          string      folder to run in; default: the engine's
---@field env?          table<string, string|false>  added to the inherited environment; false removes a name
---@field timeout?      number      seconds until the group is killed; default 30, at most 3600
---@field max_output?   integer     bytes kept of each stream; default 1048576; the rest is counted and dropped
---@field merge_stderr? boolean     stderr goes where stdout goes

---@class sys.process.Result
---@field code?     integer  exit code; nil when a signal ended it
---@field signal?   integer  the signal that ended it
---@field stdout    string
---@field stderr    string
---@field truncated boolean  a stream was longer than max_output
---@field elapsed   number   seconds

--- Runs a program to its end. A program that exits with another code than 0 is a result, not a failure.
---@param spec sys.process.Spec
---@return sys.process.Result? result
---@return string? err   what failed and what to do
---@return string? code  "not_found", "permission_denied", "timeout", "too_large", ...
function process.run(spec) end

--- Starts a program and goes on. Its time limit is none unless `timeout` is given. It belongs to the toolset's state
--- when kept there, else it is killed when the handle is collected or closed.
---@param spec sys.process.Spec
---@return sys.process.Child? child
---@return string? err
---@return string? code
function process.start(spec) end

---@class sys.process.Child
---@field pid integer
local child = {}

--- Queues bytes for its stdin.
---@param bytes string
---@return true? ok
---@return string? err
---@return string? code  "closed" when it reads no more
function child:write(bytes) end

--- The next line of its stdout, without the newline; waits for it.
---@param timeout? number  seconds; default 30
---@return string? line
---@return string? err
---@return string? code  "timeout", "closed" (it ended, or closed its stdout), "too_large"
function child:read_line(timeout) end

--- What its stderr said lately (the last 8 kB).
---@return string text
function child:errors() end

--- No more input: its stdin reads end of file.
function child:close_input() end

--- Sends a signal to its whole group.
---@param signal? "term"|"kill"|"int"|"hup"|"stop"|"cont"  default "term"
function child:kill(signal) end

---@return boolean
function child:running() end

--- Waits for its end.
---@param timeout? number  seconds; default 30
---@return sys.process.Result? result  with what was not read of stdout and stderr
---@return string? err
---@return string? code
function child:wait(timeout) end

--- Kills the group if it runs, and frees the handle. Also `local p <close> = ...`.
function child:close() end

return process
