---@meta perigee

--- What a tool file returns. Keys that cross the wire keep the wire's names; an unknown key is a load error.
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
---@field aliases?      string[]             other names it answers to
---@field timeout?      number               seconds a call may take; default 60
---@field codes?        table<string, string> the codes of its failures, and when each is given: for the reference
---@field execution?    {taskSupport?: "forbidden"|"optional"|"required"}  may, or must, a call run as a task, for as long as it
---                                          takes (docs/tasks.md)? default "forbidden"
---@field listed?       boolean              false: not in tools/list unless --toolset names its toolset; search_tools and
---                                          call_tool reach it. default true
---@field programs?     string[]             listed by default only where one of these is: names on PATH, or paths

---@class ToolAnnotations
---@field title?           string
---@field readOnlyHint?    boolean  default false
---@field destructiveHint? boolean  default true
---@field idempotentHint?  boolean  default false
---@field openWorldHint?   boolean  default true

--- An example is documentation and a test: `perigee test` runs it.
---@class ToolExample
---@field [1]   string    what it shows
---@field args  table
---@field given? table    what the stand-ins answer: {["sys.module.function"] = value | list of values | function}; of a lib module
---                        that it names, too. {n = 3, false, message, code} are several results. What is not given raises, but
---                        sys.json, sys.log, sys.task, sys.text and sys.time are real (sleeping takes no time) and sys.state is
---                        empty
---@field env?  table<string, string>  the variables that are set
---@field want? any       the text, or the structured result (given keys must match)
---@field has?  string[]  parts the text must hold
---@field err?  string    the failure's text, or part of it
---@field code? string    the failure's code
---@field did?  string[]  the calls it made to stand-ins, in order: "process.run osascript - timeout=5", or how each begins

--- The running call, second argument of `run`. run() returns a text; a table (structured content); what call:result() made;
--- or nil, message, code for a failure that the model should read, and a table for its _meta if it has one. error() is for our own
--- bugs.
---@class Call
---@field tool    string
---@field toolset string
local call = {}

--- Tells the client how far it is, if the client asked. `done` must grow.
---@param done number
---@param total? number
---@param message? string
function call:progress(done, total, message) end

--- A log message for the client that made the call.
---@param level "debug"|"info"|"notice"|"warning"|"error"|"critical"|"alert"|"emergency"
---@param data any
---@param logger? string
function call:log(level, data, logger) end

--- Has the client what it takes to answer? "ask": it shows the user forms; "url": addresses; "sample": its model
--- answers; "sample_tools": with tools; "roots": it tells its folders.
---@param what "ask"|"url"|"sample"|"sample_tools"|"roots"
---@return boolean
function call:can(what) end

---@class AskOptions
---@field message  string   what the user reads
---@field schema?  table    of the form: an object of texts, numbers, booleans and choices (schema.object{...} makes one)
---@field url?     string   instead of a form: an address that the user is to visit
---@field key?     string   names the question; default: by its place among the call's questions
---@field timeout? number   seconds to wait for the answer; default 600. The call's own time stands still meanwhile

--- Asks the user, by the client, and waits. Gives what was filled in (`true` for an address); or nil, text, code:
--- "declined", "dismissed", "missing_capability" (this client cannot), "timeout", "refused", "bad_answer".
---
--- With clients of 2026-07-28 a call that waits may have to start again (docs/resources.md): ask before you act.
---@param options AskOptions
---@return table|true|nil content
---@return string? err
---@return string? code
function call:ask(options) end

---@class SampleOptions
---@field prompt?        string   what the user of the model says; or
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

--- Has the client's model complete something. The result has role, content, model, stopReason, and its texts as `text`.
---@param options SampleOptions
---@return {role: string, content: table, model: string, stopReason?: string, text: string}? result
---@return string? err
---@return string? code
function call:sample(options) end

--- The folders that the client works in.
---@param options? {key?: string, timeout?: number}
---@return {uri: string, name?: string}[]? roots
---@return string? err
---@return string? code
function call:roots(options) end

--- Several questions at once, by name. The answers have those names; a form's is {action =, content =}.
---@param inputs table<string, {ask: AskOptions}|{sample: SampleOptions}|{roots: table}>
---@return table<string, any>? answers
---@return string? err
---@return string? code
function call:inputs(inputs) end

--- A full result, when text or a table is not enough. `members` come to stand beside `content`, for clients that look there.
--- A prompt's has `messages` and `description`, a resource's `contents`, both as the wire has them (blobs in base64).
---@param result {content?: table[], structuredContent?: any, isError?: boolean, _meta?: table, members?: table}
---@return table
function call:result(result) end

---@class BlockOptions
---@field annotations? {audience?: ("user"|"assistant")[], priority?: number, lastModified?: string}
---@field _meta?       table

