---@meta perigee

--- The table that a tool file returns. Keys of the protocol keep their names; an unknown key is a load error.
---@class Tool
---@field title?        string
---@field description   string
---@field inputSchema   table    JSON Schema; its root is an object
---@field outputSchema? table    JSON Schema of the structured result
---@field annotations?  ToolAnnotations
---@field icons?        table[]
---@field _meta?        table
---@field run           fun(args: table, call: Call): any, string?, string?, table?
---@field examples?     ToolExample[]
---@field platforms?    ("macos"|"linux")[]  default: every platform
---@field aliases?      string[]             other names of the tool
---@field timeout?      number               time limit of a call in seconds (default: 60)
---@field codes?        table<string, string> its error codes, and when each is returned: for the reference
---@field execution?    {taskSupport?: "forbidden"|"optional"|"required"}  whether a call may or must run as a task
---                                          (docs/tasks.md); default "forbidden"
---@field listed?       boolean              false: in tools/list only if --toolset names its toolset; search_tools and
---                                          call_tool still reach it. default true
---@field common?       string               the application that it is for. tools/list and search_tools have it only if the
---                                          user chose that application's tools (docs/common-tools.md)
---@field keeps?        boolean              true if later calls need what it leaves in the engine: `perigee call` makes it in an
---                                          engine that lasts for a while
---@field says_error?   boolean              true: the text of each failure begins with "ERROR: ", even if the engine or the policy
---                                          reports it
---@field from?         "screen"|"clipboard"|"web"|"mount"|"file"|"own"  the source of the content of its results, for the
---                                          policy; default by its toolset
---@field trust?        "foreign"            its code runs in a jailed process of its own, and the policy asks before calls of
---                                          clients (docs/scripts.md). The text of the file must have it literally
---@field runs?         boolean              true: what it is given is code, or is passed on to calls that it makes
---@field about?        table                what it is about, for the policy (docs/scripts.md#subjects): a word for calls whose
---                                          arguments name no application, or the names of one; by name the arguments that
---                                          name something: { "focused", path = "path", ["options.url"] = "host" }
---@field stands_for?   fun(args: table): {tool: string, args: table, about_as?: string}[]  returns the tools whose work it does without calling
---                                          them: the policy also judges these (docs/policy.md)
---@field programs?     string[]             listed by default only if one of these is installed: names on PATH, or paths

---@class ToolAnnotations
---@field title?           string
---@field readOnlyHint?    boolean  default false
---@field destructiveHint? boolean  default true
---@field idempotentHint?  boolean  default false
---@field openWorldHint?   boolean  default true

--- An example is documentation and a test: `perigee test` runs it, and those in the list that tests/tools/NAME_test.lua
--- returns.
---@class ToolExample
---@field [1]   string    a title: what it shows
---@field args  table
---@field shows? table[]  the interface of an application at first, and after each action on it: rows { depth, role, name }, such
---                        as { 1, "button", "Save" }, with more members of a sys.element.Node by name. The last one stays
---@field given? table    the results of stubs: {["sys.module.function"] = value | list of values | function}; a function of a lib
---                        module can also be named, and a tool: "tools.list_windows". {n = 3, false, message, code} are several
---                        results. A stub without a value raises an error, but sys.csv, sys.json, sys.log, sys.path, sys.task,
---                        sys.text and sys.time are real (sleeping takes no time) and sys.state and sys.store are empty
---@field env?  table<string, string>  the variables that are set
---@field want? any       the text, or the structured result (given keys must match)
---@field has?  string[]  parts that the text must contain
---@field err?  string    the error message, or part of it
---@field code? string    the error code
---@field did?  string[]  the calls it made to stubs, in order: "process.run osascript - timeout=5", or the beginning of each

--- The running call, second argument of `run`. run() returns a string; a table (structured content); the value of
--- call:result(); or, on failure, nil, message, code for the model to read, and optionally a table for its _meta. error() is
--- for bugs of the tool itself.
---@class Call
---@field tool    string
---@field toolset string
local call = {}

--- Reports progress to the client, if it asked for progress. `done` must grow.
---@param done number
---@param total? number
---@param message? string
function call:progress(done, total, message) end

--- Sends a log message to the client that made the call.
---@param level "debug"|"info"|"notice"|"warning"|"error"|"critical"|"alert"|"emergency"
---@param data any
---@param logger? string
function call:log(level, data, logger) end

--- True if the client supports this. "ask": it shows forms to the user; "url": it opens URLs; "sample": its model answers;
--- "sample_tools": its model answers and can call tools; "roots": it lists its directories.
---@param what "ask"|"url"|"sample"|"sample_tools"|"roots"
---@return boolean
function call:can(what) end

--- Returns the names of the calls that led to this one, beginning with the one that made it.
---@return string[]
function call:via() end

---@class AskOptions
---@field message  string   the text for the user
---@field schema?  table    the form's schema: an object of strings, numbers, booleans and choices (schema.object{...} makes one)
---@field url?     string   in place of a form: a URL for the user to visit
---@field key?     string   the name of the question; default: its position among the call's questions
---@field timeout? number   seconds to wait for the answer (default: 600); the call's own time limit is suspended

--- Asks the user through the client, and waits. If a command runs the tool, it asks on the terminal. Returns the values of the
--- form (`true` for a URL); or nil, message, code: "declined", "dismissed", "missing_capability" (this client cannot, or there
--- is no terminal), "timeout", "refused", "bad_answer".
---
--- With clients of 2026-07-28 a call that waits may have to start again (docs/resources.md): ask before you act.
---@param options AskOptions
---@return table|true|nil content
---@return string? err
---@return string? code
function call:ask(options) end

---@class SampleOptions
---@field prompt?        string   the user message; or
---@field messages?      table[]  {role =, content =}
---@field maxTokens?     integer  default 1000
---@field systemPrompt?  string
---@field modelPreferences? table
---@field temperature?   number
---@field stopSequences? string[]
---@field includeContext? string
---@field metadata?      table
---@field tools?         table[]
---@field toolChoice?    table
---@field key?           string
---@field timeout?       number

--- Requests a completion from the client's model. The result has role, content, model, stopReason, and its text as `text`.
---@param options SampleOptions
---@return {role: string, content: table, model: string, stopReason?: string, text: string}? result
---@return string? err
---@return string? code
function call:sample(options) end

--- Returns the directories that the client works in.
---@param options? {key?: string, timeout?: number}
---@return {uri: string, name?: string}[]? roots
---@return string? err
---@return string? code
function call:roots(options) end

--- Asks several questions at once, by name. The answers have those names; a form's is {action =, content =}.
---@param inputs table<string, {ask: AskOptions}|{sample: SampleOptions}|{roots: table}>
---@return table<string, any>? answers
---@return string? err
---@return string? code
function call:inputs(inputs) end

--- Returns a full result, if a string or a table is not enough. `members` are put beside `content`, for clients that read them
--- there. A prompt's result has `messages` and `description`, a resource's `contents`, both in the form of the protocol (blobs
--- in base64).
---@param result {content?: table[], structuredContent?: any, isError?: boolean, _meta?: table, members?: table}
---@return table
function call:result(result) end

---@class BlockOptions
---@field annotations? {audience?: ("user"|"assistant")[], priority?: number, lastModified?: string}
---@field _meta?       table

--- Returns a content block, for the content of call:result() and for a prompt's messages.
---@param text string
---@param options? BlockOptions
---@return table
function call:text(text, options) end

--- Returns a content block with binary data, base64-encoded.
---@param bytes string
---@param mime_type string  for example "image/png"
---@param options? BlockOptions
---@return table
function call:image(bytes, mime_type, options) end

--- Does the same for sound: `mime_type` is for example "audio/wav".
---@param bytes string
---@param mime_type string
---@param options? BlockOptions
---@return table
function call:audio(bytes, mime_type, options) end

--- Returns a block that links to a resource, which the client may read.
---@param link {uri: string, name: string, title?: string, description?: string, mimeType?: string, size?: integer, icons?: table[], annotations?: table, _meta?: table}
---@return table
function call:link(link) end

--- Returns a block that contains a resource: its text, or its bytes as `blob`.
---@param resource {uri: string, mimeType?: string, text?: string, blob?: string, annotations?: table, _meta?: table}
---@return table
function call:resource(resource) end

--- Returns several contents from a resource's read(), or one with its own type. `blob` is bytes.
---@param contents {uri?: string, mimeType?: string, text?: string, blob?: string, _meta?: table}[]
---@return table
function call:contents(contents) end

--- Reports from a resource's watch() that there is something new to read.
function call:updated() end

--- The table that a file of services/ returns (docs/services.md).
---@class Service
---@field description string  what it does
---@field start fun(context: services.Context)  may return: its watchers and timers go on. It runs in a task of its own, so it may
---                                             also loop; an error starts it again after a while
---@field stop? fun(context: services.Context)  called once before it ends or its file's new code starts; it has 5 s
---@field platforms? ("linux"|"macos")[]
---@field examples? ServiceExample[]

--- An example of a service: `perigee test` calls start() with stubs, then makes the events happen. Watchers, timers, hotkeys
--- and all other calls that return a handle need no answer in `given`.
---@class ServiceExample
---@field [1]     string    a title: what it shows
---@field given?  table     the results of stubs, like those of a ToolExample
---@field env?    table<string, string>  the variables that are set
---@field state?  table     the values in context.state before
---@field events? table[]   the events, in order: the call that listens, or its beginning, and the arguments of its function:
---                         { "window.events what=opened", { what = "opened", window = { title = "Notes" } } }, { "hotkey.bind
---                         ctrl+z" }. For a status menu the argument is the label of the item: { "menu.new", "Pause" }
---@field log?    string[]  the lines of its log
---@field kept?   table     the values in context.state afterwards (given keys must match)
---@field did?    string[]  the calls it made to stubs, in order, without watchers, timers and hotkeys
---@field err?    string    the error of start() or of a function of an event, or part of it

--- The table that a prompt file returns.
---@class Prompt
---@field title?      string
---@field description string
---@field arguments?  {name: string, title?: string, description?: string, required?: boolean}[]
---@field render      fun(args: table, call: Call): string|table[]|nil, string?, string?  returns a string (one user message), or
---                     messages {role =, content = a string or a block}; the value of call:result(); or nil, message, code
---                     ("invalid_arguments")
---@field complete?   table<string, string[]|Completer>  values for an argument
---@field icons?      table[]
---@field _meta?      table
---@field tools?      string[]  the tools that an agent offers with this prompt; default: all of them
---@field rules?      string[]  agent rules that work with it, best first; default: by its text
---@field examples?   {[1]: string, args?: table, has?: string[], want?: string}[]

--- The table that a file of lua/prompts returns for words that Perigee itself uses: clients do not list them. A file of the same
--- name in a later root replaces them.
---@class Text
---@field description string   what it is for
---@field text        string   up to 64 KiB; what stands in braces is filled in by the code that uses it
---@field examples?   {[1]: string, has?: string[], want?: string}[]

--- Values for an argument: those of a list that begin with the typed text, or those that a function returns (at most 100 are
--- sent; the list's `total` says that there are more).
---@alias Completer fun(value: string, given: table<string, string>, call: Call): string[]

--- The table that a file of lua/resources returns: a resource that a client can read by its URI. Its name is the file's.
---@class Resource
---@field uri?         string   one URI, for example "perigee://status"; or
---@field uriTemplate? string   many URIs: RFC 6570 up to level 3, for example "log://{day}{?from,to}"
---@field name?        string   default: the name of the file
---@field title?       string
---@field description  string
---@field mimeType?    string
---@field icons?       table[]
---@field annotations? {audience?: ("user"|"assistant")[], priority?: number, lastModified?: string}
---@field size?        integer  bytes
---@field _meta?       table
---@field read         fun(uri: string, params: table<string, string>, call: Call): string|table|nil, string?, string?
---                      returns a string, which is bytes unless mimeType is text; a table (JSON); the value of call:contents()
---                      or call:result(); or nil, message, code: "not_found" if there is no such resource
---@field complete?    table<string, string[]|Completer>  values for a variable of the template
---@field watch?       fun(uri: string, params: table<string, string>, call: Call)  runs while a client is subscribed, and
---                      calls call:updated() when there is something new
---@field examples?    ResourceExample[]
---@field platforms?   ("macos"|"linux")[]
---@field timeout?     number   time limit of reading in seconds (default: 60)
---@field from?        "screen"|"clipboard"|"web"|"mount"|"file"|"own"  the source of its content, for the policy; default by
---                      its toolset

---@class ResourceExample
---@field [1]   string   a title: what it shows
---@field uri?  string   default: the URI of the file
---@field given? table   as for tools
---@field env?  table<string, string>
---@field want? any      the text, or the value of the JSON
---@field has?  string[]
---@field err?  string
---@field code? string
---@field did?  string[]

--- The table that a rule file returns. The rule decides how the agent talks to a model.
---@class Rule
---@field description string
---@field parse       function
---@field timeout?    number  time limit of each of its functions in seconds (default: 60)
---@field examples?   table[]
---@field [string]    any

--- The images that models take; larger ones are scaled.
---@class ProviderImages
---@field longest? integer   limit of the longest side in pixels: the size that a model sees
---@field most?    integer   limit of a file in bytes
---@field types?   string[]  media types, "image/png" or "image/jpeg" among them
---@field scales?  boolean|fun(model?: string, base?: string): boolean  true if the API at this URL scales larger images, and
---                          the model takes no longer for them: a question about a small file sends it as it is
---@field side?    integer   the longest side in pixels that such an API accepts; absent: any

--- The table that a provider file returns, for one kind of model (lua/types/agent.lua has the requests and replies).
---@class Provider
---@field description    string
---@field complete       fun(request: agent.Request, context: agent.Context): agent.Reply?, string?, string?
---@field default_model? string
---@field needs_key?     string   the environment variable of its key
---@field supports_tools boolean  true if it can call tools natively
---@field images?        ProviderImages  the images that its models take. Absent: they take none, and get words instead.
---                                complete() returns "no_images" for a model that takes none
---@field timeout?       number   time limit of complete() in seconds (default: 1800)
---@field examples?      table[]
---@field [string]       any

--- The table that a file of commands/ returns for the command `perigee NAME`; NAME is the file's name. docs/commands.md shows
--- one.
---@class perigee.Command
---@field summary      string   for `perigee help`, which reads it from the file's text: a line of its own, summary = "..."
---@field description? string   paragraphs for --help and the manual page; indented lines stay as they are
---@field usage?       string[] lines such as "greet [NAME] [options]"; default: made of the arguments and options
---@field options?     options.Option[]    its own; every command also has --root, --help, ... (`perigee help help`)
---@field arguments?   options.Argument[]  the words that are not options, in order; default: none
---@field subcommands? table<string, perigee.Subcommand>  by the first word
---@field default?     string   the subcommand if there is no word
---@field rest?        string   the key for the words behind "--"; default: they are words like the others
---@field notes?       string   paragraphs behind the options: exit statuses, hints
---@field run?         perigee.CommandRun  not needed if each subcommand has one
---@field cancelled?   fun(args: table, io: perigee.IO, place?: string)  closes what must be closed after Ctrl-C; in a task of
---                      its own. place: FILE:LINE at which it computed; nil if it was waiting
---@field failure?     fun(message: string, code: string): table  the JSON of a failure; default {error = {message =, code =}}
---@field examples?    perigee.CommandExample[]
---@field log?         "debug"|"info"|"warning"|"error"|"off"  the level of log lines without --verbose; default: all on a
---                      terminal, otherwise warnings and errors
---@field role?        "server"|"client"  the name of this process in log lines
---@field stoppable?   boolean  false: `perigee stop` need not reach it, because it sends no input, and `perigee ps` does not list
---                      it. default true, except with an option --attach
---@field acts?        boolean  true: it only says what it would do, or fails, if the policy says `dry_run = true`; so do all
---                      commands that do not come with Perigee
---@field hidden?      boolean  true: `perigee help` does not list it

---@class perigee.Subcommand
---@field summary    string
---@field arguments? options.Argument[]
---@field run?       perigee.CommandRun
---@field help?      perigee.CommandRun   may answer --help, with the words as args[1], args[2], ...; nil: the command's help

--- The function of a command. Its return values decide how the command ends: nothing or true: exit status 0; an integer: that;
--- nil, message, code: the message on stderr, and 2 for the code "usage" (with a hint at the help), 3 for "tool", 124 for
--- "timeout", an integer code itself, otherwise 1. With --json it also prints an object with the message. A fourth value
--- replaces the hint.
---@alias perigee.CommandRun fun(args: table, io: perigee.IO): integer|boolean|nil, string?, string|integer|nil, string?

--- An example of a command is also documentation and a test.
---@class perigee.CommandExample
---@field [1]          string    a title: what it shows
---@field args?        string[]  the words behind the command's name
---@field stdin?       string
---@field files?       table<string, string>  the files for io:read(), by path
---@field width?       integer   the columns of the terminal; nil: stdout is not a terminal
---@field interactive? boolean
---@field given?       table     as for tools
---@field env?         table<string, string>
---@field out?         string    all of stdout
---@field has?         string[]  parts of stdout
---@field err?         string    part of stderr
---@field status?      integer   default 0
---@field saved?       table<string, string>  the files of io:save(), by path
---@field did?         string[]  as for tools

--- The table in pack.lua of a pack. It is read as data and never run: plain values only.
---@class perigee.Pack
---@field name        string   the name of its directory: a small letter, then a-z 0-9 _ - (at most 64)
---@field version     string
---@field description string   one line
---@field requires?   {perigee?: string, packs?: string[]}  perigee = ">= 0.1", and names of other packs

--- The tools in scripts run by `perigee run`, `perigee repl` and `run_lua`: every tool as a function. A failure raises an
--- error.
---@type table<string, fun(args?: table): any>
tools = {}

--- The global table of scripts, and the forms of the tables that files of Perigee return: Tool, Prompt, Resource, Service,
--- Rule, Provider, perigee.Command.
---@class perigee
---@field tools   table<string, fun(args?: table): any>
---@field version string
---@field args    string[]  the words after the script's name
local perigee = {}

--- Calls a tool without raising an error: returns the structured result or the text, or nil, message, code.
---@param name string
---@param arguments? table
---@param options? {timeout?: number}
---@return any result
---@return string? err
---@return string? code
function perigee.call(name, arguments, options) end

return perigee
