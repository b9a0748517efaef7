--- Stand-in for sys.mcp: `started[command]` is a function that makes a server: {tools=, call=function(name, args)}.
local mcp = { started = {}, files = {}, closed = 0 }

local client = {}
client.__index = client

function client:list_tools() return self.behaviour.tools end

function client:call(name, arguments)
  local result, err, code = self.behaviour.call(name, arguments, self.spec)
  if not result then return nil, err, code end
  if type(result) == "string" then result = { text = result, content = { { type = "text", text = result } } } end
  return result
end

--- Makes tools/call, the only request of the agent.
function client:request(method, params)
  if method ~= "tools/call" then error("no request " .. tostring(method)) end
  return self:call(params.name, params.arguments)
end

function client:running() return not self.behaviour.dead end

function client.close() mcp.closed = mcp.closed + 1 end

function mcp.connect(spec)
  local start = mcp.started[spec.command]
  if not start then return nil, spec.command .. ": no such program", "not_found" end
  return setmetatable({
    spec = spec, behaviour = start(spec), era = "modern", version = "2026-07-28",
    server = { name = spec.command, version = "1.0" },
  }, client)
end

function mcp.servers(path)
  if mcp.files[path] then return mcp.files[path] end
  return nil, path .. ": no such file", "not_found"
end

return mcp
