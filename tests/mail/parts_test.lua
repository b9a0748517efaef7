#!/usr/bin/env tests/lua/run
--- The parts of the mail tools that need no server: addresses, format=flowed, the ledger, a URL of an SMTP server.
local address = require "mail.address"
local flowed  = require "mail.flowed"
local ledger  = require "mail.ledger"
local t       = require "check"
local time    = require "sys.time"

local function code_of(...) return select(3, ...) end

t.case("addresses as people write them", function()
  t.same(address.list("ada@example.com", "to"), { { address = "ada@example.com" } })
  t.same(address.list('Ada L <ada@example.com>, "Q, \\"x\\"" <q@x.org> ; <b@x.org>', "to"), {
    { address = "ada@example.com", name = "Ada L" }, { address = "q@x.org", name = 'Q, "x"' }, { address = "b@x.org" } })
  t.same(address.list(" ", "to"), {})
  t.same(address.list(nil, "to"), {})
  t.same(address.list("a@b.c,,d@e.f,", "to"), { { address = "a@b.c" }, { address = "d@e.f" } })
  t.same(code_of(address.list("ada", "to")), "bad_address")
  t.same(code_of(address.list('"ada@example.com', "to")), "bad_address")
  t.same(code_of(address.list("a@b.c\nBcc: d@e.f", "to")), "bad_header")
  t.same(address.full { { address = "a@b.c", name = "A" }, { address = "d@e.f" } }, "A <a@b.c>, d@e.f")
end)

t.case("flowed text is broken after blanks, and joined again", function()
  local long = ("word "):rep(40):sub(1, -2)
  for line in flowed.encode(long):gmatch "[^\n]+" do t.ok(#line <= 78, line) end
  t.ok(flowed.encode(long):find " \n" ~= nil)
  t.same(flowed.decode(flowed.encode(long)), long)
  t.same(flowed.encode "From me\n indented\n> quoted\n-- \nAda\n", " From me\n  indented\n> quoted\n-- \nAda\n")
  t.same(flowed.encode "ends in a blank \n", nil)
  t.same(flowed.encode "a\r\nb", nil)
  t.same(flowed.decode "> a \n> b\n>> c\nd \ne\n-- \nx", "> a b\n>> c\nd e\n-- \nx")
end)

t.case("1,000 texts come back from it", function()
  local words, state = { "a", "word", "שלום", "🙂", ("x"):rep(90), ">", "From", "--", "-- ", "  ", " ", ".", "\t" }, 7
  local function random(n)
    state = (state * 1103515245 + 12345) % 2147483648
    return state // 65536 % n + 1
  end
  local kept = 0
  for _ = 1, 1000 do
    local lines = {}
    for i = 1, random(8) do
      local line = {}
      for j = 1, random(40) - 1 do line[j] = words[random(#words)] end
      lines[i] = table.concat(line, random(2) == 1 and " " or "")
    end
    local text = table.concat(lines, "\n")
    local made = flowed.encode(text)
    if made then
      kept = kept + 1
      t.same(flowed.decode(made), text, made)
    end
  end
  t.ok(kept > 100, kept)
end)

t.case("what was begun or sent is kept, and forgotten after a month", function()
  t.same(ledger.get "k", false)
  assert(ledger.put("k", { state = "begun", at = time.now(), message_id = "1@x", content = "c" }))
  t.same(ledger.get("k").state, "begun")
  assert(ledger.put("old", { state = "sent", at = time.now() - 31 * 86400, message_id = "2@x", content = "c", id = "2" }))
  t.same(ledger.get("old").id, "2")
  assert(ledger.put("k", { state = "sent", at = time.now(), message_id = "1@x", content = "c", id = "7" }))
  t.same(ledger.get("k").id, "7")
  t.same(ledger.get "old", false)
  assert(ledger.put("k", nil))
  t.same(ledger.get "k", false)
  t.same(ledger.alone(function() return 3 end), 3)
end)

t.done()
