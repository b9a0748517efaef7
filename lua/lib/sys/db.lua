--- sys.db: databases of SQLite, for more than a file of sys.store can hold: `local db = require "sys.db"`.
--
-- Each is one file in the state folder, private to the user and shared by all engines. Another thread works on it, so nothing
-- else waits for the disk. What a call has written is in the file when the call returns, also if the process is killed then.
-- Statements reach no other file. FTS5 searches text.

local core  = require "sys.db"
local json  = require "sys.json"
local log   = require "sys.log"
local state = require "sys.state"
local task  = require "sys.task"
local time  = require "sys.time"

---@class sys.db
local M = {}

---@class sys.db.Options
---@field schema? sys.db.Statement[][]  steps from an empty database to its newest form: append to them, never change one
---@field readonly? boolean

---@class sys.db.Database
---@field name string
---@field readonly boolean  nothing can be written
---@field note? string      what is to be known of it: that it was set aside, or that a newer program wrote it
---@field private core sys.db.Core
---@field private options sys.db.Options
---@field private writes? true  a write runs
---@field private waiting sys.db.Waiting[]
local Database = {}
Database.__index = Database
Database.__name = "sys.db.Database"

local QUIET = 1     -- seconds
local OF_NONE = 4   -- values that tell of a statement without columns and rows

local LOST = "an earlier failure took this transaction back"
local DAMAGED = "the database \"%s\" was damaged. It is now %s, and a new one was begun"
local NEWER = "a newer version of this program wrote the database \"%s\" (form %d, known here: %d). It can be read, not written"


-- --- statements -------------------------------------------------------------------------------------

local function statement(sql, ...)
  return { sql, n = select("#", ...), ... }
end


--- The statements in a row, as C takes them: SQL, number of values, values. `first` and `last` are others around them, without
--- values.
local function batch(statements, first, last)
  local list, at = { first, first and 0 }, first and 2 or 0
  for _, each in ipairs(statements) do
    local count = each.n or #each - 1
    list[at + 1], list[at + 2] = each[1], count
    for i = 1, count do
      local value = each[i + 1]
      if value == nil then value = json.null end
      list[at + 2 + i] = value
    end
    at = at + 2 + count
  end
  list[at + 1], list[at + 2] = last, last and 0
  return list
end


--- The rows among what C returned, from `at` on, by the names of their columns. Returns where they end.
local function read_rows(values, at, names)
  local rows, columns = json.array {}, #names
  local count = values[at]
  at = at + 1
  for n = 1, count do
    local row = {}
    for i = 1, columns do
      local value = values[at + i - 1]
      if value ~= json.null then row[names[i]] = value end
    end
    rows[n] = row
    at = at + columns
  end
  return rows, at
end


