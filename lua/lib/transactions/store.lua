--- Transactions in the database of sessions: what was changed since one began, and how it was before.
--
-- A session has at most one that is open. Its changes are written before they are made, so that they can be undone whenever and
-- however the engine ends.

local book    = require "sessions.book"
local clients = require "sessions.clients"
local ids     = require "sessions.ids"
local json    = require "sys.json"
local nearest = require "nearest"
local quoting = require "desktop.quoting"
local time    = require "sys.time"

local M = {}

local MB = 1024 * 1024
M.BYTES = 64 * MB      -- of what one transaction keeps
local ALL = 512 * MB   -- of what all of them keep when another one begins

---@class transactions.Transaction
---@field id integer
---@field session integer
---@field name string
---@field owner string
---@field state "active"|"committed"|"rolled_back"
---@field begun number
---@field ended? number
---@field bytes integer
---@field count integer   changes, once it has ended

---@class transactions.Change
---@field id integer
---@field kind string      "file", "folder", "window", "clipboard", "field"; "other": it cannot be undone
---@field key string       what was changed: another change with this key is of the same thing
---@field what string      for people
---@field tool string
---@field call integer     the number of its record in the session; 0: it has none
---@field place table      how the thing is found
---@field before? table    how it was; nil: it is not known, and `why` says why
---@field content? string  the rest of how it was
---@field after? table     how it was left; nil: it was not looked at again
---@field why? string      why it cannot be undone
---@field times integer
---@field state "done"|"undone"|"left"


