---@meta sys.gateway

--- What lua/lib/gateway.lua needs to put what other servers have among ours.
---@class sys.gateway
local gateway = {}

---@class sys.gateway.Item
---@field list    "tools"|"prompts"|"resources"|"templates"
---@field at?     integer  its place in the server's list, from 1; nil: it is in none, and its definition is what stands here
---@field run     fun(args: table, call: Call): any, string?, string?  a tool's; render(args, call) or read(uri, params, call)
---@field timeout number   seconds a call may take
---@field listed? boolean  part of the default list; default true
---@field watch?  fun(uri: string, params: table, call: Call)  that of a resource's file
---@field complete? table<string, function>  that of the file of a prompt or a resource
---@field name?   string   instead of the server's, as all that follow; a tool's: 1 to 64 of A-Z a-z 0-9 _ . -
---@field uri?    string
---@field uriTemplate? string
---@field title?  string
---@field description? string
---@field annotations? ToolAnnotations

--- Replaces all that this mount has. A tool or prompt file of the same name wins, and a resource file of the same URI.
---@param name        string  becomes the toolset
---@param path        string  the file that names the server
---@param items       sys.gateway.Item[]  at most 40000
---@param definitions string  JSON text: {"tools": [...], "prompts": [...], "resources": [...], "templates": [...]}
---@return true? ok
---@return string? err
---@return string? code
function gateway.mount(name, path, items, definitions) end

--- fn(text) is called for what put() leaves there, one text after the other, in tasks of its own.
---@param fn fun(text: string)
---@return integer inbox
function gateway.inbox(fn) end

--- May be called while a task ends.
---@param inbox integer
---@param text string
function gateway.put(inbox, text) end

--- What was cached under this name, in a file of the state directory; with a string: caches it.
---@param name  string
---@param text? string
---@return string? text
---@return string? err
---@return string? code
function gateway.cache(name, text) end

--- What lib/mounts/NAME.lua returns, from the newest files.
---@param name string
---@return any rules
---@return string? err
---@return string? code  "not_found", or why it does not load
function gateway.rules(name) end

--- fn is called after lib files changed.
---@param fn fun()
function gateway.watch(fn) end

--- From now on no call waits for the tools of servers that did not answer yet.
function gateway.ready() end

return gateway
