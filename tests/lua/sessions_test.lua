#!/usr/bin/env tests/lua/run
--- sessions: made, found, shared and deleted; what they record, drop and refer to.
local t        = require "check"
local book     = require "sessions.book"
local border   = require "sessions.border"
local calls    = require "sessions.calls"
local clients  = require "sessions.clients"
local db       = require "sys.db"
local ids      = require "sessions.ids"
local json     = require "sys.json"
local pruning  = require "sessions.pruning"
local records  = require "sessions.records"
local sessions = require "sessions.sessions"
local shelf    = require "sessions.shelf"
local policy   = require "sys.policy"
local state    = require "sys.state"

local last = 0

local function client(kind, name, subject)
  last = last + 1
  return clients.of { kind = kind, name = name, subject = subject, owner = "session:" .. last, id = last }
end

local ANN, BOB, WEB = client("client", "ann"), client("client", "bob"), client("http", "web")
local EVE, MAX = client("oauth", "ann", "eve"), client("oauth", "ann", "max")
local USER = client "terminal"

local function names(of)
  local list = {}
  for i, each in ipairs(assert(sessions.list(of))) do list[i] = each.name end
  table.sort(list)
  return list
end

local function code_of(...) return (select(3, ...)) end

local function kept(of_shelf, outcome, call)
  local number = assert(records.begin(of_shelf, call or { tool = "list_windows", arguments = { application = "xterm" }, reads = true }))
  assert(records.finish(of_shelf, number, outcome))
  return records.id(number)
end


