--- Sets of scopes: strings joined by spaces, in the order in which they came.

local M = {}


--- Joins scopes into one string, each once; nil if there are none.
---@param ... string|string[]|nil
---@return string?
function M.union(...)
  local seen, list = {}, {}
  for i = 1, select("#", ...) do
    local scopes = select(i, ...)
    if type(scopes) == "table" then scopes = table.concat(scopes, " ") end
    for scope in (scopes or ""):gmatch "%S+" do
      if not seen[scope] then list[#list + 1] = scope end
      seen[scope] = true
    end
  end
  return list[1] and table.concat(list, " ") or nil
end


--- True if all of `some` are in `all`.
---@param some? string
---@param all? string
---@return boolean
function M.within(some, all)
  local there = {}
  for scope in (all or ""):gmatch "%S+" do there[scope] = true end
  for scope in (some or ""):gmatch "%S+" do
    if not there[scope] then return false end
  end
  return true
end


local function lists(list, wanted)
  for _, item in ipairs(type(list) == "table" and list or {}) do
    if item == wanted then return true end
  end
  return false
end


--- Chooses the scopes to request: those of the server's challenge, otherwise all that it lists, otherwise none; and those that
--- were requested before, so that none are lost. A refresh token is also requested if the server has a scope for that.
---@param challenged? string
---@param supported? string[]  the scopes of the resource
---@param before? string       the scopes that we requested before from the same authorization server
---@param server table         the metadata of the authorization server
---@return string?
function M.choose(challenged, supported, before, server)
  local wanted = challenged
  if not wanted and type(supported) == "table" then wanted = M.union(supported) end
  wanted = M.union(before, wanted)
  if wanted and lists(server.scopes_supported, "offline_access") then wanted = M.union(wanted, "offline_access") end
  return wanted
end

M.lists = lists

return M
