--- A shelf holds what one session keeps, as rows: here in memory, for a client without a session, and in the database. Both have
--- the same functions.

local book    = require "sessions.book"
local engines = require "sessions.engines"
local json    = require "sys.json"
local pruning = require "sessions.pruning"
local task    = require "sys.task"
local time    = require "sys.time"

local M = {}

---@class sessions.Row
---@field number integer
---@field tool string
---@field arguments string    JSON, as they were sent
---@field reads integer       1: the tool only reads
---@field engine string
---@field state "running"|"done"|"failed"|"dropped"|"lost"
---@field code? string
---@field error? string
---@field structured? string  JSON
---@field text? string
---@field content? string     JSON
---@field source integer      where it is from: bits of sys.policy
---@field bytes integer       of structured, text and content
---@field begun number        seconds since 1970
---@field ended? number
---@field transaction_id? string  the transaction that was open

---@class sessions.Shelf
---@field add fun(self: sessions.Shelf, row: table, aliases?: string[]): integer?, string?, string?
---@field finish fun(self: sessions.Shelf, number: integer, fields: table): true?, string?, string?
---@field row fun(self: sessions.Shelf, number: integer): sessions.Row?, string?, string?
---@field last fun(self: sessions.Shelf, most: integer): sessions.Row[]?, string?, string?  oldest first, without results
---@field number_of fun(self: sessions.Shelf, alias: string): integer?
---@field set_alias fun(self: sessions.Shelf, alias: string, number: integer): true?, string?, string?
---@field put fun(self: sessions.Shelf, kind: string, name: string, value: string): true?, string?, string?
---@field thing fun(self: sessions.Shelf, kind: string, name: string): string?
---@field things fun(self: sessions.Shelf, kind: string): {name: string, value: string, time: number}[]?, string?, string?

local THINGS = 1000   -- of one kind


-- --- in the database ----------------------------------------------------------------------------------

---@class sessions.BookShelf: sessions.Shelf
---@field id integer  of the session
local InBook = {}
InBook.__index = InBook

---@param id integer
---@return sessions.Shelf
function M.in_book(id) return setmetatable({ id = id, living = engines.living() }, InBook) end


local GONE = "The session was deleted. Create another one with create_session."

function InBook:add(row, aliases)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local results
  local statements = {
    { "UPDATE sessions SET last = last + 1, used = ? WHERE id = ? RETURNING last", row.begun, self.id },
    { "INSERT INTO calls (session, number, tool, arguments, reads, engine, state, begun, transaction_id) "
      .. "SELECT id, last, ?, ?, ?, ?, 'running', ?, ? FROM sessions WHERE id = ?",
      row.tool, row.arguments, row.reads, row.engine, row.begun, row.transaction_id, self.id, n = 7 },
  }
  for _, alias in ipairs(aliases or {}) do
    statements[#statements + 1] = { "INSERT OR REPLACE INTO aliases (session, alias, number) SELECT id, ?, last FROM sessions "
      .. "WHERE id = ?", alias, self.id }
  end
  results, err, code = database:write(statements)
  if not results then return nil, err, code end
  local first = results[1].rows[1]
  if not first then return nil, GONE, "session_not_found" end
  return first.last
end


function InBook:finish(number, fields)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local result
  result, err, code = database:write { { "UPDATE calls SET state = ?, code = ?, error = ?, structured = ?, text = ?, "
    .. "content = ?, source = ?, bytes = ?, ended = ? WHERE session = ? AND number = ?", fields.state, fields.code, fields.error,
    fields.structured, fields.text, fields.content, fields.source, fields.bytes, fields.ended, self.id, number, n = 11 } }
  if not result then return nil, err, code end
  pruning.soon(fields.bytes)
  return true
end


function InBook:seen(row)
  if row and row.state == "running" and not self.living(row.engine) then row.state = "lost" end
  return row
end


function InBook:row(number)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local row
  row, err, code = database:row("SELECT * FROM calls WHERE session = ? AND number = ?", self.id, number)
  if not row then return nil, err, code end
  return self:seen(row)
end


function InBook:last(most)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local rows
  rows, err, code = database:rows("SELECT * FROM (SELECT number, tool, arguments, reads, engine, state, code, error, source, "
    .. "bytes, begun, ended, transaction_id FROM calls WHERE session = ? ORDER BY number DESC LIMIT ?) ORDER BY number",
    self.id, most)
  if not rows then return nil, err, code end
  for _, row in ipairs(rows) do self:seen(row) end
  return rows
end


function InBook:number_of(alias)
  local database = book.open()
  local row = database and database:row("SELECT number FROM aliases WHERE session = ? AND alias = ?", self.id, alias)
  return row and row.number