t.case("one is made, found by its names, and used", function()
  local made = assert(sessions.create({ session_id = "work", display_name = "The work", metadata = { b = 1, a = { 2 } } }, ANN))
  t.same({ ids.full(made), made.display_name, made.metadata }, { "sessions/work", "The work", { b = 1, a = { 2 } } })
  for _, said in ipairs { "work", "sessions/work", "The work" } do t.same(assert(sessions.find(said, ANN)).id, made.id) end
  t.same(assert(sessions.current(ANN)).id, made.id)
  t.same(sessions.current(BOB), nil)
  local other = assert(sessions.create({}, ANN))
  t.match(other.name, "^[a-z2-9]+$")
  t.same(#other.name, 16)
  t.same(other.display_name, other.name)
  t.same(assert(sessions.current(ANN)).id, other.id)
  assert(sessions.use(made, ANN))
  assert(sessions.delete(other, false, ANN))
  t.same(names(ANN), { "work" })
end)


t.case("an ID is given once", function()
  local _, err, code = sessions.create({ session_id = "work" }, ANN)
  t.same(code, "session_exists")
  t.has(err, "There is a session sessions/work already. Choose another session_id")
  t.same(assert(sessions.current(ANN)).name, "work")
  t.same(code_of(sessions.create({ session_id = "work" }, BOB)), "session_exists")
  t.same(code_of(sessions.create({ metadata = { text = ("x"):rep(20000) } }, ANN)), "invalid_argument")
end)


t.case("no client sees what it neither made nor names", function()
  t.same(names(BOB), {})
  t.same(names(WEB), {})
  local _, err, code = sessions.find("wrk", BOB)
  t.same(code, "session_not_found")
  t.ok(not err:find "work", err)
  t.has(err, "You have none: create_session makes one.")
  t.has(select(2, sessions.find("sessions/wrk", ANN)), 'no session "sessions/wrk"; did you mean sessions/work? You have sessions/work.')
  t.same(code_of(sessions.find("The work", BOB)), "session_not_found")
end)


t.case("the exact name shares it within a realm, and lists it from then on", function()
  local none, why, denied = sessions.find("work", WEB)
  t.same({ none, denied }, { nil, "session_not_found" })
  t.has(why, "sessions/work was made by another client. Call get_session with its name and use first")
  local found = assert(sessions.find("work", WEB, true))
  t.same(code_of(sessions.find("work", WEB)), "session_not_found")
  assert(sessions.use(found, WEB))
  t.same(assert(sessions.find("work", WEB)).id, found.id)
  t.same(names(WEB), { "work" })
  t.same(assert(sessions.current(WEB)).id, assert(sessions.current(ANN)).id)
  t.same(names(BOB), {})
  local _, err, code = sessions.delete(found, true, WEB)
  t.same(code, "not_yours")
  t.has(err, "sessions/work was made by another client")
end)


t.case("callers with tokens of an authorization server are apart, by their subjects", function()
  for _, one in ipairs { EVE, MAX } do
    for _, shares in ipairs { false, true } do t.same(code_of(sessions.find("work", one, shares)), "session_not_found") end
    t.same(names(one), {})
  end
  local hers = assert(sessions.create({ session_id = "work" }, EVE))
  t.same(names(EVE), { "work" })
  t.same(names(MAX), {})
  for _, shares in ipairs { false, true } do t.same(code_of(sessions.find("work", MAX, shares)), "session_not_found") end
  t.ok(assert(sessions.find("work", ANN)).id ~= hers.id)
  t.same(names(USER), { "work", "work" })                              -- the user sees all,
  t.same(assert(sessions.find("work", USER)).owner, "client:ann")      -- and means the own ones first
  assert(sessions.delete(hers, false, USER))
  t.same(names(USER), { "work" })
  t.same(sessions.current(EVE), nil)
end)


t.case("the session in use is the connection's own", function()
  local again = client("client", "ann")
  t.same(sessions.current(again), nil)
  t.same(names(again), { "work" })
  assert(sessions.use(assert(sessions.find("work", again)), again))
  t.same(assert(sessions.current(again)).name, "work")
  sessions.use(nil, again)
  t.same(sessions.current(again), nil)
end)


t.case("two with the same display name are told apart", function()
  local one = assert(sessions.create({ session_id = "a1", display_name = "Twin" }, BOB))
  local two = assert(sessions.create({ session_id = "a2", display_name = "Twin" }, BOB))
  local _, err, code = sessions.find("Twin", BOB)
  t.same(code, "session_ambiguous")
  t.has(err, '2 sessions are called "Twin". Use one of these names: sessions/a2, sessions/a1.')
  assert(sessions.delete(one, false, BOB))
  t.same(assert(sessions.find("Twin", BOB)).name, "a2")
  assert(sessions.delete(two, false, BOB))
end)


local work = sessions.shelf(assert(sessions.find("work", ANN)))

t.case("a call is kept with its arguments and its result", function()
  local number = assert(records.begin(work, { tool = "list_windows", arguments = { application = "@@ref_r9" } }))
  t.same(number, 1)
  t.same(assert(records.get(work, "r1")).state, "running")
  t.same(assert(sessions.counts(assert(sessions.current(ANN)))).running, 1)
  assert(records.finish(work, number, { structured = { windows = json.array { { title = "One" } }, none = json.null }, text = "One",
    content = { { type = "text", text = "One" }, { type = "image", data = "AAAA", mimeType = "image/png" } }, source = 1 }))
  local got = assert(records.get(work, "r1"))
  t.same(json.encode(got.root), '{"none":null,"windows":[{"title":"One"}]}')
  t.same({ got.state, got.text, got.tool, got.source }, { "done", "One", "list_windows", 1 })
  t.same(got.content, { { type = "text", text = "One" }, { type = "image", bytes = 4, mimeType = "image/png" } })
  t.same(assert(work:row(1)).arguments, '{"application":"@@ref_r9"}')
  t.same(kept(work, { error = "No window is called so.", code = "WINDOW_NOT_FOUND", text = "No window is called so." }), "r2")
  t.same(assert(sessions.counts(assert(sessions.current(ANN)))), { calls = 2, running = 0, failed = 1, dropped = 0,
    bytes = assert(work:row(1)).bytes + assert(work:row(2)).bytes, names = 0, observations = 0, approvals = 0 })
end)


t.case("references name results of the session in use, and of no other one", function()
  t.same(border.resolve({ a = "@@ref_r1__windows[0].title" }, assert(sessions.current(ANN))), { a = "One" })
  local resolved, source = border.resolve("@@ref_r1__windows", assert(sessions.current(ANN)))
  t.same({ resolved, source }, { { { title = "One" } }, 1 })
  t.same({ border.resolve "no reference" }, { "no reference", 0 })
  local mine = assert(sessions.create({ session_id = "other" }, BOB))
  local value, err, code = border.resolve("@@ref_r1__windows", mine)
  t.same({ value, code }, { nil, "no_such_reference" })
  t.has(err, "no result is kept for you")
  t.same(code_of(border.resolve("@@ref_r2", assert(sessions.current(ANN)))), "result_failed")
  t.same(border.resolve("why: @@ref_r2__error", assert(sessions.current(ANN))), "why: No window is called so.")
  assert(sessions.delete(mine, false, BOB))
end)


t.case("a caller's references are those of its own session", function()
  local caller = { kind = "client", name = "cli", owner = "session:900", id = 900 }
  t.same(code_of(border.resolve("@@ref_r1__windows", nil, nil, caller)), "no_such_reference")
  assert(sessions.use(assert(sessions.find("work", ANN)), clients.of(caller)))
  t.same(border.resolve("@@ref_r1__windows[0].title", nil, nil, caller), "One")
  t.same(border.resolve({ t = "@@ref_r1__windows" }, nil, { properties = { t = { type = "string" } } }, caller),
    { t = '[{"title":"One"}]' })
end)


t.case("text is read as JSON if it is an object or a list", function()
  local here = assert(sessions.current(ANN))
  for text, want in pairs { ["[1,2]"] = { 1, 2 }, [' {"a":1}'] = { a = 1 }, ["12"] = "12", ["{broken"] = "{broken", ["[1,2] x"] = "[1,2] x",
    [""] = "", ["true"] = "true" } do
    t.same(border.resolve("@@ref_" .. kept(work, { text = text }), here), want, text)
  end
end)


t.case("aliases and names stand for results", function()
  local here = assert(sessions.current(ANN))
  local id = kept(work, { structured = { code = "x = 1" } })
  local number = math.tointeger(tonumber(id:match "%d+"))
  assert(records.alias(work, "toolu_01__AbC", number))
  t.same(border.resolve("@@ref_toolu_01__AbC__code", here), "x = 1")
  assert(records.put(work, "name", "limits", { top = 5 }))
  t.same(border.resolve("@@ref_limits__top", here), 5)
  for _, bad in ipairs { "", "a b", "../x", "r7", "é", ("x"):rep(201) } do
    t.same(code_of(records.alias(work, bad, number)), "invalid_argument", bad)
    t.same(code_of(records.put(work, "name", bad, 1)), "invalid_argument", bad)
  end
  t.same(code_of(records.put(work, "name", "large", ("x"):rep(70000))), "too_large")
  t.raises(function() records.put(work, "other", "x", 1) end, "no kind")
  assert(records.put(work, "observation", "observations/1", { call = id }))
  assert(records.put(work, "approval", "execute_shell_command 1", { decision = "approved" }))
  t.same(records.all(work, "observation")[1].value, { call = id })
  t.same(records.all(work, "approval")[1].name, "execute_shell_command 1")
  t.has(select(2, border.resolve("@@ref_limit__top", here)), "did you mean limits")
end)


t.case("a result that is too large is not kept, and says so", function()
  local id = kept(work, { text = ("x"):rep(records.RESULT + 1) })
  local _, err, code = border.resolve("@@ref_" .. id, assert(sessions.current(ANN)))
  t.same(code, "result_dropped")
  t.has(err, ('It had more than the 8 MB that are kept. Call list_windows again with {"application":"xterm"}'))
end)


t.case("old results are dropped first, and their records stay", function()
  local here = assert(sessions.create({ session_id = "full" }, ANN))
  local full = sessions.shelf(here)
  for i = 1, 8 do kept(full, { text = ("%d"):format(i) .. ("x"):rep(999) }) end
  kept(full, { error = "no", text = "no" })
  assert(pruning.run { all = 1 << 40, session = 5000, age = 1e9 })
  for i = 1, 5 do t.same(assert(full:row(i)).state, "dropped", i) end
  for i = 6, 8 do t.same(assert(full:row(i)).state, "done", i) end
  t.same({ assert(full:row(9)).state, assert(full:row(9)).error }, { "failed", "no" })
  local _, err, code = border.resolve("@@ref_r1", here)
  t.same(code, "result_dropped")
  t.has(err, 'r1, of list_windows, was dropped. Call list_windows again with {"application":"xterm"}, and refer to the new result.')
  t.same(#border.resolve("@@ref_r8", here), 1000)
  t.same(assert(sessions.counts(here)).dropped, 5)
  local acts = kept(full, { text = "x" }, { tool = "close_window", arguments = { window = "w" }, reads = false })
  assert(pruning.run { all = 1 << 40, session = 1 << 40, age = -1e9 })
  t.same(assert(full:row(8)).state, "dropped")
  t.has(select(2, border.resolve("@@ref_" .. acts, here)), "close_window changes something, so do not call it again for this")
  t.same(assert(work:row(1)).state, "dropped")
  assert(sessions.delete(here, false, ANN))
  t.same(assert(assert(book.open()):row "SELECT count(*) AS n FROM calls WHERE session NOT IN (SELECT id FROM sessions)").n, 0)
end)


t.case("all results together have a limit", function()
  local parts = {}
  for i = 1, 3 do
    local each = sessions.shelf(assert(sessions.create({ session_id = "part" .. i }, ANN)))
    parts[i] = { each, kept(each, { text = ("x"):rep(1000) }) }
  end
  assert(pruning.run { all = 2500, session = 1 << 40, age = 1e9 })
  t.same({ assert(parts[1][1]:row(1)).state, assert(parts[2][1]:row(1)).state, assert(parts[3][1]:row(1)).state },
    { "dropped", "dropped", "done" })
  for i = 1, 3 do assert(sessions.delete(assert(sessions.find("part" .. i, ANN)), false, ANN)) end
end)


t.case("records of calls have a limit", function()
  local here = assert(sessions.create({ session_id = "many" }, ANN))
  local many = sessions.shelf(here)
  assert(assert(book.open()):run("UPDATE sessions SET last = ? WHERE id = ?", pruning.CALLS, here.id))
  assert(assert(book.open()):run("INSERT INTO calls (session, number, tool, arguments, reads, engine, state, begun) "
    .. "VALUES (?, 1, 'x', '{}', 1, 'none', 'done', 0)", here.id))
  t.same(assert(many:row(1)).tool, "x")
  kept(many, { text = "new" })
  assert(pruning.run())
  t.same(many:row(1), nil)
  assert(sessions.delete(here, false, ANN))
end)


t.case("one with a running call is deleted only by force", function()
  local here = assert(sessions.create({ session_id = "busy" }, ANN))
  local busy = sessions.shelf(here)
  assert(records.begin(busy, { tool = "wait_for" }))
  local _, err, code = sessions.delete(here, false, ANN)
  t.same(code, "session_busy")
  t.has(err, "sessions/busy has 1 running call, whose result would be lost. Wait for it, or pass force.")
  assert(assert(book.open()):run("UPDATE calls SET engine = '1-gone' WHERE session = ?", here.id))
  t.same(assert(records.get(sessions.shelf(here), "r1")).state, "lost")
  t.same(code_of(border.resolve("@@ref_r1", here)), "result_lost")
  assert(records.begin(busy, { tool = "wait_for" }))
  assert(sessions.delete(here, true, ANN))
  local number
  number, err, code = records.begin(busy, { tool = "wait_for" })
  t.same({ number, code }, { nil, "session_not_found" })
  t.has(err, "The session was deleted")
  t.same(sessions.current(ANN), nil)
end)


t.case("a deleted session's number is no other one's", function()
  local first = assert(sessions.create({ session_id = "first" }, ANN))
  assert(sessions.use(first, WEB))
  local held = policy.memory().in_sessions
  assert(assert(book.open()):run("DELETE FROM sessions WHERE id = ?", first.id))   -- as another process does
  t.ok(#held > 0)
  local second = assert(sessions.create({ session_id = "second" }, ANN))
  t.ok(second.id ~= first.id)
  t.same(sessions.current(WEB), nil)
  assert(sessions.delete(second, false, ANN))
end)


t.case("secrets of the environment are not kept", function()
  require("sys.secrets").hide "hush-hush-hush"
  local id = kept(work, { structured = { key = "hush-hush-hush" }, text = "it is hush-hush-hush" },
    { tool = "x", arguments = { key = "hush-hush-hush" } })
  local row = assert(work:row(math.tointeger(tonumber(id:match "%d+"))))
  t.same({ row.arguments, row.structured, row.text }, { '{"key":"***"}', '{"key":"***"}', "it is ***" })
end)


t.case("without a session results are kept in memory, within bounds", function()
  local data = {}
  local memory = shelf.in_memory(data)
  t.same(kept(memory, { structured = { a = 1 } }), "r1")
  assert(records.alias(memory, "toolu_1", 1))
  local lookup = records.lookup(memory)
  t.same(lookup.get("toolu_1").root, { a = 1 })
  t.same(lookup.ids(), { "r1" })
  for i = 2, 40 do t.same(kept(memory, { text = "x" }), "r" .. i) end
  t.same(memory:row(8), nil)
  t.same(memory:row(9).state, "done")
  t.same(memory:number_of "toolu_1", nil)
  for _ = 1, 3 do kept(memory, { text = ("x"):rep(1 << 20) }) end
  t.same({ memory:row(40).state, memory:row(41).state, memory:row(42).state, memory:row(43).state },
    { "dropped", "dropped", "done", "done" })
  t.same(#memory:last(5), 5)
  for i = 1, 40 do assert(records.put(memory, "name", "n" .. i, i)) end
  t.same(#records.all(memory, "name"), 32)
  assert(records.put(memory, "name", "n40", "new"))
  t.same(records.get(memory, "n40").root, "new")
end)


t.case("the forms of results are read", function()
  t.same(calls.outcome("text"), { text = "text" })
  t.same(calls.outcome({ a = 1 }), { structured = { a = 1 } })
  t.same(calls.outcome(nil, "failed so", "NOT_FOUND"), { error = "failed so", text = "failed so", code = "NOT_FOUND" })
  t.same(calls.outcome(nil), { text = "" })
  t.same(calls.outcome { content = { { type = "text", text = "a" }, { type = "text", text = "b" } }, structuredContent = { x = 1 } },
    { structured = { x = 1 }, text = "a\nb", content = { { type = "text", text = "a" }, { type = "text", text = "b" } } })
  t.same(calls.outcome { content = { { type = "text", text = "no" } }, isError = true }.error, "no")
  t.same(calls.outcome { content = "words", title = "x" }, { structured = { content = "words", title = "x" } })
end)


t.case("a database of a newer version is read, and said so", function()
  local database = assert(book.open())
  t.same(sessions.note(), nil)
  local held = state.open("sys.db").sessions
  state.open("sys.db").sessions = nil
  assert(database:run "PRAGMA user_version = 99")
  t.has(sessions.note(), 'a newer version of this program wrote the database "sessions"')
  t.same(names(ANN), { "work" })
  local _, err, code = sessions.create({}, ANN)
  t.same(code, "read_only")
  t.has(err, "It can be read, not written")
  state.open("sys.db").sessions = held
  assert(db.open("sessions"):run "PRAGMA user_version = 1")
end)


t.done()
