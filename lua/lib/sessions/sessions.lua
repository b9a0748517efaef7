--- Sessions: made, found, listed and deleted. A session outlives the process and the connection.
--
-- A client sees those that it made or used. Another client of the same realm (sessions.clients) gets one by its exact name, which
-- is how two of them share it. Which session a client uses is kept for its connection only.

local book    = require "sessions.book"
local clients = require "sessions.clients"
local engines = require "sessions.engines"
local ids     = require "sessions.ids"
local json    = require "sys.json"
local nearest = require "nearest"
local policy  = require "sys.policy"
local quoting = require "desktop.quoting"
local secrets = require "sys.secrets"
local shelf   = require "sessions.shelf"
local time    = require "sys.time"

local M = {}

M.MOST = 1000                                -- sessions of one realm
M.METADATA = 16384                           -- bytes
local ACTIVE = 256                           -- connections whose session is remembered
local NAMED = 10                             -- sessions that an error names

---@class sessions.Session
---@field id integer
---@field name string          without "sessions/"
---@field realm string
---@field owner string
---@field display_name string
---@field metadata table
---@field created number
---@field used number


local function session_of(row)
  row.metadata = json.object(json.decode(row.metadata) or {})
  return row
end


--- Returns the shelf of a session.
---@param session sessions.Session
---@return sessions.Shelf
function M.shelf(session) return shelf.in_book(session.id) end


-- --- the session in use -----------------------------------------------------------------------------------

---@return {key: string, id: integer}[]  the connections that use a session, the latest last
local function active()
  local mine = policy.memory()
  mine.in_sessions = mine.in_sessions or {}
  return mine.in_sessions
end


local function leave(key)
  local list = active()
  for i = #list, 1, -1 do
    if list[i].key == key then table.remove(list, i) end
  end
end


