#!/usr/bin/env tests/lua/run
--- policy.refusals: three refusals in a minute, by a clock that the test moves.
local refusals = require "policy.refusals"
local t        = require "check"

local count = 0

--- A caller that was not refused yet.
local function somebody(kind)
  count = count + 1
  return { kind = kind or "http", name = "client " .. count }
end

t.case("three within a minute are followed by a pause of two minutes", function()
  local caller = somebody()
  for _, now in ipairs { 100, 130 } do
    refusals.note(caller, now)
    t.same(refusals.left(caller, now), nil)
  end
  refusals.note(caller, 160)
  t.same(refusals.left(caller, 160), 120)
  t.same(refusals.left(caller, 279.5), 1)
  t.same(refusals.left(caller, 280), nil)
end)

t.case("three in longer than a minute are not", function()
  local caller = somebody()
  for now = 0, 3100, 31 do
    refusals.note(caller, now)
    t.same(refusals.left(caller, now), nil)
  end
end)

t.case("after the pause the count begins again", function()
  local caller = somebody()
  for now = 1, 3 do refusals.note(caller, now) end
  t.same(refusals.left(caller, 124), nil)
  for now = 124, 125 do refusals.note(caller, now) end
  t.same(refusals.left(caller, 125), nil)
  refusals.note(caller, 126)
  t.same(refusals.left(caller, 126), 120)
end)

t.case("another caller is not affected, and a client does not become another by its name", function()
  for now = 1, 3 do refusals.note({ kind = "oauth", subject = "ann", name = "x" }, now) end
  t.same(refusals.left({ kind = "oauth", subject = "ann", name = "x" }, 3), 120)
  for _, other in ipairs { { kind = "oauth", subject = "joe", name = "x" }, { kind = "http", name = "x" }, { kind = "client" },
    { kind = "terminal" }, { kind = "script" }, { kind = "agent" } } do
    t.same(refusals.left(other, 3), nil)
  end
  for now = 1, 3 do refusals.note({ kind = "client", name = "name " .. now }, now) end
  t.same(refusals.left({ kind = "client", name = "another" }, 3), 120)
end)

t.case("memory is bounded, and what is newest is kept", function()
  local first, last = somebody(), somebody()
  for now = 1000, 1002 do refusals.note(first, now) end
  for _ = 1, 3000 do refusals.note(somebody(), 1003) end
  for now = 1004, 1006 do refusals.note(last, now) end
  local mine = require("sys.state").open "policy.refusals"
  local n = 0
  for _ in pairs(mine.callers) do n = n + 1 end
  t.ok(n <= 1000 and n == mine.count, n)
  t.same(refusals.left(last, 1006), 120)
end)

t.case("the error says how long", function()
  t.has(refusals.words("mark", 1), "refused for another 1 second.")
  t.has(refusals.words("mark", 90), "refused for another 90 seconds.")
end)

t.done()
