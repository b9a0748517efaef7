#!/usr/bin/env tests/lua/run
--- sys.db: statements, values, transactions, and files that are not as they should be.
local t      = require "check"
local db     = require "sys.db"
local engine = require "sys.engine"
local fs     = require "sys.fs"
local json   = require "sys.json"
local task   = require "sys.task"

local FOLDER = ...
local STATE = FOLDER .. "/state/perigee/db/"

local SCHEMA = {
  { { "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT UNIQUE, value)" } },
  { { "CREATE TABLE others (thing INTEGER NOT NULL REFERENCES things)" }, { "CREATE VIRTUAL TABLE words USING fts5(body)" } },
}

local things = assert(db.open("things", { schema = SCHEMA }))

local function count()
  return things:row("SELECT count(*) AS n FROM things").n
end

t.case("each kind of value comes back as it was", function()
  for _, value in ipairs { 0, -1, math.maxinteger, math.mininteger, 1.5, -0.0, 1e308, "", "text", "ünïcode 🎈", "a\0b", "\xff\xfe",
    ("x"):rep(100000) } do
    local row = assert(things:row("SELECT ? AS value", value))
    t.same(row.value, value)
    t.same(math.type(row.value), math.type(value))
  end
  t.same(things:row("SELECT ? AS yes, ? AS no", true, false), { yes = 1, no = 0 })
  t.same(things:row("SELECT ? AS none, 1 AS one", nil), { one = 1 })
  t.same(things:row("SELECT ? AS first, ? AS none", 1, nil), { first = 1 })
  t.same(things:row("SELECT ? AS none", json.null), {})
  t.same(things:row("SELECT typeof(?) AS a, typeof(?) AS b", "text", "a\0b"), { a = "text", b = "blob" })
end)

t.case("values are no SQL", function()
  assert(things:run("INSERT INTO things (name) VALUES (?)", "'); DROP TABLE things; --"))
  t.same(things:row("SELECT name FROM things").name, "'); DROP TABLE things; --")
  assert(things:run "DELETE FROM things")
end)

t.case("results say what was changed", function()
  local result = assert(things:run("INSERT INTO things (name) VALUES (?), (?)", "a", "b"))
  t.same(result.changes, 2)
  t.same(things:row("SELECT name FROM things WHERE id = ?", result.id).name, "b")
  t.same(assert(things:run("UPDATE things SET value = 1 RETURNING name")).rows, { { name = "a" }, { name = "b" } })
  t.same(assert(things:run "DELETE FROM things").changes, 2)
  t.same(things:rows "SELECT * FROM things", {})
  t.same(json.encode(things:rows "SELECT * FROM things"), "[]")
  t.same(things:row "SELECT * FROM things", nil)
end)

t.case("wrong statements say why", function()
  for sql, code in pairs {
    ["SELEC 1"] = "bad_sql", [""] = "bad_sql", ["-- nothing"] = "bad_sql", ["SELECT 1; SELECT 2"] = "bad_sql",
    ["SELECT * FROM nowhere"] = "bad_sql", ["SELECT ?"] = "bad_value",
    ["ATTACH DATABASE '/dev/shm/other' AS other"] = "bad_sql",
    ["SELECT load_extension('x')"] = "bad_sql", ["INSERT INTO others VALUES (77)"] = "constraint",
    ["WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 300000) SELECT x FROM n"] = "too_large",
    ["SELECT zeroblob(20000000)"] = "too_large",
  } do
    local rows, err, found = things:rows(sql)
    t.same(rows, nil)
    t.same(found, code, sql)
    t.has(err, '(database "things")')
  end
  t.same(select(3, things:rows("SELECT 1", 1)), "bad_value")
  t.same(select(3, things:rows("SELECT ?", { 1 })), "bad_value")
  t.same(select(3, things:rows("SELECT ?", function() end)), "not_plain")
  t.same(things:row("SELECT 1 AS one;\n").one, 1)
end)

t.case("a file beside it cannot be written", function()
  t.same(select(3, things:run "VACUUM INTO '/dev/shm/perigee_copy'"), "bad_sql")
  t.same(select(3, things:run "PRAGMA writable_schema = 1"), nil)
  t.ok(not things:run "UPDATE sqlite_master SET sql = 'x'")
end)

t.case("all statements of a write are done, or none", function()
  local results, err, code = things:write {
    { "INSERT INTO things (name) VALUES (?)", "one" }, { "INSERT INTO things (name) VALUES (?)", "one" } }
  t.same(results, nil)
  t.same(code, "constraint")
  t.has(err, "UNIQUE")
  t.same(count(), 0)
end)

t.case("writes of many tasks share their commits", function()
  local list = {}
  for i = 1, 64 do list[i] = i end
  things:row "PRAGMA wal_checkpoint(TRUNCATE)"
  task.map(list, function(i) return things:run("INSERT INTO things (name) VALUES (?)", "thing " .. i) end, 64)
  t.same(count(), 64)
  local log = things:row "PRAGMA wal_checkpoint(PASSIVE)".log   -- each commit adds a page at least
  t.same(log > 0 and log < 32, true, log)
  assert(things:run "DELETE FROM things")
end)

t.case("a write that waits is done although the one before it was cut off", function()
  local first = task.spawn(function() assert(things:run "INSERT INTO things (name) VALUES ('first')") end)
  local second = task.spawn(function() return things:run "INSERT INTO things (name) VALUES ('second')" end)
  first:cancel()
  t.same(second:join(60).changes, 1)
  t.same(things:row("SELECT count(*) AS n FROM things WHERE name = 'second'").n, 1)
  assert(things:run "DELETE FROM things")
end)