local function read_results(values, at, last)
  local results = {}
  while at <= last do
    local result = { changes = values[at], id = values[at + 1] }
    local columns = values[at + 2]
    local names = table.move(values, at + 3, at + 2 + columns, 1, {})
    result.rows, at = read_rows(values, at + 3 + columns, names)
    results[#results + 1] = result
  end
  return results
end


--- Returns also whether the file had been left open by whoever wrote it last.
local function send(connection, statements)
  local values, recovered_or_err, code = connection:run(batch(statements))
  if not values then return nil, recovered_or_err, code end
  return read_results(values, 1, #values), recovered_or_err
end


--- Sends statements of which all are done, or none. What fails inside of a transaction may take back the whole of it: a full
--- disk, for example. Then no more is written.
local function send_whole(database, statements)
  local first, last = "BEGIN IMMEDIATE", "COMMIT"
  if database.inside then first, last = "SAVEPOINT batch", "RELEASE batch" end
  local values, err, code = database.core:run(batch(statements, first, last))
  if values then return read_results(values, 1 + OF_NONE, #values - OF_NONE) end
  if database.inside and not send(database.core, { { "ROLLBACK TO batch" }, { "RELEASE batch" } }) then
    database.readonly, database.note = true, LOST
  end
  return nil, err, code
end


-- --- writes that wait ---------------------------------------------------------------------------------

--- A write that waits for another one.
---@class sys.db.Waiting
---@field statements sys.db.Statement[]
---@field answer sys.task.Channel  the packed results of send_whole()


--- Does what waits in one transaction, so that its end is waited for once; if that fails, one by one.
---@param database sys.db.Database
---@param waiting sys.db.Waiting[]
local function send_together(database, waiting)
  local all, at = {}, 0
  for _, each in ipairs(waiting) do table.move(each.statements, 1, #each.statements, #all + 1, all) end
  local results = #waiting > 1 and send_whole(database, all)
  for _, each in ipairs(waiting) do
    local count = #each.statements
    local own = results and { table.move(results, at + 1, at + count, 1, {}), n = 1 }
    each.answer:send(own or table.pack(send_whole(database, each.statements)), 0)
    at = at + count
  end
end


--- Does what waits, in a task of its own: the call that wrote first may end.
local function send_waiting(database)
  task.apart("sys.db writes " .. database.name, function()
    while database.waiting[1] do
      local waiting = database.waiting
      database.waiting = {}
      send_together(database, waiting)
    end
    database.writes = nil
  end)
end


local WRITES = { __close = function(turn)
  if turn.database.waiting[1] then send_waiting(turn.database) else turn.database.writes = nil end
end }

--- Sends statements of which all are done, or none: at once, or together with others that wait while another write runs.
local function send_in_turn(database, statements)
  if database.inside then return send_whole(database, statements) end
  if database.writes then
    local answer = task.channel(1)
    database.waiting[#database.waiting + 1] = { statements = statements, answer = answer }
    local values = answer:receive()
    return table.unpack(values, 1, values.n)
  end
  database.writes = true
  local _ <close> = setmetatable({ database = database }, WRITES)
  return send_whole(database, statements)
end


--- Says on which database. What is damaged is looked at when it is opened next: also a file that was closed as it should be.
local function failed(self, err, code)
  if code == "damaged" then state.open("sys.db damaged")[self.name] = true end
  return nil, ("%s (database \"%s\")"):format(err, self.name), code
end


--- Runs a statement that reads, and returns its rows.
---
---     local database = assert(require "sys.db".open "shops")
---     local rows = assert(database:rows("SELECT id, name FROM shops WHERE town = ?", "Bern"))
---     for _, row in ipairs(rows) do print(row.id, row.name) end
---@param sql string  one statement
---@param ... sys.db.Value  for each "?"
---@return table<string, any>[]? rows
---@return string? err
---@return string? code
function Database:rows(sql, ...)
  local results, err, code = send(self.core, { statement(sql, ...) })
  if not results then return failed(self, err, code) end
  return results[1].rows
end


--- Returns the first row; nil without err: there is none.
---@param sql string
---@param ... sys.db.Value
---@return table<string, any>? row
---@return string? err
---@return string? code
function Database:row(sql, ...)
  local rows, err, code = self:rows(sql, ...)
  if not rows then return nil, err, code end
  return rows[1]
end


--- Moves what was written from the log into the file when nothing has been written for a moment, and empties the log: what was
--- deleted is in neither then.
---@private
function Database:tidy_soon()
  self.written = (self.written or 0) + 1
  if self.tidier and self.tidier:runs() or not self.options then return end
  self.tidier = task.apart("sys.db " .. self.name, function()
    local seen
    repeat
      seen = self.written
      time.sleep(QUIET)
    until seen == self.written
    local moved = send(self.core, { { "PRAGMA wal_checkpoint(PASSIVE)" } })
    local row = moved and moved[1].rows[1]
    if row and row.log == row.checkpointed then send(self.core, { { "PRAGMA wal_checkpoint(TRUNCATE)" } }) end
  end)
end


--- Runs statements that write: all are done, or none.
---
---     local database = assert(require "sys.db".open "shops")
---     assert(database:write {
---       { "INSERT INTO shops (name, town) VALUES (?, ?)", "Corner", "Bern" },
---       { "UPDATE towns SET shops = shops + 1 WHERE name = ?", "Bern" },
---     })
---@param statements sys.db.Statement[]
---@return sys.db.Result[]? results
---@return string? err
---@return string? code
function Database:write(statements)
  if self.readonly then return failed(self, self.note or "it was opened to be read only", "read_only") end
  local results, err, code = send_in_turn(self, statements)
  if not results then return failed(self, err, code) end
  self:tidy_soon()
  return results
end


--- Runs one statement that writes.
---@param sql string
---@param ... sys.db.Value
---@return sys.db.Result? result
---@return string? err
---@return string? code
function Database:run(sql, ...)
  local results, err, code = self:write { statement(sql, ...) }
  if not results then return nil, err, code end
  return results[1]
end


-- --- connections ------------------------------------------------------------------------------------

-- A commit outlives the process, whichever way that ends; a loss of power may take the last ones. They are in a log beside the
-- file first: tidy_soon(), and whoever closes the file last, move them into it. The first setting counts before the first table.
local SETTINGS = {
  { "PRAGMA auto_vacuum = INCREMENTAL" },
  { "PRAGMA journal_mode = WAL" },
  { "PRAGMA synchronous = NORMAL" },
  { "PRAGMA wal_autocheckpoint = 0" },
  { "PRAGMA foreign_keys = ON" },
  { "PRAGMA secure_delete = ON" },   -- what was deleted is overwritten, for example contents of files that a transaction kept
}

local READING = { { "PRAGMA schema_version" } }

--- Connects. Returns also whether it was left open by whoever wrote it last, and whether it can only be read.
local function connect_ready(name, wants_readonly)
  local connection, readonly_or_err, code = core.connect(name, wants_readonly)
  if not connection then return nil, readonly_or_err, code end
  local ready, recovered_or_err, why = send(connection, readonly_or_err and READING or SETTINGS)
  if ready then return connection, recovered_or_err, readonly_or_err end
  connection:close()
  return nil, recovered_or_err, why
end


--- Calls fn(inner) within a transaction on a connection of its own: what `inner` reads stays true until its end, as no other
--- writes meanwhile. Returns what fn returns. If that is nil or false, or if fn raises or its call is stopped, nothing was
--- written.
---@generic T
---@param fn fun(inner: sys.db.Database): T?, string?, string?
---@return T? value
---@return string? err
---@return string? code
function Database:transaction(fn)
  local connection, err, code = connect_ready(self.name, self.readonly)
  if not connection then return failed(self, err, code) end
  local _ <close> = setmetatable({}, { __close = function() connection:close() end })
  local begun
  begun, err, code = send(connection, { { "BEGIN IMMEDIATE" } })
  if not begun then return failed(self, err, code) end
  local inner = setmetatable({ name = self.name, readonly = self.readonly, core = connection, inside = true }, Database)
  local values = table.pack(fn(inner))
  if not values[1] then return table.unpack(values, 1, values.n) end
  local ended
  ended, err, code = send(connection, { { "COMMIT" } })
  if not ended then return failed(self, err, code) end
  return table.unpack(values, 1, values.n)
end


-- --- opening ----------------------------------------------------------------------------------------

local function version_of(connection)
  local results, err, code = send(connection, { { "PRAGMA user_version" } })
  if not results then return nil, err, code end
  return results[1].rows[1].user_version
end


--- Brings the tables to their newest form. Another engine may be about to do the same.
local function upgrade(database, schema)
  return database:transaction(function(inner)
    local version, err, code = version_of(inner.core)
    if not version then return nil, err, code end
    for step = version + 1, #schema do
      local results
      results, err, code = send(inner.core, schema[step])
      if not results then return nil, ("step %d of its schema: %s"):format(step, err), code end
    end
    if version >= #schema then return true end
    return send(inner.core, { { ("PRAGMA user_version = %d"):format(#schema) } })
  end)
end


--- Looks for damage, after an unclean end or where a statement met some: it reads all of the file.
local function is_sound(connection)
  local results, err, code = send(connection, { { "PRAGMA quick_check(1)" } })
  if not results then return code ~= "damaged", err end
  local _, text = next(results[1].rows[1] or {})
  return text == "ok", text
end


local function connect_sound(name, wants_readonly, doubted)
  local connection, recovered, readonly = connect_ready(name, wants_readonly)
  if not connection then return nil, recovered, readonly end
  if (recovered or doubted) and not is_sound(connection) then
    connection:close()
    return nil, "its content is damaged", "damaged"
  end
  return connection, readonly
end


--- Connects; a damaged file is set aside for a new one.
local function connect(name, wants_readonly, doubted)
  local connection, readonly, code = connect_sound(name, wants_readonly, doubted)
  if connection or code ~= "damaged" or wants_readonly then return connection, readonly, code end
  local aside, err
  aside, err, code = core.set_aside(name)
  if not aside then return nil, err, code end
  local note = DAMAGED:format(name, aside)
  log.error(note)
  connection, readonly, code = connect_sound(name, wants_readonly)
  return connection, readonly, code, note
end


local function open(name, options, doubted)
  local schema = options.schema or {}
  local connection, readonly, code, note = connect(name, options.readonly == true, doubted)
  local database = setmetatable({ name = name, core = connection, readonly = readonly, note = note, options = options,
    waiting = {} }, Database)
  if not connection then return failed(database, readonly, code) end
  local version, err
  version, err, code = version_of(connection)
  if version and version > #schema and options.schema then
    database.readonly, database.note = true, NEWER:format(name, version, #schema)
    log.warn(database.note)
  elseif version and version < #schema and not readonly then
    version, err, code = upgrade(database, schema)
  end
  if version then return database end
  connection:close()
  return failed(database, err, code)
end


--- Opens a database, which stays open: later calls with its name return the same one, unless a statement found it damaged. Then
--- the file is set aside and a new one begun, as when it is found damaged at first.
---
---     local db = require "sys.db"
---
---     local database = assert(db.open("shops", {
---       schema = { { { "CREATE TABLE shops (id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT)" } } },
---     }))
---@param name string  a-z, 0-9 and _, at most 50
---@param options? sys.db.Options
---@return sys.db.Database? database
---@return string? err
---@return string? code "busy", "insecure", "io", "bad_sql", "module_missing"; "not_found" and "damaged" with `readonly`
function M.open(name, options)
  local held <close> = task.lock("sys.db " .. name)
  local opened, damaged = state.open "sys.db", state.open "sys.db damaged"
  if opened[name] and not damaged[name] then return opened[name] end
  local database, err, code = open(name, options or {}, damaged[name])
  if not database then return nil, err, code end
  opened[name], damaged[name] = database, nil
  return database
end


return M
