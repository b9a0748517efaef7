---@meta sys.engine

--- The engine itself: its tools, prompts, resources, rules and providers as they are now (each call reads the newest
--- generation).
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
---@field common? string   the application that it is for, if the user chooses which such tools are listed
---@field chosen? boolean  for such a tool: it was chosen (docs/common-tools.md)

---@return sys.engine.Tool[] tools  sorted by toolset and name
function engine.tools() end

--- Returns the number of the newest generation. While it stays the same, so do the tools, prompts and resources: values that
--- were computed from them stay valid.
---@return integer
function engine.generation() end

---@param name string  the name, or an alias
---@return sys.engine.Tool?
function engine.tool(name) end

---@class sys.engine.Result
---@field content table[]
---@field structuredContent? any
---@field isError? boolean
---@field text string
---@field code? string  the code of a failure
---@field timed_out? boolean  true if it was stopped at its time limit
---@field from_text? string   with the option from_text: the names of the arguments that were read from strings

--- Calls a tool as a client would: arguments checked, time limited. A tool that fails returns a result with isError.
---@param name string
---@param arguments? table
---@param options? {timeout?: number, from_text?: boolean}  from_text: JSON in a string is read where no string is allowed
---@return sys.engine.Result? result
---@return string? err   there is no such tool
---@return string? code
function engine.call(name, arguments, options) end

--- Returns the table of a rule file (lua/prompts/NAME.lua that has `parse`), from the newest generation.
---@param name string
---@return table? rule
---@return string? err
function engine.rule(name) end

--- Returns the words of a text file (lua/prompts/NAME.lua that has `text`), from the newest generation.
---@param name string
---@return string? text
---@return string? err
---@return string? code  "not_found"
function engine.text(name) end

--- Returns the table of a provider file (lua/providers/NAME.lua), from the newest generation.
---@param name string
---@return table? provider
---@return string? err
function engine.provider(name) end

--- Returns the table of a service file (services/NAME.lua), from the newest generation: the same one while the file, and what
--- it requires, is the same.
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
---@return string|table[]|{messages: table[]}? rendered  the value of its render(); for a mounted server's prompt its result
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
---@return string? code  "not_found", or that of its read()
function engine.read(uri, options) end

--- Tells the clients that are subscribed to a resource that its content changed.
---@param uri string
function engine.updated(uri) end

--- Reports an event on the desktop that no call caused: a line that is added once to the next result of each client's calls of
--- the toolsets desktop and elements. Events of applications and windows while a client's own call acts are not reported to
--- that client.
---@param about string  a resource name; an earlier notice about it, or about what is below it, is replaced. Not added to a result
---                     that names it
---@param text string   one line
---@param tool string   the tool that tells the same: to callers whom the policy does not let use it without a question, it only
---                     says that something changed
---@param names? string  the application's names, one a line, for rules about applications; nil: they are not known
function engine.notice(about, text, tool, names) end

--- Tells clients that a list changed although no file did (changes of files are reported without this).
---@param list "tools"|"prompts"|"resources"
function engine.changed(list) end

--- Returns the absolute path of a script that comes with a tool: scripts/NAME of the last root that has it. For the pack P,
--- once it is approved, or for a root whose directory is called P, it is "packs/P/NAME".
---@param name string
---@return string? path
---@return string? err
---@return string? code
function engine.script(name) end

--- Returns the absolute path of a private folder of this name in the state folder; it is created if it is missing. From then on
--- sys.fs may read and write in it; screenshots that clients' scripts take (`run_lua`) cannot be saved there, and no relative
--- path leads there. "audit", "logs", "mounts" and "secrets" are the engine's own.
---@param name string
---@return string? path
---@return string? err
---@return string? code
function engine.state_folder(name) end

---@class sys.engine.Problem
---@field file string
---@field line? integer
---@field message string
---@field kept boolean  true if the last good version of the file is still used