t.case("writes of many tasks are kept, and one that fails takes no other with it", function()
  local list = {}
  for i = 1, 200 do list[i] = i end
  local ended = task.map(list, function(i)
    local result, _, code = things:run("INSERT INTO things (name) VALUES (?)", i % 10 == 0 and "again" or "n" .. i)
    return result and "kept" or code
  end, 64)
  local tally = { kept = 0, constraint = 0 }
  for i = 1, 200 do tally[ended[i]] = tally[ended[i]] + 1 end
  t.same(tally, { kept = 181, constraint = 19 })
  t.same(count(), 181)
  assert(things:run "DELETE FROM things")
end)

t.case("a write whose call is stopped is done or not, and harms no other", function()
  for _ = 1, 20 do
    local work <close> = task.spawn(function() things:run("INSERT INTO things (name) VALUES (?)", "stopped") end)
    task.spawn(function() return assert(things:run("INSERT INTO things (name) VALUES (?)", "kept")) end):join()
    t.ok(work)
    work:cancel()
    t.same(things:row("SELECT count(*) AS n FROM things WHERE name = 'kept'").n, 1)
    assert(things:run "DELETE FROM things")
  end
end)

t.case("a query that does not end ends with its time", function()
  local rows, _, code = task.with_timeout(0.2, function()
    return things:rows "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n"
  end)
  t.same(rows, nil)
  t.same(code, "timeout")
  t.same(things:row("SELECT 1 AS one").one, 1)
end)

t.case("a transaction sees its own, and nothing of it stays if it fails", function()
  local value, err, code = things:transaction(function(inner)
    assert(inner:run("INSERT INTO things (name) VALUES ('inside')"))
    t.same(inner:row("SELECT count(*) AS n FROM things").n, 1)
    t.same(count(), 0)
    return nil, "thought better of it", "no"
  end)
  t.same({ value, err, code }, { nil, "thought better of it", "no" })
  t.raises(function()
    things:transaction(function(inner)
      assert(inner:run("INSERT INTO things (name) VALUES ('inside')"))
      error "broken"
    end)
  end, "broken")
  t.same(count(), 0)
  t.same(things:transaction(function(inner) return inner:run("INSERT INTO things (name) VALUES ('inside')").id end), 1)
  t.same(count(), 1)
  assert(things:run "DELETE FROM things")
end)

t.case("a write that fails within a transaction takes back itself alone", function()
  assert(things:transaction(function(inner)
    assert(inner:run "INSERT INTO things (name) VALUES ('first')")
    local results, err, code = inner:write { { "INSERT INTO things (name) VALUES ('second')" },
      { "INSERT INTO things (name) VALUES ('first')" } }
    t.same({ results, code }, { nil, "constraint" })
    t.has(err, "UNIQUE")
    return inner:run "INSERT INTO things (name) VALUES ('third')"
  end))
  t.same(things:rows "SELECT name FROM things ORDER BY name", { { name = "first" }, { name = "third" } })
  assert(things:run "DELETE FROM things")
end)

t.case("nothing is written by a transaction that a failure took back whole", function()
  local value, err = things:transaction(function(inner)
    assert(inner:run "INSERT INTO things (name) VALUES ('first')")
    t.same(select(3, inner:run "INSERT OR ROLLBACK INTO things (name) VALUES ('first')"), "constraint")
    local result, why, code = inner:run "INSERT INTO things (name) VALUES ('later')"
    t.same({ result, code }, { nil, "read_only" })
    t.has(why, "an earlier failure took this transaction back")
    return true
  end)
  t.same(value, nil)
  t.has(err, "no transaction is active")
  t.same(count(), 0)
end)

t.case("one statement is told from two, however often they come, and however they end", function()
  for _ = 1, 2 do
    t.same(things:row("SELECT 1 AS one").one, 1)
    t.same(things:row("SELECT 1 AS one ;\n ; ").one, 1)
    t.same(select(3, things:row "SELECT 1 AS one; SELECT 2"), "bad_sql")
    t.same(select(3, things:row "SELECT 1 AS one SELECT 2"), "bad_sql")
  end
  for round = 1, 3 do
    for i = 1, 60 do t.same(things:row(("SELECT %d AS n, ? AS round"):format(i), round), { n = i, round = round }) end
  end
end)

t.case("full texts are found", function()
  assert(things:write { { "INSERT INTO words VALUES ('the quick brown fox')" }, { "INSERT INTO words VALUES ('lazy dogs')" } })
  t.same(things:rows("SELECT body FROM words WHERE words MATCH ?", "brown"), { { body = "the quick brown fox" } })
end)

t.case("the same name is the same database", function()
  t.ok(rawequal(db.open "things", things))
end)

t.case("names that are no names are refused", function()
  for _, name in ipairs { "", "../x", "a/b", "A", ".x", ("a"):rep(51) } do
    t.raises(function() db.open(name) end, "name of a database")
  end
end)

t.case("its folder is the engine's own", function()
  t.raises(function() engine.state_folder "db" end, "keeps its own data")
  t.same(select(3, fs.write(STATE .. "../db/things.sqlite", "x")), nil)
end)

t.case("guest scripts have none of it", function()
  local result, err = engine.run_lua 'return require "sys.db"'
  t.same(result, nil)
  t.has(err, "module 'sys.db' is not available here")
end)

t.done()
