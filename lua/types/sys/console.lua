---@meta sys.console

--- What the console of an engine needs (docs/console.md): this engine, the user's other engines, and what runs in this one.
---@class sys.console
local console = {}

---@return {pid: integer, command?: string, desktop: string}  the command that this process runs, once others can find it; the
---        desktop in one word: "x11:3", "macos", "fake", or "-" where there is none
function console.engine() end

--- The user's other engines, whose consoles listen now.
---@return {pid: integer, socket: string}[]  the path for sys.mcp.connect
function console.engines() end

--- Who makes the running call, always the same table as long as its connection lasts; nil if that is not known.
---@return sys.policy.Caller?
function console.caller() end

---@class sys.console.Task
---@field id     integer  in this list
---@field name   string   of the tool, prompt or resource; of a task its own
---@field age    number   seconds since it began
---@field waits  string   what it waits for: "the lock office", "the call of wait_for", "its turn"

---@class sys.console.Call: sys.console.Task
---@field kind     "tool"|"prompt"|"rule"|"provider"|"resource"
---@field toolset? string
---@field parent?  integer  the id of the call that made it
---@field caller?  {kind: string, name?: string}

--- What runs now, but for the call that asks: calls, and tasks that work for no call, the oldest first.
---@return sys.console.Call[] calls
---@return sys.console.Task[] tasks
function console.calls() end

--- Looks at the files again, as saving one does, and waits until what changed is loaded.
---@return {added: string[], changed: string[], removed: string[], generation: integer}  paths of files
function console.reload() end

---@class sys.console.LogLine
---@field time  number  seconds since 1970
---@field level "debug"|"info"|"warning"|"error"
---@field tool? string  whose call logged it
---@field call? true    it tells that a call ended
---@field text  string  up to 8192 bytes, without secrets and control characters

---@class sys.console.LogReader
local reader = {}

--- The lines that are there, up to 200.
---@return sys.console.LogLine[] lines
---@return integer lost  lines before them that were dropped unread
function reader:read() end

--- The same, but waits until there are some.
---@return sys.console.LogLine[] lines
---@return integer lost
function reader:next() end

--- Also when it goes out of scope in `local reader <close> = ...`.
function reader:close() end

--- Reads the engine's log as it comes. The last 1000 lines or 256 kB are kept: who is slower than that loses the oldest.
---@param options {level?: string, tool?: string, calls?: boolean, last?: integer}  level: the least, default "info"; tool: only
---       lines of this tool's calls; calls: also a line for each call that ends; last: begins so many lines back (default: 0)
---@return sys.console.LogReader
function console.read_log(options) end

---@class sys.console.PromptOptions
---@field printed? fun(lines: string)  gets the lines that it prints, and may wait; what it is too slow for is kept up to 256 kB
---@field timeout? number   seconds; default: no limit of its own
---@field memory? integer   bytes that it may add; default: no limit of its own

--- A prompt: globals that stay from one text to the next, with `tools` and `perigee`, in which any module may be required.
---@class sys.console.Prompt
local prompt = {}

--- The table of its globals.
---@return table
function prompt:globals() end

--- Runs Lua text as an expression, with or without "=" before it, or as statements, and waits for its end.
---@param text string
---@param options? sys.console.PromptOptions
---@return boolean ok
---@return any ...  its values; or why not: "syntax", "unfinished", "failed" or "stopped", and the message, with a traceback
function prompt:run(text, options) end

---@return sys.console.Prompt
function console.prompt() end

--- The name of the tool that a function of `tools` calls; nil: it is none.
---@param value any
---@return string?
function console.tool_of(value) end

--- Tells the client of the console that made the running call something: the notification "notifications/perigee/NAME" with
--- these params. Waits while the client has not read what was sent before.
---@param name string  a-z and _
---@param value table  names and values
---@return true? ok
---@return string? err
---@return string? code  "no_client"
function console.tell(name, value) end

return console