---@class sys.engine.Status
---@field version string
---@field display? {name: string, from?: string}  the value of DISPLAY, and in words where it was found if it was not set
---@field bus_from? string  in words: where the session's D-Bus was found, if the environment does not name one
---@field generation integer
---@field roots string[]
---@field config? string  the path of the file that names servers and chooses common tools, which may be missing
---@field tools integer
---@field foreign? integer  how many of them are foreign (docs/scripts.md); nil if none are
---@field prompts integer
---@field resources integer
---@field problems sys.engine.Problem[]
---@field uptime number   seconds
---@field memory {lua: integer, resident: integer}  bytes
---@field calls {total: integer, active: integer, failed: integer}
---@field dry_run? true  set if the engine only says what calls would do (docs/dry-run.md)
---@field unrecorded? {lines: integer, why: string}  lines that the audit log lacks, and why the last one is missing
---@field jail? sys.engine.Jail  the jail of clients' scripts; nil until one was made

---@class sys.engine.Jail
---@field system_calls boolean
---@field limits boolean
---@field landlock boolean
---@field namespaces boolean
---@field open boolean       true in a build with sanitizers, which has no jail
---@field emulator? string   the program that emulates this one's processor, such as "qemu-aarch64-static"
---@field machine? string    the processor that the emulator runs on, such as "x86_64"
---@field unlisted? true     set if there is no list of system calls for this processor

---@return sys.engine.Status
function engine.status() end

---@class sys.engine.Module
---@field name string
---@field purpose string
---@field problem? string  why it cannot be opened
---@field library? string  the library behind it
---@field version? string  the version of that library, in its own words

---@class sys.engine.Parts
---@field program string   its path
---@field libraries table<string, string>  versions of the linked libraries
---@field modules sys.engine.Module[]      each was opened to find out whether it can be
---@field desktop? "x11"|"macos"|"fake"    the desktop that tools act on; nil if it cannot be opened

--- Returns the name by which the client that started this server calls itself (clientInfo.name); nil without one.
---@return string?
function engine.launcher() end

--- Returns the name of the desktop that tools act on; nil if it cannot be opened.
---@return "x11"|"macos"|"fake"?
function engine.desktop() end

--- Returns the path of this program.
---@return string
function engine.program() end

--- Returns the parts that the program consists of here. It opens all modules, which takes some milliseconds and MB: use
--- desktop() or program() if you want only that.
---@return sys.engine.Parts
function engine.parts() end

---@class sys.engine.RunOptions
---@field args?    any       passed to the chunk as `...`
---@field timeout? number    seconds; default 30
---@field memory?  integer   bytes that the run may add; default 67108864
---@field calls?   integer   tool calls that it may make; default 1000
---@field output?  integer   limit of printed lines and result in bytes; default 65536
---@field tool?    string    the code is the file of a foreign tool of this name (lua/lib/foreign.lua); with it come the
---@field toolset? string    tool's toolset,
---@field root?    integer   the place of its root in the list of roots, from 0,
---@field name?    string    the file's name in messages, and
---@field call?    Call      the call that its progress and log lines go to
---@field as_text? boolean   true: `value` is text: a string as it is, anything else as JSON, which is up to 16 MB long

---@class sys.engine.RunResult
---@field output string     printed lines
---@field value any         the first returned value
---@field truncated boolean true if the output was cut
---@field calls integer

--- Runs Lua text in a sandbox where every tool is a function of the table `tools`.
---@param code string
---@param options? sys.engine.RunOptions
---@return sys.engine.RunResult? result
---@return string? err   including a traceback
---@return string? code  "syntax", "runtime", "timeout", "memory", "not_plain", "too_many_guests", "no_jail" (no seccomp,
---  for example under emulation), "guest_forbidden" (it tried a system call), "guest_crashed", "guest_killed", "guest_lost"
---  (its process ended without a message), "unread_answers" (it left 64 MB unread), "too_large" (code and arguments)
---@return string? output  the lines that were printed before it failed
function engine.run_lua(code, options) end

--- Tries a script that calls a tool, waits, and works until a time limit, as scripts of clients run. The jail ends a process
--- that makes a system call which is not on its list, and which calls a script makes depends on the libraries beneath it. A
--- script that worked once is not tried again.
---@return true? lived
---@return string? err   how it ended
---@return string? code  "guest_forbidden" (the message has the number of the system call), "no_jail", "timeout" or another of
---  run_lua()
function engine.try_jail() end

return engine
