---@meta sys.process

--- Child processes: an argument list, never a shell. Every child runs in a process group of its own, and the whole group is
--- ended: when its time is up, when the call that runs it ends or is cancelled, and when the engine exits or is killed. A file
--- starts nothing while it is loaded.
---@class sys.process
local process = {}

---@class sys.process.Spec
---@field [integer] string|number   argv: the program (found on PATH) and its arguments
---@field input?        string      bytes for its stdin; default: empty
---@field cwd?          string      folder to run in, "~" for the home; default: the engine's
---@field env?          table<string, string|false>  added to the inherited environment; false removes a name
---@field clean_env?    boolean   true: of the engine's environment it gets only what programs need, and no secrets
---                                 (docs/gateway.md#what-a-started-server-inherits); `env` is added
---@field timeout?      number      seconds until the group gets SIGTERM and, half a second later, SIGKILL; at most 3600;
---                                 default 30 for run, none for start. The time limit of the call applies first
---@field max_output?   integer     run: bytes kept of each stream, the rest is dropped. start: bytes read ahead, and so the
---                                 longest line. Default 1048576, at most 67108864
---@field merge_stderr? boolean     true: stderr goes where stdout goes
---@field discard?      boolean     true: its output is discarded
---@field whole_group?  boolean   true: when it ends, what it started and left running in its group is killed as well
---@field shared?       boolean     start(): true: it does not end with the service that starts it, as others use it

---@class sys.process.Result
---@field code?     integer  exit code; nil if a signal ended it
---@field signal?   integer  the signal that ended it
---@field stdout    string
---@field stderr    string
---@field truncated boolean  true if a stream was longer than max_output
---@field elapsed   number   seconds

--- Runs a program to its end. A program that exits with another code than 0 is a result, not a failure.
---@param spec sys.process.Spec
---@return sys.process.Result? result
---@return string? err   what failed and what to do
---@return string? code  "not_found", "permission_denied", "timeout", "not_a_folder", "arguments_too_long", ...
---@return sys.process.Result? so_far  if the program was stopped at its time limit
function process.run(spec) end

--- True if this program can be started.
---@param program string  a name that PATH leads to, or a path
---@return boolean
function process.exists(program) end

--- Starts a program and goes on. It is killed when its handle is closed or collected: write `local p <close> = ...`, or keep
--- the handle in `sys.state`, where it lives from call to call and through reloads. One that a service starts is killed when
--- the service ends or starts again, unless release() let it go. Its stdin is open until close_input().
---@param spec sys.process.Spec
---@return sys.process.Child? child
---@return string? err
---@return string? code
function process.start(spec) end

---@class sys.process.Child
---@field pid integer
---@field spec sys.process.Spec  a copy of the words, `env` and `cwd` that it was started with
local child = {}

--- Sends bytes to its stdin; waits while more than 1 MB is not read.
---@param bytes string
---@return true? ok
---@return string? err
---@return string? code  "closed" if it reads no more, "busy" if another task is waiting here
function child:write(bytes) end

--- Returns the next line of its stdout, without the newline; waits for it. Text behind the last newline is also a line.
---@param timeout? number  seconds; default 30
---@return string? line
---@return string? err
---@return string? code  "timeout", "closed" (it ended, or closed its stdout; the message says how), "too_large" (the line is
---                      skipped, the next one can be read), "busy" (another task waits for this child)
function child:read_line(timeout) end

--- Returns the latest output on its stderr (the last 8 kB).
---@return string text
function child:errors() end

--- Ends its input: its stdin reads end of file.
function child:close_input() end

--- Sends a signal to its whole group.
---@param signal? "term"|"kill"|"int"|"hup"|"stop"|"cont"  default "term"
function child:kill(signal) end

--- False as soon as it has ended, even while there is output to be read.
---@return boolean
function child:running() end

--- Lets it live on, even after the engine, if the user asked to start it (with `discard`, or it dies when it next writes). The
--- handle is closed.
function child:release() end

--- Waits until it ends. Output beyond max_output is dropped meanwhile.
---@param timeout? number  seconds; default 30
---@return sys.process.Result? result  stdout: the unread part; stderr: the last 8 kB
---@return string? err
---@return string? code  "timeout", "busy", "closed" (the handle)
---@return sys.process.Result? result  if the child was stopped at its own time limit ("timeout")
function child:wait(timeout) end

--- Kills the group if it runs, and frees the handle. `local p <close> = ...` does the same.
function child:close() end

return process
