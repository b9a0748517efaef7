--- Files and folders, as a transaction keeps them.

local crypto = require "sys.crypto"
local fs     = require "sys.fs"

local M = {}

M.MOST = 8 * 1024 * 1024   -- bytes of one file


--- Returns how a path is, and the bytes of a file that is not too large.
---@param place {path: string}
---@param keeps? boolean  true: the bytes are wanted
---@return table? state
---@return string? content_or_err
---@return string? code
function M.state(place, keeps)
  local entry, err, code = fs.stat(place.path)
  if not entry and code == "not_found" then return { kind = "absent" } end
  if not entry then return nil, err, code end
  if entry.kind ~= "file" then return { kind = entry.kind, mode = entry.mode } end
  local state = { kind = "file", mode = entry.mode, uid = entry.uid, gid = entry.gid }
  if keeps and entry.size <= M.MOST then
    local bytes
    bytes, err, code = fs.read(place.path, M.MOST)
    if not bytes then return nil, err, code end
    state.sha = M.digest(bytes)
    return state, bytes
  end
  state.sha, err, code = fs.digest(place.path)
  if not state.sha then return nil, err, code end
  state.large = entry.size > M.MOST or nil
  return state
end


---@param bytes string
---@return string
function M.digest(bytes) return crypto.hex(assert(crypto.sha256(bytes))) end


--- Permissions count where both are known.
---@param one table
---@param other table
---@return boolean
function M.same(one, other)
  if one.kind ~= other.kind or one.sha ~= other.sha then return false end
  return one.kind ~= "file" or one.mode == nil or other.mode == nil or one.mode == other.mode
end


--- Says why a state cannot be brought back; nil: it can.
---@param state table
---@param content? string
---@return string?
function M.cannot(state, content)
  if state.kind == "file" and not content then return "it is too large to be kept" end
  if state.kind == "link" or state.kind == "other" then return "it is neither a file nor a folder" end
end


--- A file gets its permissions again and, where that may be, its owner.
---@param place {path: string}
---@param before table
---@param content? string
---@return true? ok
---@return string? err
---@return string? code
function M.restore(place, before, content)
  if before.kind == "absent" then
    local ok, err, code = fs.remove(place.path)
    if not ok and code == "not_empty" then return nil, "other files are in it now" end
    return ok, err, code
  end
  if before.kind == "folder" then return fs.make_folder(place.path, { mode = before.mode }) end
  return fs.write(place.path, content or "", { mode = before.mode, uid = before.uid, gid = before.gid })
end


M.changed = "it was changed since by something else"

return M
