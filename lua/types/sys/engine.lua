---@meta sys.engine

--- The engine itself: its tools, prompts, resources, rules and providers as they are now (each call sees the newest generation).
---@class sys.engine
local engine = {}

---@class sys.engine.Tool
---@field name string
---@field toolset string
---@field title? string
---@field description string
---@field inputSchema table
---@field outputSchema? table
---@field annotations table
---@field aliases? string[]
---@field file string

---@return sys.engine.Tool[] tools  by toolset and name
function engine.tools() end

--- The number of the newest generation. While it is the same, so are the tools, prompts and resources: what was made of them
--- may be kept.
---@return integer
function engine.generation() end

---@param name string  or an alias
---@return sys.engine.Tool?
function engine.tool(name) end

---@class sys.engine.Result
---@field content table[]
---@field structuredContent? any
---@field isError? boolean
---@field text string
---@field code? string  of a failure
---@field timed_out? boolean  it was stopped at its time limit

--- Calls a tool as a client would: arguments checked, time limited. A tool that fails gives a result with isError.
---@param name string
---@param arguments? table
---@param options? {timeout?: number}
---@return sys.engine.Result? result
---@return string? err   no such tool
---@return string? code
function engine.call(name, arguments, options) end

--- A rule file's table (lua/prompts/NAME.lua that has `parse`), from the newest generation.
---@param name string
---@return table? rule
---@return string? err
function engine.rule(name) end

--- A provider file's table (lua/providers/NAME.lua), from the newest generation.
---@param name string
---@return table? provider
---@return string? err
function engine.provider(name) end

--- A service file's table (services/NAME.lua), from the newest generation: the same one while the file, and what it requires,
--- is the same.
---@param name string
---@return table? service
---@return string? err
function engine.service(name) end

---@return {name: string, file: string}[] services  those of this platform
function engine.services() end

---@return {name: string, title?: string, description: string, arguments: table[]}[]
function engine.prompts() end

--- Renders a prompt.
---@param name string
---@param arguments? table<string, any>
---@return string|table[]|{messages: table[]}? rendered  what its render() gives; of a mounted server's prompt its result
---@return string? err
---@return string? code
function engine.prompt(name, arguments) end

---@return {uri?: string, uriTemplate?: string, name: string, title?: string, description: string, mimeType?: string}[]
function engine.resources() end

---@class sys.engine.Content
---@field uri string
---@field mimeType string
---@field text? string
---@field blob? string  bytes

--- Reads a resource, as a client would.
---@param uri string
---@param options? {timeout?: number}
---@return sys.engine.Content[]? contents
---@return string? err
---@return string? code  "not_found", or what its read() gave
function engine.read(uri, options) end

--- Tells the clients that are subscribed to a resource that its content changed.
---@param uri string
function engine.updated(uri) end

--- Something happened on the desktop by itself: a line that rides on the next result of each client's calls of the toolsets
--- desktop and elements, once. What happens to applications and windows while a client's own call acts is not for that client.
---@param about string  a resource name; an earlier notice about it, or about what is below it, gives way. Not told with a result
---                     that names it
---@param text string   a line
function engine.notice(about, text) end

--- Tells clients that a list changed though no file did (files that change are told of without this).
---@param list "tools"|"prompts"|"resources"
function engine.changed(list) end

--- The absolute path of a script that comes with a tool: scripts/NAME of the last root that has it. Of the pack P, once it is
--- approved, or of a root whose directory is called P it is "packs/P/NAME".
---@param name string
---@return string? path
---@return string? err
---@return string? code
function engine.script(name) end

--- The absolute path of a private folder of this name in the state folder; made if it is not there. sys.fs may read and write
--- in it from then on; screenshots that clients' scripts take (`run_lua`) cannot be saved there, and no relative path leads
--- there. "audit", "logs", "mounts" and "secrets" are the engine's own.
---@param name string
---@return string? path
---@return string? err
---@return string? code
function engine.state_folder(name) end

