--- Undoing what was done in a transaction, the latest first. A thing is brought back only if it is as the transaction left it.

local recorder = require "transactions.recorder"
local store    = require "transactions.store"
local task     = require "sys.task"
local things   = require "transactions.things"

local M = {}

---@class transactions.Item
---@field what string
---@field kind string
---@field tool string
---@field call? string   "r3"
---@field times? integer
---@field why? string    it was not undone

-- Refusals of the policy: all that the call does after one is refused, too.
local REFUSED = { changed = true, denied = true, not_approved = true, not_recorded = true, policy_broken = true }

local LOST = "the engine ended before it was seen how it was left"


--- Undoes one change. Returns false if there was nothing to undo.
---@return boolean? undone  nil: it was left
---@return string? why
---@return string? code
local function undo(change)
  local kind = things.KINDS[change.kind]
  local before, after = change.before, change.after
  if kind and before and after and kind.same(before, after) then return false end
  if not kind or change.why then return nil, change.why end
  if not before then return nil, "it is not known how it was before" end
  local now, err = kind.state(change.place, nil, { after, before })
  if not now then return nil, err end
  if kind.same(now, before) then return after ~= nil end   -- something else has done it already
  if not after then return nil, LOST end
  if not kind.same(now, after) then return nil, kind.changed end
  local ok, code
  ok, err, code = kind.restore(change.place, before, store.content(change.id), after)
  if not ok then return nil, err or "it was refused", code end
  return true
end


local function item_of(change, why)
  return { what = change.what, kind = change.kind, tool = change.tool, call = change.call > 0 and ("r%d"):format(change.call) or nil,
    times = change.times > 1 and change.times or nil, why = why }
end


---@class transactions.Undone
---@field undone transactions.Item[]
---@field left transactions.Item[]
---@field ended boolean

--- Rolls a transaction back, or the part of it that was done after a call. If the policy or the user refuses, the transaction stays
--- open, and another rollback goes on where this one was.
---@param transaction transactions.Transaction
---@param after_call? integer
---@return transactions.Undone? result
---@return string? err
---@return string? code
function M.run(transaction, after_call)
  local _ <close> = task.lock("transaction " .. transaction.name)
  local changes, err, code = store.changes(transaction.id, after_call)
  if not changes then return nil, err, code end
  local result, stuck = { undone = {}, left = {}, ended = not after_call }, {}
  for _, change in ipairs(changes) do
    local key, undone, why = things.key(change), nil, nil
    if change.state ~= "done" then undone, why = change.state == "undone", change.why   -- by a rollback that was stopped
    elseif stuck[key] then why = "a later change of it was left"
    else
      undone, why, code = undo(change)
      if undone == nil and REFUSED[code] then return nil, why, code end
      local ok = true
      if undone == false then store.forget(change.id)
      else ok, err, code = store.settle(change.id, undone and "undone" or "left", why) end
      if not ok then return nil, err, code end
    end
    if change.state == "left" then undone = nil end
    if undone == nil then stuck[key] = change.kind ~= "other" or nil end
    if undone then result.undone[#result.undone + 1] = item_of(change) end
    if undone == nil then result.left[#result.left + 1] = item_of(change, why) end
  end
  if after_call then
    store.drop(transaction, after_call)
  else
    local count
    count, err, code = store.close(transaction, "rolled_back")
    if not count then return nil, err, code end
    recorder.close(transaction.id)
  end
  return result
end


return M
