local mcp = require "sys.mcp"

--- connect
-- Over stdio, to a server that is started. With url = "https://..." over HTTP.
local client <close> = assert(mcp.connect { command = "perigee", args = { "serve", "--no-user-root" } })
print(client.server.name, client.era)   --> perigee	modern

--- Client:list_tools
local client <close> = assert(mcp.connect { command = "perigee", args = { "serve", "--no-user-root" } })
for _, tool in ipairs(assert(client:list_tools())) do
  if tool.name == "list_windows" then print(tool.inputSchema.type) end   --> object
end

--- Client:call
local client <close> = assert(mcp.connect { command = "perigee", args = { "serve", "--no-user-root" } })
local result = assert(client:call("describe_tool", { name = "move_window" }))
print(result.isError, #result.text > 0)                   --> nil	true

local nothing, err, code = client:call("no_such_tool", {})
print(nothing, code)                                      --> nil	rpc_error

--- servers
local fs = require "sys.fs"
assert(fs.write("mcp.json", '{"mcpServers": {"files": {"command": "npx", "args": ["-y", "server-filesystem"]}}}'))
local servers = assert(mcp.servers(assert(fs.resolve "mcp.json")))
print(servers.files.command)   --> npx