--- Lets a client use a session from now on: its calls are kept there, and its references name results there.
---@param session? sessions.Session  nil: none
---@param client? sessions.Client
---@return true? ok
---@return string? err
---@return string? code
function M.use(session, client)
  client = client or clients.of()
  leave(client.key)
  if not session then return true end
  local list = active()
  list[#list + 1] = { key = client.key, id = session.id }
  if #list > ACTIVE then table.remove(list, 1) end
  local database, err, code = book.open()
  if not database then return nil, err, code end
  if session.owner == client.owner or client.all or database.readonly then return true end
  local result
  result, err, code = database:run("INSERT OR IGNORE INTO members (session, owner) VALUES (?, ?)", session.id, client.owner)
  if not result then return nil, err, code end
  return true
end


--- Returns the number of the session that a client uses; nil: it uses none.
---@param client? sessions.Client
---@return integer?
function M.active(client)
  client = client or clients.of()
  for _, each in ipairs(active()) do
    if each.key == client.key then return each.id end
  end
end


--- True if any client uses a session.
---@return boolean
function M.any_active() return active()[1] ~= nil end


-- --- finding ------------------------------------------------------------------------------------------------

--- Returns the sessions that a client sees without their names: those that it made or used, the latest used first.
---@param client? sessions.Client
---@return sessions.Session[]? list
---@return string? err
---@return string? code
function M.list(client)
  client = client or clients.of()
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local rows
  if client.all then
    rows, err, code = database:rows "SELECT * FROM sessions ORDER BY used DESC, id DESC"
  else
    rows, err, code = database:rows("SELECT * FROM sessions WHERE realm = ? AND (owner = ? OR id IN (SELECT session FROM members "
      .. "WHERE owner = ?)) ORDER BY used DESC, id DESC", client.realm, client.owner, client.owner)
  end
  if not rows then return nil, err, code end
  for _, row in ipairs(rows) do session_of(row) end
  return rows
end


local function not_found(said, client)
  local list, names = M.list(client) or {}, {}
  for i, each in ipairs(list) do names[i] = ids.full(each) end
  local near = nearest.question("sessions/" .. ids.short(said), names, "; ")
  local there = #names == 0 and "You have none: create_session makes one"
    or ("You have %s"):format(table.concat(names, ", ", 1, math.min(#names, NAMED)))
      .. (#names > NAMED and (" and %d more: call list_sessions"):format(#names - NAMED) or "")
  return nil, ("There is no session %s%s%s."):format(quoting.quote(said, 80), near ~= "" and near:gsub("%?$", "") .. "? " or ". ",
    there), "session_not_found"
end


--- True if the client made a session, has used it, or may share it.
local function reaches(client, session, shares, database)
  if shares or client.all or session.owner == client.owner or M.active(client) == session.id then return true end
  local rows, err, code = database:rows("SELECT 1 FROM members WHERE session = ? AND owner = ?", session.id, client.owner)
  if not rows then return nil, err, code end
  return rows[1] ~= nil
end


--- Finds a session by "sessions/ID", by its ID, or by the display name that only one has of those that the client sees.
---@param said string
---@param client? sessions.Client
---@param shares? boolean  also one that another client made and this one has not used yet: for get_session alone, so that a rule
---                        of the policy about that tool decides who shares sessions
---@return sessions.Session? session
---@return string? err
---@return string? code  "session_not_found", "session_ambiguous"
function M.find(said, client, shares)
  client = client or clients.of()
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local rows
  rows, err, code = database:rows("SELECT * FROM sessions WHERE name = ? AND (realm = ? OR ?) ORDER BY realm = ? DESC",
    ids.short(said), client.realm, client.all, client.realm)
  if not rows then return nil, err, code end
  if rows[1] then
    local own
    own, err, code = reaches(client, rows[1], shares, database)
    if own then return session_of(rows[1]) end
    return nil, err or ("%s was made by another client. Call get_session with its name and use first, which the policy may "
      .. "refuse."):format(ids.full(rows[1])), code or "session_not_found"
  end
  local found, names = {}, {}
  for _, each in ipairs(M.list(client) or {}) do
    if each.display_name == said then found[#found + 1], names[#names + 1] = each, ids.full(each) end
  end
  if #found > 1 then
    return nil, ("%d sessions are called %s. Use one of these names: %s."):format(#found, quoting.quote(said, 80),
      table.concat(names, ", ")), "session_ambiguous"
  end
  if found[1] then return found[1] end
  return not_found(said, client)
end


--- Returns the session that a client uses; nil without err: it uses none.
---@param client? sessions.Client
---@return sessions.Session? session
---@return string? err
---@return string? code
function M.current(client)
  client = client or clients.of()
  local id = M.active(client)
  if not id then return nil end
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local row
  row, err, code = database:row("SELECT * FROM sessions WHERE id = ?", id)
  if row then return session_of(row) end
  if not err then leave(client.key) end   -- it was deleted
  return nil, err, code
end


-- --- making and deleting --------------------------------------------------------------------------------------

---@class sessions.Wanted
---@field session_id? string
---@field display_name? string
---@field metadata? table

local function row_of(wanted, client)
  local metadata, err = json.encode(json.object(wanted.metadata or {}))
  if not metadata then return nil, err, "invalid_argument" end
  if #metadata > M.METADATA then
    return nil, ("metadata has %d bytes, and at most %d are kept. Keep large values in a file, and its path here.")
      :format(#metadata, M.METADATA), "invalid_argument"
  end
  local name = wanted.session_id or ids.new()
  return { name = name, realm = client.realm, owner = client.owner, created = time.now(), metadata = secrets.without(metadata),
    display_name = quoting.plain(wanted.display_name or name) }
end


--- Makes a session. From then on the client uses it.
---@param wanted sessions.Wanted
---@param client? sessions.Client
---@return sessions.Session? session
---@return string? err
---@return string? code  "session_exists", "too_many_sessions", "invalid_argument", "read_only"
function M.create(wanted, client)
  client = client or clients.of()
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local row
  row, err, code = row_of(wanted, client)
  if not row then return nil, err, code end
  local results
  results, err, code = database:write {
    { "SELECT count(*) AS n FROM sessions WHERE realm = ?", row.realm },
    { "INSERT INTO sessions (realm, name, owner, display_name, metadata, created, used) SELECT ?, ?, ?, ?, ?, ?, ? "
      .. "WHERE (SELECT count(*) FROM sessions WHERE realm = ?) < ? RETURNING *",
      row.realm, row.name, row.owner, row.display_name, row.metadata, row.created, row.created, row.realm, M.MOST },
  }
  if not results and code == "constraint" then
    return nil, ("There is a session sessions/%s already. Choose another session_id, leave it out, or use that one: call "
      .. "get_session with use."):format(row.name), "session_exists"
  end
  if not results then return nil, err, code end
  if not results[2].rows[1] then
    return nil, ("There are %d sessions, which is the limit. Delete one with delete_session."):format(results[1].rows[1].n),
      "too_many_sessions"
  end
  local session = session_of(results[2].rows[1])
  local used, why, reason = M.use(session, client)
  if not used then return nil, why, reason end
  return session
end


---@class sessions.Counts
---@field calls integer
---@field running integer
---@field failed integer
---@field dropped integer   results that were dropped
---@field bytes integer     of the results that are kept
---@field names integer
---@field observations integer
---@field approvals integer
---@field transaction_id? string  the open one, for those that may end it

--- Counts what a session keeps. A call whose engine is gone does not run.
---@param session sessions.Session
---@param client? sessions.Client
---@return sessions.Counts? counts
---@return string? err
---@return string? code
function M.counts(session, client)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local row, running
  row, err, code = database:row([[SELECT count(*) AS calls, coalesce(sum(state = 'failed'), 0) AS failed,
    coalesce(sum(state = 'dropped'), 0) AS dropped, coalesce(sum(bytes), 0) AS bytes,
    (SELECT count(*) FROM things WHERE session = ?1 AND kind = 'name') AS names,
    (SELECT count(*) FROM things WHERE session = ?1 AND kind = 'observation') AS observations,
    (SELECT count(*) FROM things WHERE session = ?1 AND kind = 'approval') AS approvals
    FROM calls WHERE session = ?1]], session.id)
  if not row then return nil, err, code end
  running, err, code = database:rows("SELECT engine FROM calls WHERE session = ? AND state = 'running'", session.id)
  if not running then return nil, err, code end
  local living = engines.living()
  row.running = 0
  for _, each in ipairs(running) do row.running = row.running + (living(each.engine) and 1 or 0) end
  row.transaction_id = M.transaction(session, client)
  return row
end


--- Returns the id of the open transaction of a session, to those that may end it; nil: it has none.
---@param session sessions.Session
---@param client? sessions.Client
---@return string?
function M.transaction(session, client)
  client = client or clients.of()
  local database = book.open()
  local row = database and database:row("SELECT name, owner FROM transactions WHERE session = ? AND state = 'active'", session.id)
  return row and (row.owner == client.owner or client.all) and row.name or nil
end


--- Deletes a session with all that it keeps. Only the client that made it may, and the user at a terminal.
---@param session sessions.Session
---@param force? boolean  also while a call of it runs, or a transaction is open
---@param client? sessions.Client
---@return true? ok
---@return string? err
---@return string? code  "session_busy", "not_yours"
function M.delete(session, force, client)
  client = client or clients.of()
  if session.owner ~= client.owner and not client.all then
    return nil, ("%s was made by another client, which shares it with you. Only that one, and the user with `perigee call "
      .. "delete_session`, may delete it."):format(ids.full(session)), "not_yours"
  end
  local counts, err, code = M.counts(session, client)
  if not counts then return nil, err, code end
  if counts.running > 0 and not force then
    return nil, ("%s has %d running call%s, whose result would be lost. Wait for it, or pass force."):format(ids.full(session),
      counts.running, counts.running == 1 and "" or "s"), "session_busy"
  end
  local database
  database, err, code = book.open()
  if not database then return nil, err, code end
  local open = not force and database:row("SELECT id FROM transactions WHERE session = ? AND state = 'active'", session.id)
  if open then
    return nil, ("%s has an open transaction, which could not be rolled back any more. Commit it or roll it back first, or pass "
      .. "force."):format(ids.full(session)), "session_busy"
  end
  local result
  result, err, code = database:run("DELETE FROM sessions WHERE id = ?", session.id)
  if not result then return nil, err, code end
  local list = active()
  for i = #list, 1, -1 do
    if list[i].id == session.id then table.remove(list, i) end
  end
  return true
end


--- Returns a note about the database that its users have to know; nil: there is none.
---@return string?
function M.note()
  local database = book.open()
  return database and database.note
end


return M
