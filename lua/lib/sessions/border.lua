--- The border where references in arguments become values: before the schema, the policy and the log see the arguments, and only
--- in what a client or a model sent.

local calls      = require "sessions.calls"
local clients    = require "sessions.clients"
local records    = require "sessions.records"
local references = require "sessions.references"
local sessions   = require "sessions.sessions"

local M = {}

local NOTHING = { known = function() return false end, get = function() return nil end, ids = function() return {} end }


--- Replaces the references in a value by what they stand for.
---@param value any                    the arguments as they were sent; they stay as they are
---@param session? sessions.Session    default: the one that the caller uses, or what is kept for it without one
---@param schema? table                the JSON Schema of the value: where it takes text only, a value becomes text
---@param caller? table                default: that of the running call
---@return any value
---@return string|integer? err_or_source  where the text that was put in is from: bits of sys.policy; 0: nothing was
---@return string? code
---@return any[]? values  what was put in of results from outside
function M.resolve(value, session, schema, caller)
  local lookup = nil
  local function made()
    if lookup then return lookup end
    local shelf, err, code
    if session then shelf = sessions.shelf(session) else shelf, err, code = calls.shelf(clients.of(caller)) end
    if err then
      lookup = { known = function() return true end, get = function() return nil, err, code end, ids = NOTHING.ids }
    else
      lookup = shelf and records.lookup(shelf) or NOTHING
    end
    return lookup
  end
  local lazy = {   -- most arguments have none, and no database is opened for them
    known = function(id) return made().known(id) end,
    get = function(id) return made().get(id) end,
    ids = function() return made().ids() end,
  }
  local result, used, code, values = references.resolve(value, lazy, schema)
  if result == nil and code then return nil, used, code end
  if next(used) == nil then return result, 0 end
  local source, outside = 0, {}
  for id in pairs(used) do
    local kept = made().get(id)
    local its = kept and kept.source or 0
    source = source | its
    if its > 0 then table.move(values[id], 1, #values[id], #outside + 1, outside) end
  end
  return result, source, nil, outside
end


return M
