--- The command or the URL of each mounted server, as a digest: what a user allowed a server is not for another one of its name.

local crypto = require "sys.crypto"
local policy = require "sys.policy"

local M = {}


local function sorted(map)
  local list = {}
  for name, value in pairs(map or {}) do list[#list + 1] = ("%s=%s"):format(name, tostring(value)) end
  table.sort(list)
  return list
end


--- The same text for the same server.
local function text_of(spec)
  local parts = { spec.command or "", spec.url or "", spec.socket or "", spec.cwd or "", "args" }
  table.move(spec.args or {}, 1, #(spec.args or {}), #parts + 1, parts)
  parts[#parts + 1] = "env"
  for _, each in ipairs(sorted(spec.env)) do parts[#parts + 1] = each end
  for i, part in ipairs(parts) do parts[i] = ("%d:%s"):format(#part, part) end
  return table.concat(parts)
end


local function known()
  local mine = policy.memory()
  mine.servers = mine.servers or {}
  return mine.servers
end


---@param name string
---@param spec sys.mcp.Spec
function M.note(name, spec)
  local text = text_of(spec)
  local digest = crypto.sha256(text)
  known()[name] = digest and crypto.hex(digest) or text
end


---@param name string
---@return string?  nil: no server of this name is mounted
function M.of(name) return known()[name] end


return M