--- Begins one. The client must have none, and the session neither.
---@param session sessions.Session
---@param client sessions.Client
---@return transactions.Transaction? transaction
---@return string? err
---@return string? code  "transaction_active", "too_large"
function M.begin(session, client)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local all, result
  all, err, code = database:row "SELECT coalesce(sum(bytes), 0) AS bytes FROM transactions WHERE state = 'active'"
  if not all then return nil, err, code end
  if all.bytes > ALL then
    return nil, ("The open transactions keep %d MB. Commit one or roll it back first: `perigee call list_sessions` has them.")
      :format(all.bytes // MB), "too_large"
  end
  result, err, code = database:run("INSERT INTO transactions (session, name, owner, state, begun) VALUES (?, ?, ?, 'active', ?) "
    .. "RETURNING *", session.id, ids.new(), client.owner, time.now())
  if result then return result.rows[1] end
  if code ~= "constraint" then return nil, err, code end
  local open = M.open(session.id)
  if not open then return nil, err, code end
  if open.owner ~= client.owner then
    return nil, ("%s has a transaction that another client began. Wait until that one commits it or rolls it back, or use a "
      .. "session of your own."):format(ids.full(session)), "transaction_active"
  end
  return nil, ("%s has the open transaction %s already. Commit it or roll it back first."):format(ids.full(session), open.name),
    "transaction_active"
end


--- Returns the open transaction of a session; nil: it has none, or it cannot be read, then with err.
---@param session integer
---@return transactions.Transaction? transaction
---@return string? err
---@return string? code
function M.open(session)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  return database:row("SELECT * FROM transactions WHERE session = ? AND state = 'active'", session)
end


local ENDED = { committed = "was committed", rolled_back = "was rolled back" }

--- Finds the open transaction of a session by its id, for the client that began it, or the user.
---@param session sessions.Session
---@param name string
---@param client? sessions.Client
---@return transactions.Transaction? transaction
---@return string? err
---@return string? code  "transaction_not_found", "transaction_ended", "not_yours"
function M.find(session, name, client)
  client = client or clients.of()
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local row
  row, err, code = database:row("SELECT * FROM transactions WHERE session = ? AND name = ?", session.id, name)
  if err then return nil, err, code end
  if not row then
    local open = M.open(session.id)
    local mine = open and (open.owner == client.owner or client.all) and open.name
    local near = mine and nearest.question(name, { mine }, "; ") or ""
    return nil, ("%s has no transaction %s%s %s"):format(ids.full(session), quoting.quote(name, 80), near ~= "" and near or ".",
      mine and ("Its open one is %s."):format(mine) or "It has none that you may end."), "transaction_not_found"
  end
  if row.owner ~= client.owner and not client.all then
    return nil, ("Another client began the transaction %s. Only that one, and the user at a terminal, may end it."):format(name),
      "not_yours"
  end
  if row.state ~= "active" then
    return nil, ("The transaction %s %s at %s. begin_transaction begins another one."):format(name, ENDED[row.state],
      time.iso(row.ended)), "transaction_ended"
  end
  return row
end


local function encoded(value) return value ~= nil and json.encode(value) or nil end


--- Notes a change that is about to be made.
---@param transaction integer
---@param change transactions.Change
---@return integer? id   nil without err: the transaction is over
---@return string? err
---@return string? code
function M.add(transaction, change)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local content = change.content
  local results
  results, err, code = database:write {
    { "UPDATE transactions SET bytes = bytes + ? WHERE id = ? AND state = 'active'", #(content or ""), transaction },
    { "INSERT INTO changes (of, kind, key, what, tool, call, place, before, content, after, why) SELECT id, ?, ?, ?, ?, ?, ?, ?, "
      .. "?, ?, ? FROM transactions WHERE id = ? AND state = 'active' RETURNING id", change.kind, change.key, change.what,
      change.tool, change.call, encoded(change.place), encoded(change.before), content, encoded(change.after), change.why,
      transaction, n = 11 },
  }
  if not results then return nil, err, code end
  local row = results[2].rows[1]
  return row and row.id
end


--- Notes how a thing was left, or that it was changed once more.
---@param id integer
---@param after? table  nil: it is not known yet
---@param more? integer  further times
---@return true? ok
---@return string? err
---@return string? code
function M.left(id, after, more)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local result
  result, err, code = database:write { { "UPDATE changes SET after = ?, times = times + ? WHERE id = ?", encoded(after),
    more or 0, id, n = 3 } }
  if not result then return nil, err, code end
  return true
end


--- Takes a change back that was not made.
---@param id integer
function M.forget(id)
  local database = book.open()
  if database then database:run("DELETE FROM changes WHERE id = ?", id) end
end


--- Returns the changes of a transaction, the latest first, without their contents.
---@param transaction integer
---@param after_call? integer  only those of later calls
---@return transactions.Change[]? list
---@return string? err
---@return string? code
function M.changes(transaction, after_call)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local rows
  rows, err, code = database:rows("SELECT id, kind, key, what, tool, call, place, before, after, why, times, state FROM changes "
    .. "WHERE of = ? AND call > ? ORDER BY id DESC", transaction, after_call or -1)
  if not rows then return nil, err, code end
  for _, row in ipairs(rows) do
    for _, name in ipairs { "place", "before", "after" } do row[name] = row[name] and json.decode(row[name]) end
  end
  return rows
end


---@param id integer
---@return string?
function M.content(id)
  local database = book.open()
  local row = database and database:row("SELECT content FROM changes WHERE id = ?", id)
  return row and row.content
end


--- Notes what came of undoing a change, at once: a rollback that is killed goes on where it was.
---@param id integer
---@param state "undone"|"left"
---@param why? string
---@return true? ok
---@return string? err
---@return string? code
function M.settle(id, state, why)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local result
  result, err, code = database:write { { "UPDATE changes SET state = ?, why = ?, content = NULL WHERE id = ?", state, why, id,
    n = 3 } }
  if not result then return nil, err, code end
  return true
end


--- Ends a transaction, and drops what it kept.
---@param transaction transactions.Transaction
---@param state "committed"|"rolled_back"
---@return integer? changes  their number
---@return string? err
---@return string? code      "transaction_ended": something else ended it meanwhile
function M.close(transaction, state)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local results
  results, err, code = database:write {
    { "UPDATE transactions SET state = ?, ended = ?, bytes = 0, "
      .. "count = (SELECT coalesce(sum(times), 0) FROM changes WHERE of = ?) WHERE id = ? AND state = 'active' RETURNING count",
      state, time.now(), transaction.id, transaction.id },
    { "DELETE FROM changes WHERE of = ?", transaction.id },
  }
  if not results then return nil, err, code end
  local row = results[1].rows[1]
  if not row then return nil, ("The transaction %s was ended meanwhile."):format(transaction.name), "transaction_ended" end
  return row.count
end


--- Drops those changes that are done with, after a rollback to a call.
---@param transaction transactions.Transaction
---@param after_call integer
function M.drop(transaction, after_call)
  local database = book.open()
  if database then
    database:run("DELETE FROM changes WHERE of = ? AND call > ? AND state <> 'done'", transaction.id, after_call)
  end
end


return M
