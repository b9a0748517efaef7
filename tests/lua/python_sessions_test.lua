#!/usr/bin/env tests/lua/run
--- python.sessions: which are kept, and what the next answer says of those that ended.
local run      = require "python.run"
local sessions = require "python.sessions"
local t        = require "check"
local time     = require "sys.time"

local GONE = "variables are gone"


--- Runs code in a session. Returns what it printed, and what its answer says of the session.
local function ran(name, code)
  local session, note = assert(sessions.enter(name))
  local outcome = assert(run.execute { code = code, session = session })
  local left = sessions.leave(session, outcome.lost)
  return outcome.result.stdout, (note or "") .. (left or "")
end


t.case("a session that no call used for ten minutes has ended, and the next answer says so", function()
  t.has(select(2, ran("idle", "x = 1")), "is new")
  t.ok(sessions.tidy(time.monotonic() + sessions.IDLE - 5))
  t.same({ ran("idle", "print(x)") }, { "1\n", "" })
  t.same(sessions.tidy(time.monotonic() + sessions.IDLE + 5), nil)
  local out, note = ran("idle", "print('x' in dir())")
  t.same(out, "False\n")
  t.has(note, GONE)
  t.has(note, "10 minutes")
  t.same({ ran("idle", "x = 2; print(x)") }, { "2\n", "" })
end)


t.case("one that runs code is not idle", function()
  local session = assert(sessions.enter "busy")
  sessions.tidy(time.monotonic() + 2 * sessions.IDLE)
  t.ok(run.execute { code = "x = 1", session = session })
  t.same(sessions.leave(session), nil)
  t.same(ran("busy", "print(x)"), "1\n")
end)


t.case("a fifth takes the place of the one that was used least recently, and not of one that runs", function()
  for i = 1, sessions.KEPT do ran("s" .. i, "x = " .. i) end
  local first = assert(sessions.enter "s1")
  ran("fifth", "x = 5")
  t.has(select(2, ran("s2", "")), GONE)
  assert(run.execute { code = "pass", session = first })
  t.same(sessions.leave(first), nil)
  t.same({ ran("s1", "print(x)") }, { "1\n", "" })
  t.same({ ran("fifth", "print(x)") }, { "5\n", "" })
end)


t.case("a loss is told with the answer, and again with the next", function()
  for _, code in ipairs { "import os; os._exit(0)", "import os; os.abort()" } do
    ran("lost", "x = 1")
    t.has(select(2, ran("lost", code)), GONE)
    t.has(select(2, ran("lost", "pass")), GONE)
    t.same(select(2, ran("lost", "pass")), "")
  end
end)


t.done()
