--- A folder, or a file that is too large to be kept, that was moved.

local fs   = require "sys.fs"
local file = require "transactions.kinds.file"

local M = {}


---@param place {from: string, to: string}
---@return table? state
---@return string? err
---@return string? code
function M.state(place)
  local from, err, code = file.state { path = place.from }
  if not from then return nil, err, code end
  local to
  to, err, code = file.state { path = place.to }
  if not to then return nil, err, code end
  return { from = from.kind, to = to.kind, sha = to.sha or from.sha }
end


function M.same(one, other) return one.from == other.from and one.to == other.to and one.sha == other.sha end


function M.cannot() return nil end


---@param place {from: string, to: string}
---@return true? ok
---@return string? err
---@return string? code
function M.restore(place) return fs.rename(place.to, place.from) end


M.changed = "it was moved again or replaced since by something else"

return M
