---@meta sys.mcp

--- The MCP client: other servers' tools from Lua. It talks to a server that it starts, over stdio, or that it reaches over HTTP
--- (the Streamable HTTP transport), in whichever era the server speaks.
---@class sys.mcp
local mcp = {}

--- A refused request, for Spec.authorize.
---@class sys.mcp.Challenge
---@field status    401|403
---@field challenge string   the WWW-Authenticate header; "" without one
---@field url       string   the URL of the server
---@field token?    string   the token that was sent and refused

---@class sys.mcp.Elicitation
---@field mode?            "form"|"url"  default "form"
---@field message          string
---@field requestedSchema? table  for a form: JSON Schema, an object of plain properties
---@field url?             string the URL for the user to open; ask before opening it

---@class sys.mcp.Spec
---@field command?  string  the command that starts the server; or:
---@field url?      string  the URL of a running server: http or https, or unix:/PATH for a socket; or:
---@field socket?   string  the path of a Unix socket that takes one message a line, such as an engine's console
---@field args?     string[]
---@field env?      table<string, string>  with command: variables for it. From Perigee it inherits only DBUS_SESSION_BUS_ADDRESS,
---                 DISPLAY, HOME, LANG, LANGUAGE, LC_*, LOGNAME, PATH, SHELL, TERM, TMPDIR, TZ, USER, WAYLAND_DISPLAY,
---                 XAUTHORITY and XDG_*; name others here: env = { API_KEY = require("sys.env").get "API_KEY" }
---@field cwd?      string
---@field headers?  table<string, string>  with url: sent with each request, but not to another origin
---@field token?    string  with url: for "Authorization: Bearer"
---@field authorize? fun(challenge: sys.mcp.Challenge): string?, string?, string?  with url: called when a request was answered
---                 with 401, or with 403 and a WWW-Authenticate header. Returns a bearer token, or nil, message, code; may wait
---                 (also for a user: the requests' time limits are suspended). The refused request and all that follow are
---                 sent with the new token; a request is repeated once for 401 and once for 403. Requests that are refused
---                 while it runs wait for the same answer.
---@field login_metadata? string  with url: where the metadata of its authorization server is, for `perigee login` and others
---                 that log in (lua/lib/oauth.lua); connect() takes no notice
---@field ca_file?  string  with url: trusted certificates in place of the system's
---@field connect_timeout? number  with url: seconds for name, connection and TLS; default 10
---@field probe?    boolean|number with era "modern": false trusts it and sends no server/discover; with era "auto": seconds for
---                 the answer to it, before the server is asked with the old handshake; default 2, with url 10
---@field client?   string  the client's name for itself; default "perigee"
---@field timeout?  number  seconds for each answer; progress extends it; default 60
---@field max_timeout? number  seconds for each answer, even with progress; default 600
---@field era?      "auto"|"legacy"|"modern"  default "auto": asks the server, falls back to the old handshake
---@field log?      fun(line: string)  gets its stderr, log messages and faults of its output, line by line; may wait
---@field log_level? string  for modern servers: the least level of log messages wanted; default: none are sent
---@field elicit?   fun(ask: sys.mcp.Elicitation): any, string?  answers the server's question to the user: the form's content as
---                 a table (missing properties get their defaults), true (all defaults; for a url: yes), nil or "decline",
---                 "cancel"; nil, text is an error. Without it the server is told that there is no user to ask
---@field sample?   fun(request: table): string|table|nil, string?  answers the server's request to a model: a string, or
---                 {role=, content=, model=}
---@field roots?    string[]|table[]|fun(): table  directories for the server: paths, URLs, or {uri=, name=}
---@field changed?  fun(what: "tools"|"prompts"|"resources")  called when a list of the server changed
---@field updated?  fun(uri: string)  called when a resource that subscribe() named changed
---@field notification? fun(method: string, params?: table)  called for every other notification
---@field mount?    boolean  true for a mounted server, which is started even in a dry run (docs/dry-run.md)
---@field problem? string       from servers(): why this entry cannot be started; connect() fails with it
---@field problem_code? string  "not_supported" (HTTP with SSE), "no_variable", "disabled", "bad_entry"

--- Starts or reaches a server, and agrees on a protocol revision with it.
---@param spec sys.mcp.Spec
---@return sys.mcp.Client? client
---@return string? err
---@return string? code  "not_found", "timeout", "closed", "protocol"; with socket also "not_running", "forbidden" (it is another
---                      user's); with url also "unauthorized", "forbidden", "http_status", "redirected", and those of sys.http
---                      ("dns", "tls", "connection_refused", ...)
function mcp.connect(spec) end

---@class sys.mcp.Client
---@field era      "legacy"|"modern"
---@field version  string  the agreed protocol revision
---@field server   {name: string, version: string, title?: string}
---@field capabilities table  those of the server
---@field instructions? string
local client = {}

---@class sys.mcp.Tool
---@field name string
---@field title? string
---@field description? string
---@field inputSchema table
---@field outputSchema? table
---@field annotations? table
---@field _meta?       table
---@field parameter_order string[]  the keys of inputSchema.properties as the server wrote them (a Lua table has no order)

--- Lists the tools of the server.
---@return sys.mcp.Tool[]? tools  all pages
---@return string? err
---@return string? code
function client:list_tools() end

--- Returns a list as the server wrote it: the JSON text, all pages.
---@param list? "tools"|"prompts"|"resources"|"templates"  default "tools"
---@return string? json
---@return string? err
---@return string? code
---@return table? data
---@return integer? number
function client:definitions(list) end

---@class sys.mcp.CallOptions
---@field timeout?  number  seconds for an answer; progress extends it
---@field progress? fun(done: number, total?: number, message?: string)
---@field task?     boolean|sys.mcp.TaskOptions  client:call: it may run as a task, for as long as that exists, if the server
---                                               supports tasks. It is polled until it has ended, and cancelled with the call

---@class sys.mcp.TaskOptions
---@field ttl?    number  seconds for which the server should keep it (2025-11-25); it may keep it for less
---@field status? fun(status: "working"|"input_required"|"completed"|"failed"|"cancelled", message?: string)  gets its state

---@class sys.mcp.CallResult
---@field content table[]
---@field structuredContent? any
---@field isError? boolean
---@field text string  the text blocks, joined by newlines

--- Calls a tool.
---@param name string
---@param arguments? table
---@param options? sys.mcp.CallOptions
---@return sys.mcp.CallResult? result  even if the tool failed (isError)
---@return string? err   for protocol errors, timeouts, a server that ended
---@return string? code  "timeout", "closed", "rpc_error", "too_large", "input_required", "protocol", "cancelled" (its task)
---@return table? data   the data of an "rpc_error", if the server sent some
---@return integer? number  the number of an "rpc_error", for example -32602
function client:call(name, arguments, options) end

--- Lists the prompts of the server.
---@return table[]? prompts
---@return string? err
---@return string? code
function client:list_prompts() end

--- Returns the messages of a prompt.
---@param name string
---@param arguments? table<string, string>
---@param options? sys.mcp.CallOptions
---@return table? result  description?, messages
---@return string? err
---@return string? code
---@return table? data
---@return integer? number
function client:get_prompt(name, arguments, options) end

--- Lists the resources of the server.
---@return table[]? resources  all pages
---@return string? err
---@return string? code
function client:list_resources() end

--- Lists the resource templates of the server.
---@return table[]? templates  all pages
---@return string? err
---@return string? code
function client:list_templates() end

--- Reads a resource.
---@param uri string
---@param options? sys.mcp.CallOptions
---@return {contents: table[]}? result
---@return string? err
---@return string? code
---@return table? data
---@return integer? number
function client:read(uri, options) end

--- Subscribes to a resource: Spec.updated is called when it changes.
---@param uri string
---@return boolean? ok
---@return string? err
---@return string? code
function client:subscribe(uri) end

--- Ends the subscription to a resource.
---@param uri string
---@return boolean? ok
---@return string? err
---@return string? code
function client:unsubscribe(uri) end

--- Returns values for an argument of a prompt, or for a variable of a resource template.
---@param reference {prompt?: string, resource?: string}  a prompt's name, or the URI of a template
---@param argument  string
---@param value     string  the text typed so far
---@param others?   table<string, string>  arguments that have their values already
---@return {values: string[], total?: integer, hasMore?: boolean}? completion
---@return string? err
---@return string? code
function client:complete(reference, argument, value, others) end

--- Sets the least level of the server's log messages for Spec.log.
---@param level "debug"|"info"|"notice"|"warning"|"error"|"critical"|"alert"|"emergency"
---@return boolean? ok
---@return string? err
---@return string? code
function client:log_level(level) end

--- True if the server still answers.
---@param options? sys.mcp.CallOptions
---@return boolean? ok
---@return string? err
---@return string? code
function client:ping(options) end

--- Makes any request, and returns the result as it came.
---@param method string
---@param params? table
---@param options? sys.mcp.CallOptions
---@return table? result
---@return string? err
---@return string? code
---@return table? data  the error's data
---@return integer? number
function client:request(method, params, options) end

--- True while the session is open.
---@return boolean
function client:running() end

--- Waits until the session ends, from either side.
---@return string why
---@return string code  "closed", ...
function client:wait() end

--- Ends the session in the specification's order: close its stdin, wait, SIGTERM, SIGKILL. Returns when it has ended; in `local
--- client <close> = ...` that goes on without the caller, as for a client without any reference.
function client:close() end

return mcp
