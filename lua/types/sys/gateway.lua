---@meta sys.gateway

--- The functions with which lua/lib/gateway.lua adds the tools, prompts and resources of other servers to ours.
---@class sys.gateway
local gateway = {}

---@class sys.gateway.Item
---@field list    "tools"|"prompts"|"resources"|"templates"
---@field at?     integer  its place in the server's list, from 1; nil: it is in none, and is defined by the fields here
---@field run     fun(args: table, call: Call): any, string?, string?  a tool's; or render(args, call), read(uri, params, call)
---@field timeout number   seconds that a call may take
---@field listed? boolean  true if it is in the default list; default true
---@field watch?  fun(uri: string, params: table, call: Call)  that of a resource's file
---@field complete? table<string, function>  that of the file of a prompt or a resource
---@field name?   string   replaces the server's, as do the fields that follow; for a tool: 1 to 64 of A-Z a-z 0-9 _ . -
---@field uri?    string
---@field uriTemplate? string
---@field title?  string
---@field description? string
---@field annotations? ToolAnnotations

--- Replaces all items of this mount. A tool or prompt file of the same name wins, and a resource file of the same URI.
---@param name        string  becomes the toolset
---@param path        string  the file that names the server
---@param items       sys.gateway.Item[]  at most 40000
---@param definitions string  JSON text: {"tools": [...], "prompts": [...], "resources": [...], "templates": [...]}
---@return true? ok
---@return string? err
---@return string? code
function gateway.mount(name, path, items, definitions) end

--- Makes an inbox: fn(text) is called for each text of put(), one after the other, in tasks of its own.
---@param fn fun(text: string)
---@return integer inbox
function gateway.inbox(fn) end

--- Puts text into the inbox. It may be called while a task ends.
---@param inbox integer
---@param text string
function gateway.put(inbox, text) end

--- Returns the text that was cached under this name, in a file of the state directory; with `text` caches it.
---@param name  string
---@param text? string
---@return string? text
---@return string? err
---@return string? code
function gateway.cache(name, text) end

--- Returns the value of lib/mounts/NAME.lua, from the newest files.
---@param name string
---@return any rules
---@return string? err
---@return string? code  "not_found", or why it does not load
function gateway.rules(name) end

--- Calls fn whenever lib files have changed.
---@param fn fun()
function gateway.watch(fn) end

--- From now on no call waits for the tools of servers that did not answer yet.
function gateway.ready() end

return gateway