end


function InBook:set_alias(alias, number)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local result
  result, err, code = database:run("INSERT OR REPLACE INTO aliases (session, alias, number) VALUES (?, ?, ?)", self.id, alias,
    number)
  if not result then return nil, err, code end
  return true
end


function InBook:put(kind, name, value)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  local result
  result, err, code = database:write {
    { "INSERT OR REPLACE INTO things (session, kind, name, value, time) VALUES (?, ?, ?, ?, ?)",
      self.id, kind, name, value, time.now() },
    { "DELETE FROM things WHERE session = ? AND kind = ? AND id <= (SELECT id FROM things WHERE session = ? AND kind = ? "
      .. "ORDER BY id DESC LIMIT 1 OFFSET ?)", self.id, kind, self.id, kind, THINGS },
  }
  if not result then return nil, err, code end
  return true
end


function InBook:thing(kind, name)
  local database = book.open()
  local row = database and database:row("SELECT value FROM things WHERE session = ? AND kind = ? AND name = ?",
    self.id, kind, name)
  return row and row.value
end


function InBook:things(kind)
  local database, err, code = book.open()
  if not database then return nil, err, code end
  return database:rows("SELECT name, value, time FROM things WHERE session = ? AND kind = ? ORDER BY id", self.id, kind)
end


-- --- in memory ----------------------------------------------------------------------------------------

local CALLS = 32                  -- what a client without a session keeps
M.MEMORY = 2 * 1024 * 1024        -- bytes

---@class sessions.MemoryShelf: sessions.Shelf
---@field data table  plain: it outlives a reload
local InMemory = {}
InMemory.__index = InMemory

--- Makes a shelf of a table, which is empty at first.
---@param data table
---@return sessions.Shelf
function M.in_memory(data)
  if not data.rows then data.rows, data.number, data.aliases, data.things = {}, 0, {}, {} end
  return setmetatable({ data = data }, InMemory)
end


--- Does work that need not hold up an answer: soon, or before anything is looked for.
---@param work fun()
function InMemory:later(work)
  local data = self.data
  data.later = data.later or {}
  table.insert(data.later, work)
  task.apart("results that are kept", function() self:do_now() end)
end


---@private
function InMemory:do_now()
  local list = self.data.later or {}
  while list[1] do table.remove(list, 1)() end
end


function InMemory:add(row, aliases)
  local data = self.data
  data.number = data.number + 1
  local own = { number = data.number, state = "running", source = 0, bytes = 0 }
  for key, value in pairs(row) do own[key] = value end
  data.rows[data.number] = own
  data.rows[data.number - CALLS] = nil
  for alias, number in pairs(data.aliases) do
    if number <= data.number - CALLS then data.aliases[alias] = nil end
  end
  for _, alias in ipairs(aliases or {}) do data.aliases[alias] = data.number end
  return data.number
end


function InMemory:finish(number, fields)
  local data = self.data
  local row = data.rows[number]
  if not row then return true end
  for key, value in pairs(fields) do row[key] = value end
  local total = 0
  for at = data.number, data.number - CALLS + 1, -1 do
    local each = data.rows[at]
    total = total + (each and each.bytes or 0)
    if each and total > M.MEMORY and each.bytes > 0 then
      total = total - each.bytes
      each.structured, each.text, each.content, each.bytes = nil, nil, nil, 0
      if each.state == "done" then each.state = "dropped" end
    end
  end
  return true
end


function InMemory:row(number)
  self:do_now()
  local row = self.data.rows[number]
  if not row then return nil end
  local copy = {}
  for key, value in pairs(row) do copy[key] = value end
  return copy
end


function InMemory:last(most)
  self:do_now()
  local rows = json.array {}
  for number = math.max(1, self.data.number - math.min(most, CALLS) + 1), self.data.number do
    rows[#rows + 1] = self:row(number)
  end
  return rows
end


function InMemory:number_of(alias)
  self:do_now()
  return self.data.aliases[alias]
end


function InMemory:set_alias(alias, number)
  self.data.aliases[alias] = number
  return true
end


function InMemory:put(kind, name, value)
  local list = self.data.things[kind] or {}
  self.data.things[kind] = list
  for i, each in ipairs(list) do
    if each.name == name then
      table.remove(list, i)
      break
    end
  end
  list[#list + 1] = { name = name, value = value, time = time.now() }
  if #list > CALLS then table.remove(list, 1) end
  return true
end


function InMemory:thing(kind, name)
  for _, each in ipairs(self.data.things[kind] or {}) do
    if each.name == name then return each.value end
  end
end


function InMemory:things(kind) return self.data.things[kind] or {} end


return M
