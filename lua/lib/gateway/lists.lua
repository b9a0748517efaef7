--- The lists of a mounted server: requested from it, and kept in a file, so that listing them starts nothing.
--
-- mount.lists has the JSON texts as the server wrote them. mount.can says which lists it has, and what else it supports.

local crypto  = require "sys.crypto"
local gateway = require "sys.gateway"
local json    = require "sys.json"
local log     = require "sys.log"
local task    = require "sys.task"

local M = {}

local VERSION   = 3  -- the version of the file's format
local NO_METHOD = -32601

local LISTS = { "tools", "prompts", "resources", "templates" }


-- --- the file -----------------------------------------------------------------------

--- Returns a string that changes if the spec may name another server.
local function fingerprint(spec)
  local parts = { spec.command or "", spec.url or "", spec.cwd or "" }
  for _, arg in ipairs(spec.args or {}) do parts[#parts + 1] = arg end
  local digest = crypto.sha256(table.concat(parts, "\0"))
  return digest and crypto.base64url(digest) or table.concat(parts, " ")
end


local function file_name(mount)
  return (mount.name:gsub("[^%w_%-]", "_"))
end


--- Fills in the lists that were kept of the same server.
function M.recall(mount)
  local text = gateway.cache(file_name(mount))
  local saved = text and json.decode(text)
  if type(saved) ~= "table" or saved.version ~= VERSION or saved.server ~= fingerprint(mount.spec)
    or type(saved.lists) ~= "table" or type(saved.can) ~= "table" then
    return
  end
  mount.lists, mount.can, mount.era = saved.lists, saved.can, saved.era
end


function M.keep(mount)
  local ok, err = gateway.cache(file_name(mount), json.encode {
    version = VERSION, server = fingerprint(mount.spec), era = mount.era, can = mount.can, lists = mount.lists,
  })
  if not ok then log.warn(("the lists of %s cannot be cached: %s"):format(mount.name, err)) end
end


--- Returns all lists as one JSON object.
---@param mount table
---@return string
function M.text(mount)
  local parts = {}
  for i, name in ipairs(LISTS) do parts[i] = ("%q:%s"):format(name, mount.lists[name] or "[]") end
  return "{" .. table.concat(parts, ",") .. "}"
end


-- --- requests -----------------------------------------------------------------------

--- Returns the server's capabilities that matter here.
local function abilities(client)
  local can = client.capabilities
  return {
    tools       = can.tools ~= nil or not (can.prompts or can.resources),
    prompts     = can.prompts ~= nil,
    resources   = can.resources ~= nil,
    templates   = can.resources ~= nil,
    completions = can.completions ~= nil,
    subscribe   = type(can.resources) == "table" and can.resources.subscribe == true,
  }
end


--- Returns the JSON text of one of the server's lists; "[]" if it has no such list.
local function fetch(mount, client, name)
  if not mount.can[name] then return "[]" end
  local text, err, code, _, number = client:definitions(name)
  if text then return text end
  if number == NO_METHOD and name ~= "tools" then return "[]" end
  log.warn(("the mounted server %s does not list its %s: %s"):format(mount.name, name, err))
  return nil, err, code
end


--- Returns as text what has to be equal for two states to count as the same.
---@param mount table
---@return string
function M.state(mount)
  return assert(json.encode { can = mount.can, lists = mount.lists })
end


--- Requests one of the lists, or all. A list that the server does not return stays as it was.
---@param mount table
---@param client sys.mcp.Client
---@param only? string  "tools", "prompts", "resources" (and their templates)
---@return true? ok
---@return string? err
function M.ask(mount, client, only)
  local known, next_lists = mount.lists or {}, {}
  local names = only == "resources" and { "resources", "templates" } or only and { only } or LISTS
  mount.can = abilities(client)
  local texts = task.map(names, function(name) return fetch(mount, client, name) or known[name] or false end)
  for _, name in ipairs(LISTS) do next_lists[name] = known[name] end
  for i, name in ipairs(names) do next_lists[name] = texts[i] or nil end
  if not next_lists.tools then return nil, "it does not list its tools" end
  mount.lists = next_lists
  return true
end


return M
