---@meta sys.mcp

--- The MCP client: other servers' tools from Lua. Talks to a server it starts, over stdio, in whichever era the server speaks.
---@class sys.mcp
local mcp = {}

---@class sys.mcp.Spec
---@field command   string
---@field args?     string[]
---@field env?      table<string, string>  added to the inherited environment
---@field cwd?      string
---@field timeout?  number  seconds for each answer; progress extends it; default 60
---@field max_timeout? number  seconds for each answer, progress or not; default 600
---@field era?      "auto"|"legacy"|"modern"  default "auto": asks the server, falls back to the old handshake
---@field log?      fun(line: string)  gets its stderr, log messages and faults of its output, a line each; may wait
---@field problem? string       from servers(): why this entry cannot be started; connect() answers with it
---@field problem_code? string  "not_supported" (a server over HTTP), "no_variable", "disabled", "bad_entry"

---@param spec sys.mcp.Spec
---@return sys.mcp.Client? client
---@return string? err
---@return string? code  "not_found", "timeout", "closed", "protocol"
function mcp.connect(spec) end

--- The servers of a file in the form of Claude Desktop's `mcpServers`; "${NAME}" and "${NAME:-default}" are variables.
---@param path string
---@return table<string, sys.mcp.Spec>? servers
---@return string? err
---@return string? code
function mcp.servers(path) end

---@class sys.mcp.Client
---@field era      "legacy"|"modern"
---@field version  string  protocol revision agreed on
---@field server   {name: string, version: string, title?: string}
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
---@field parameter_order string[]  the keys of inputSchema.properties as the server wrote them (a Lua table forgets)

---@return sys.mcp.Tool[]? tools  all pages
---@return string? err
---@return string? code
function client:list_tools() end

---@class sys.mcp.CallOptions
---@field timeout?  number
---@field progress? fun(done: number, total?: number, message?: string)

---@class sys.mcp.CallResult
---@field content table[]
---@field structuredContent? any
---@field isError? boolean
---@field text string  the text blocks, joined by newlines

---@param name string
---@param arguments? table
---@param options? sys.mcp.CallOptions
---@return sys.mcp.CallResult? result  also when the tool failed (isError)
---@return string? err   protocol errors, timeouts, a dead server
---@return string? code  "timeout", "closed", "rpc_error", "too_large", "input_required", "protocol"
---@return table? data   of an "rpc_error", when the server gave some
function client:call(name, arguments, options) end

---@return table[]? prompts
---@return string? err
---@return string? code
function client:list_prompts() end

---@param name string
---@param arguments? table<string, string>
---@return table? result  description?, messages
---@return string? err
---@return string? code
function client:get_prompt(name, arguments) end

--- Any request; the result as it came.
---@param method string
---@param params? table
---@param options? sys.mcp.CallOptions
---@return table? result
---@return string? err
---@return string? code
---@return table? data  the error's data
function client:request(method, params, options) end

---@return boolean
function client:running() end

--- Ends the session in the specification's order: close its stdin, wait, SIGTERM, SIGKILL. Returns when it is over; in
--- `local client <close> = ...` it goes on without the caller, as for a client that nobody holds any more.
function client:close() end

return mcp
