---@meta sys.gateway

--- What lua/lib/gateway.lua needs to put other servers' tools among ours.
---@class sys.gateway
local gateway = {}

---@class sys.gateway.Tool
---@field name    string   ours: 1 to 64 of A-Z a-z 0-9 _ . -
---@field tool    string   the server's name for it
---@field run     fun(args: table, call: Call): any, string?, string?
---@field timeout number   seconds a call may take
---@field listed? boolean  part of the default list; default true
---@field title?  string   instead of the server's, as the next two
---@field description? string
---@field annotations? ToolAnnotations

--- Replaces all tools of this mount. A tool file of the same name wins.
---@param name        string  becomes the toolset
---@param path        string  the file that names the server
---@param tools       sys.gateway.Tool[]
---@param definitions string  JSON text: the server's own list
---@return true? ok
---@return string? err
---@return string? code
function gateway.mount(name, path, tools, definitions) end

--- What was kept for this name, in a file of the state folder; with a text: keeps it.
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

--- From now on nobody waits for tools of servers that did not answer yet.
function gateway.ready() end

return gateway