---@class sys.engine.Problem
---@field file string
---@field line? integer
---@field message string
---@field kept boolean  the last good version of the file serves on

---@class sys.engine.Status
---@field version string
---@field display? {name: string, from?: string}  what DISPLAY names, and in words where that was found if it was not set
---@field generation integer
---@field roots string[]
---@field tools integer
---@field foreign? integer  how many of them are foreign (docs/scripts.md); nil: none
---@field prompts integer
---@field resources integer
---@field problems sys.engine.Problem[]
---@field uptime number   seconds
---@field memory {lua: integer, resident: integer}  bytes
---@field calls {total: integer, active: integer, failed: integer}
---@field dry_run? true  the engine only says what calls would do (docs/dry-run.md)
---@field unrecorded? {lines: integer, why: string}  lines that the audit log lacks, and why the last one is not there
---@field jail? sys.engine.Jail  what scripts of clients are shut in by; nil until one was made

---@class sys.engine.Jail
---@field system_calls boolean
---@field limits boolean
---@field landlock boolean
---@field namespaces boolean
---@field open boolean       there is no jail in a build with sanitizers
---@field emulator? string   the program that emulates this one's processor, such as "qemu-aarch64-static"
---@field machine? string    the processor that the emulator runs on, such as "x86_64"
---@field unlisted? true     there is no list of system calls for this processor

---@return sys.engine.Status
function engine.status() end

---@class sys.engine.Module
---@field name string
---@field purpose string
---@field problem? string  why it cannot be opened
---@field library? string  behind it
---@field version? string  of that library, in its own words

---@class sys.engine.Parts
---@field program string   path
---@field libraries table<string, string>  versions of what is linked in
---@field modules sys.engine.Module[]      each was opened to see whether it can be
---@field desktop? "x11"|"macos"|"fake"    the one that tools act on; nil when it cannot be opened

--- What the client that started this server calls itself (clientInfo.name); nil if none did.
---@return string?
function engine.launcher() end

--- What the program is made of here.
---@return sys.engine.Parts
function engine.parts() end

---@class sys.engine.RunOptions
---@field args?    any       handed to the chunk as `...`
---@field timeout? number    seconds; default 30
---@field memory?  integer   bytes the run may add; default 67108864
---@field calls?   integer   tool calls it may make; default 1000
---@field output?  integer   bytes of printed lines and result; default 65536
---@field tool?    string    the code is the file of a foreign tool of this name (lua/lib/foreign.lua); with it come the
---@field toolset? string    tool's toolset,
---@field root?    integer   the place of its root in the list of roots, from 0,
---@field name?    string    what messages call the file, and
---@field call?    Call      the call, which its progress and log lines go to
---@field as_text? boolean   `value` comes as text: a string as it is, anything else as JSON, which is up to 16 MB long

---@class sys.engine.RunResult
---@field output string     printed lines
---@field value any         first returned value
---@field truncated boolean output was cut
---@field calls integer

--- Runs Lua text in a sandbox where every tool is a function of the table `tools`.
---@param code string
---@param options? sys.engine.RunOptions
---@return sys.engine.RunResult? result
---@return string? err   with a traceback
---@return string? code  "syntax", "runtime", "timeout", "memory", "not_plain", "too_many_guests", "no_jail" (there is no seccomp, as under emulation),
---  "guest_forbidden" (it tried a system call), "guest_crashed", "guest_killed", "guest_lost" (its process ended without a
---  word), "unread_answers" (it left 64 MB unread), "too_large" (code and arguments)
---@return string? output  what was printed before it failed
function engine.run_lua(code, options) end

--- Tries a script that calls a tool, waits, and works until a time limit, as scripts of clients run. The jail ends a process
--- that makes a system call which is not on its list, and which calls a script makes depends on the libraries beneath it. What
--- was seen to live is not tried again.
---@return true? lived
---@return string? err   how it ended
---@return string? code  "guest_forbidden" (the text has the number of the system call), "no_jail", "timeout" or another of
---  run_lua()
function engine.try_jail() end

return engine