--- A content block. Blocks stand in the content of call:result(), and in a prompt's messages.
---@param text string
---@param options? BlockOptions
---@return table
function call:text(text, options) end

--- A content block with binary data, base64-encoded.
---@param bytes string
---@param mime_type string  e.g. "image/png"
---@param options? BlockOptions
---@return table
function call:image(bytes, mime_type, options) end

---@param bytes string
---@param mime_type string
---@param options? BlockOptions
---@return table
function call:audio(bytes, mime_type, options) end

--- A block that points at a resource, for the client to read if it wants to.
---@param link {uri: string, name: string, title?: string, description?: string, mimeType?: string, size?: integer, icons?: table[], annotations?: table, _meta?: table}
---@return table
function call:link(link) end

--- A block with a resource in it: its text, or its bytes as `blob`.
---@param resource {uri: string, mimeType?: string, text?: string, blob?: string, annotations?: table, _meta?: table}
---@return table
function call:resource(resource) end

--- In a resource's read(): several contents, or one with a type of its own. `blob` are bytes.
---@param contents {uri?: string, mimeType?: string, text?: string, blob?: string, _meta?: table}[]
---@return table
function call:contents(contents) end

--- In a resource's watch(): there is something new to read.
function call:updated() end

--- What a prompt file returns.
---@class Prompt
---@field title?      string
---@field description string
---@field arguments?  {name: string, title?: string, description?: string, required?: boolean}[]
---@field render      fun(args: table, call: Call): string|table[]|nil, string?, string?  a text (one user message), or
---                     messages {role =, content = a text or a block}; what call:result() made; or nil, message, code
---                     ("invalid_arguments")
---@field complete?   table<string, string[]|Completer>  what may stand for an argument
---@field icons?      table[]
---@field _meta?      table
---@field tools?      string[]  what an agent that speaks it is offered, of the tools there are; default: all of them
---@field rules?      string[]  agent rules that may speak it, best first; default: what its text asks for
---@field examples?   {[1]: string, args?: table, has?: string[], want?: string}[]

--- What may stand for an argument: those of a list that begin with what is there already, or what a function gives
--- (at most 100 are sent; `total` of the list says that there are more).
---@alias Completer fun(value: string, given: table<string, string>, call: Call): string[]

--- What a file of lua/resources returns: something a client can read by its URI. Its name is the file's.
---@class Resource
---@field uri?         string   one URI, e.g. "perigee://status"; or
---@field uriTemplate? string   many: RFC 6570 up to level 3, e.g. "log://{day}{?from,to}"
---@field name?        string   default: the file's
---@field title?       string
---@field description  string
---@field mimeType?    string
---@field icons?       table[]
---@field annotations? {audience?: ("user"|"assistant")[], priority?: number, lastModified?: string}
---@field size?        integer  bytes
---@field _meta?       table
---@field read         fun(uri: string, params: table<string, string>, call: Call): string|table|nil, string?, string?
---                      a text, or bytes where mimeType is none of texts; a table (JSON); what call:contents() or
---                      call:result() made; or nil, message, code: "not_found" when there is no such resource
---@field complete?    table<string, string[]|Completer>  what may stand for a variable of the template
---@field watch?       fun(uri: string, params: table<string, string>, call: Call)  runs while a client is subscribed, and
---                      says call:updated() when there is something new
---@field examples?    ResourceExample[]
---@field platforms?   ("macos"|"linux")[]
---@field timeout?     number   seconds that reading may take; default 60

---@class ResourceExample
---@field [1]   string   what it shows
---@field uri?  string   default: the file's
---@field given? table   as for tools
---@field env?  table<string, string>
---@field want? any      the text, or what the JSON holds
---@field has?  string[]
---@field err?  string
---@field code? string
---@field did?  string[]

--- What a rule file returns: how the agent speaks with a model.
---@class Rule
---@field description string
---@field parse       function
---@field examples?   table[]
---@field [string]    any

--- What a provider file returns: one kind of model (lua/types/agent.lua has the requests and replies).
---@class Provider
---@field description    string
---@field complete       fun(request: agent.Request, context: agent.Context): agent.Reply?, string?, string?
---@field default_model? string
---@field needs_key?     string   the environment variable with its key
---@field supports_tools boolean  it can call tools natively
---@field examples?      table[]
---@field [string]       any

--- In scripts run by `perigee run`, `perigee repl` and `run_lua`: every tool as a function. A failure raises.
---@type table<string, fun(args?: table): any>
tools = {}

---@class perigee
---@field tools   table<string, fun(args?: table): any>
---@field version string
---@field args    string[]  what followed the script's name
local perigee = {}

--- Calls a tool without raising: the structured result or the text, or nil, message, code.
---@param name string
---@param arguments? table
---@param options? {timeout?: number}
---@return any result
---@return string? err
---@return string? code
function perigee.call(name, arguments, options) end

return perigee
