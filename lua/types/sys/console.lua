---@meta sys.console

--- The functions for the console of an engine (docs/console.md): this engine, the user's other engines, and the calls in this
--- one.
---@class sys.console
local console = {}

---@return {pid: integer, command?: string, desktop: string} engine  command: what this process runs, once others can
---        find it; desktop, in one word: "x11:3", "macos", "fake", or "-" without one
function console.engine() end

--- Lists the user's other engines, if their consoles listen now.
---@return {pid: integer, socket: string}[] engines  socket: the path for sys.mcp.connect
function console.engines() end

--- Returns the caller of the running call, always the same table while its connection lasts; nil if it is not known.
---@return sys.policy.Caller?
function console.caller() end

---@class sys.console.Task
---@field id     integer  in this list
---@field name   string   the name of the tool, prompt or resource, or of the task
---@field age    number   seconds since it began
---@field waits  string   the reason why it waits: "the lock office", "the call of wait_for", "its turn"

---@class sys.console.Call: sys.console.Task
---@field kind     "tool"|"prompt"|"rule"|"provider"|"resource"
---@field toolset? string
---@field parent?  integer  the id of the call that made it
---@field caller?  {kind: string, name?: string}

--- Lists what runs now, except the call that asks: calls, and tasks that belong to no call, the oldest first.
---@return sys.console.Call[] calls
---@return sys.console.Task[] tasks
function console.calls() end

--- Checks the files again, as happens when one is saved, and waits until the changes are loaded.
---@return {added: string[], changed: string[], removed: string[], generation: integer}  paths of files
function console.reload() end

---@class sys.console.LogLine
---@field time  number  seconds since 1970
---@field level "debug"|"info"|"warning"|"error"
---@field tool? string  the tool whose call logged it
---@field call? true    set if it reports that a call ended
---@field text  string  up to 8192 bytes, without secrets and control characters

---@class sys.console.LogReader
local reader = {}

--- Returns the lines that wait, up to 200.
---@return sys.console.LogLine[] lines
---@return integer lost  lines before them that were dropped unread
function reader:read() end

--- Does the same, but waits until there are some.
---@return sys.console.LogLine[] lines
---@return integer lost
function reader:next() end

--- Closes it. `local reader <close> = ...` does the same.
function reader:close() end

--- Reads the engine's log as it grows. The last 1000 lines or 256 kB are kept: a slower reader loses the oldest.
---@param options {level?: string, tool?: string, calls?: boolean, last?: integer}  level: the least, default "info"; tool: only
---       lines of this tool's calls; calls: also a line for each call that ends; last: begins so many lines back (default: 0)
---@return sys.console.LogReader
function console.read_log(options) end

---@class sys.console.PromptOptions
---@field printed? fun(lines: string)  gets the printed lines, and may wait; up to 256 kB are kept for it meanwhile
---@field timeout? number   seconds; default: no limit of its own
---@field memory? integer   bytes that it may add; default: no limit of its own

--- A prompt: globals that stay from one text to the next, with `tools` and `perigee`; any module can be required.
---@class sys.console.Prompt
local prompt = {}

--- Returns the table of its globals.
---@return table
function prompt:globals() end

--- Runs Lua text as an expression, with or without "=" before it, or as statements, and waits for its end.
---@param text string
---@param options? sys.console.PromptOptions
---@return boolean ok
---@return any ...  its values; or, after false, "syntax", "unfinished", "failed" or "stopped", and the message with a traceback
function prompt:run(text, options) end

---@return sys.console.Prompt
function console.prompt() end

--- Returns the name of the tool that a function of `tools` calls; nil if it is not such a function.
---@param value any
---@return string?
function console.tool_of(value) end

--- Sends the notification "notifications/perigee/NAME" with these params to the client of the console that made the running
--- call. It waits while the client has not read earlier ones.
---@param name string  a-z and _
---@param value table  names and values
---@return true? ok
---@return string? err
---@return string? code  "no_client"
function console.tell(name, value) end

return console
