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
  if not kind.same(now, after) and not (kind.is_lost and kind.is_lost(now)) then return nil, kind.changed end
  local ok, code
  ok, err, code = kind.restore(change.place, before, store.content(change.id), after)
  if not ok then return nil, err or "it was refused", code end
  return true
end


local function item_of(change, why)
  return { what = change.what, kind = change.kind, tool = change.tool, why = why,
    times = change.times > 1 and change.times or nil, call = change.call > 0 and ("r%d"):format(change.call) or nil }
end


---@class transactions.Undone
---@field undone transactions.Item[]
---@field left transactions.Item[]
---@field ended boolean

--- Undoes one change of a rollback, unless an earlier one that was stopped has done so, and notes what came of it.
---@param change transactions.Change
---@param stuck table<string, true>  things of which a later change was left
---@return "undone"|"left"|"nothing"|nil what  nil: it was refused, or cannot be noted
---@return string? why
---@return string? code
local function settled(change, stuck)
  if change.state ~= "done" then return change.state, change.why end
  local undone, why, code
  if stuck[things.key(change)] then why = "a later change of it was left" else undone, why, code = undo(change) end
  if undone == nil and REFUSED[code] then return nil, why, code end
  if undone == false then
    store.forget(change.id)
    return "nothing"
  end
  local state = undone and "undone" or "left"
  local ok, err
  ok, err, code = store.settle(change.id, state, why)
  if not ok then return nil, err, code end
  return state, why
end


--- Rolls a transaction back, or the part of it that was done after a call. If the policy or the user refuses, the transaction
--- stays open, and another rollback goes on where this one was.
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
    local what, why
    what, why, code = settled(change, stuck)
    if not what then return nil, why, code end
    local list = result[what]
    if list then list[#list + 1] = item_of(change, what == "left" and why or nil) end
    if what == "left" and change.kind ~= "other" then stuck[things.key(change)] = true end
  end
  if after_call then
    store.drop(transaction, after_call)
    return result
  end
  local count
  count, err, code = store.close(transaction, "rolled_back")
  if not count then return nil, err, code end
  recorder.close(transaction.id)
  return result
end


return M
