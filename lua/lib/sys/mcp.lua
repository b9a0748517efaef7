--- sys.mcp, the part that is Lua: files that name servers.

local servers_file = require "servers_file"

local M = {}


--- Reads the servers of a file in the form of Claude Desktop's `mcpServers`; "${NAME}" and "${NAME:-default}" are variables.
---@param path string
---@return table<string, sys.mcp.Spec>? servers
---@return string? err
---@return string? code
function M.servers(path) return servers_file.read(path) end


return M
