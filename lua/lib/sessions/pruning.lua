--- Dropping old results, so that the database stays within its bounds. The records of the calls stay.

local book  = require "sessions.book"
local log   = require "sys.log"
local state = require "sys.state"
local time  = require "sys.time"

local M = {}

local MB = 1024 * 1024
local DAY = 86400

---@class sessions.Limits
---@field all integer      bytes of all results
---@field session integer  bytes of the results of one session
---@field age number       seconds that a result is kept
M.LIMITS = { all = 64 * MB, session = 16 * MB, age = 7 * DAY }

M.CALLS = 5000              -- records of calls in one session
local SOME = 500            -- rows that are changed at a time
local LATER, OFTEN = MB, 64  -- bytes and calls after which there is a look

local DROP = "UPDATE calls SET structured = NULL, text = NULL, content = NULL, bytes = 0, "
  .. "state = CASE state WHEN 'done' THEN 'dropped' ELSE state END WHERE bytes > 0 AND "


--- Drops the oldest results until three quarters of the limit are left.
local function drop_oldest(database, where, value, most)
  local total, err, code = database:row("SELECT sum(bytes) AS bytes FROM calls WHERE bytes > 0 AND " .. where, value)
  if not total then return nil, err, code end
  local left = total.bytes or 0
  if left <= most then return true end
  while left > most * 3 // 4 do
    local rows
    rows, err, code = database:rows("SELECT id, bytes FROM calls WHERE bytes > 0 AND " .. where .. " ORDER BY id LIMIT ?",
      value, SOME)
    if not rows then return nil, err, code end
    if #rows == 0 then return true end
    local last
    for _, row in ipairs(rows) do
      if left <= most * 3 // 4 then break end
      left, last = left - row.bytes, row.id
    end
    local result
    result, err, code = database:run(DROP .. where .. " AND id <= ?", value, last)
    if not result then return nil, err, code end
  end
  return true
end


local function drop_old(database, before)
  repeat
    local result, err, code = database:run(DROP .. "id IN (SELECT id FROM calls WHERE bytes > 0 AND ended < ? LIMIT ?)",
      before, SOME)
    if not result then return nil, err, code end
  until result.changes < SOME
  return true
end


--- Removes the oldest records of sessions that have more of them than are kept.
local function drop_records(database)
  local long, err, code = database:rows("SELECT id, last FROM sessions WHERE last > ?", M.CALLS)
  if not long then return nil, err, code end
  for _, session in ipairs(long) do
    local results
    results, err, code = database:write {
      { "DELETE FROM calls WHERE session = ? AND number <= ? AND state <> 'running'", session.id, session.last - M.CALLS },
      { "DELETE FROM aliases WHERE session = ? AND number <= ?", session.id, session.last - M.CALLS },
    }
    if not results then return nil, err, code end
  end
  return true
end


--- Drops what transactions keep that nobody has ended for so long, and what is known of those that ended.
local function drop_transactions(database, before)
  local results, err, code = database:write {
    { "DELETE FROM transactions WHERE ended < ?", before },
    { "UPDATE changes SET content = NULL, why = 'it was kept for seven days only' WHERE why IS NULL AND of IN (SELECT id FROM "
      .. "transactions WHERE state = 'active' AND begun < ?)", before },
  }
  if not results then return nil, err, code end
  return true
end


--- Drops what is too old or too much.
---@param limits? sessions.Limits
---@return true? ok
---@return string? err
---@return string? code
function M.run(limits)
  limits = limits or M.LIMITS
  local database, err, code = book.open()
  if not database then return nil, err, code end
  if database.readonly then return true end
  local ok
  ok, err, code = drop_old(database, time.now() - limits.age)
  if not ok then return nil, err, code end
  ok, err, code = drop_records(database)
  if not ok then return nil, err, code end
  ok, err, code = drop_transactions(database, time.now() - limits.age)
  if not ok then return nil, err, code end
  local large
  large, err, code = database:rows("SELECT session FROM calls WHERE bytes > 0 GROUP BY session HAVING sum(bytes) > ?",
    limits.session)
  if not large then return nil, err, code end
  for _, row in ipairs(large) do
    ok, err, code = drop_oldest(database, "session = ?", row.session, limits.session)
    if not ok then return nil, err, code end
  end
  ok, err, code = drop_oldest(database, "? = 1", 1, limits.all)
  if not ok then return nil, err, code end
  local freed
  freed, err, code = database:rows "PRAGMA incremental_vacuum(1000)"
  if not freed then return nil, err, code end
  return true
end


--- Notes that results were kept, and looks now and then.
---@param bytes integer
function M.soon(bytes)
  local mine = state.open "sessions"
  mine.bytes, mine.calls = (mine.bytes or LATER) + bytes, (mine.calls or 0) + 1
  if mine.bytes < LATER and mine.calls < OFTEN then return end
  mine.bytes, mine.calls = 0, 0
  local ok, err = M.run()
  if not ok then log.warn(("old results of sessions could not be dropped: %s"):format(err)) end
end


return M
