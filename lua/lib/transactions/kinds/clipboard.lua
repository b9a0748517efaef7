--- The clipboard, as a transaction keeps it.

local clipboard = require "sys.clipboard"
local crypto    = require "sys.crypto"
local json      = require "sys.json"

local M = {}

local MOST = 8 * 1024 * 1024   -- bytes
local READ = { "text/plain", "text/html", "text/uri-list", "image/png" }


--- A state by the parts that are read.
---@param parts table<string, string>
---@return table state
function M.of(parts)
  local list = {}
  for _, name in ipairs(READ) do list[#list + 1] = parts[name] and name .. "\0" .. parts[name] or nil end
  return { sha = crypto.hex(assert(crypto.sha256(table.concat(list, "\0")))), empty = list[1] == nil }
end


---@param _ table
---@param keeps? boolean
---@return table? state
---@return string? content_or_err
---@return string? code
function M.state(_, keeps)
  local clip, err, code = clipboard.read { types = READ }
  if not clip then return nil, err, code end
  local state = M.of(clip.parts)
  if clip.secret then state.secret = true end
  if not keeps or clip.secret or state.empty then return state end
  local kept, bytes = {}, 0
  for name, part in pairs(clip.parts) do kept[name], bytes = crypto.base64(part), bytes + #part end
  if bytes > MOST then state.large = true end
  return state, bytes <= MOST and json.encode(kept) or nil
end


function M.same(one, other) return one.sha == other.sha end


--- True if nothing is lost by putting something else there: a content ends with the program that it was copied from.
---@param state table
---@return boolean
function M.is_lost(state) return state.empty end


function M.cannot(state, content)
  if state.secret then return "it held a password, which is not kept" end
  if not state.empty and not content then return "it held too much to be kept" end
end


---@param _ table
---@param before table
---@param content? string
---@return true? ok
---@return string? err
---@return string? code
function M.restore(_, before, content)
  if before.empty then return clipboard.clear() end
  local parts = {}
  for name, part in pairs(json.decode(content or "{}") or {}) do parts[name] = crypto.unbase64(part) end
  return clipboard.write(parts)
end


M.changed = "something else was copied since"

return M
