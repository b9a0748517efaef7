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
---                        sys.json, sys.log, sys.task and sys.time are real (sleeping takes no time) and sys.state is empty
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

--- A full result, when text or a table is not enough. `members` come to stand beside `content`, for clients that look there.
---@param result {content: table[], structuredContent?: any, isError?: boolean, _meta?: table, members?: table}
---@return table
function call:result(result) end

--- A content block with binary data, base64-encoded.
---@param bytes string
---@param mime_type string  e.g. "image/png"
---@return table
function call:image(bytes, mime_type) end

---@param bytes string
---@param mime_type string
---@return table
function call:audio(bytes, mime_type) end

--- What a prompt file returns.
---@class Prompt
---@field title?      string
---@field description string
---@field arguments?  {name: string, title?: string, description?: string, required?: boolean}[]
---@field render      fun(args: table): string|table[]  a text (one user message), or messages {role=, content=}
---@field rules?      string[]  agent rules that may speak it, best first; default: what its text asks for
---@field examples?   {[1]: string, args?: table, has?: string[], want?: string}[]

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
