#!/usr/bin/env tests/lua/run
--- The parts of the mail tools that need no server: addresses, format=flowed, the ledger, a URL of an SMTP server.
local address = require "mail.address"
local flowed  = require "mail.flowed"
local ledger  = require "mail.ledger"
local crypto  = require "sys.crypto"
local mime    = require "sys.mime"
local payload = require "mail.gmail.payload"
local reading = require "mail.reading"
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

t.case("DelSp takes away the blanks that only mark the joints", function()
  t.same(flowed.decode("日本 \n語\n> a \n> b\n-- \nx \ny", true), "日本語\n> ab\n-- \nxy")
  t.same(flowed.decode("a  \nb", true), "a b")
  t.same(flowed.decode("a  \nb", false), "a  b")
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

-- --- Gmail's format=full --------------------------------------------------------------------------

local function leaf(kind, content, more)
  local part = { mimeType = kind:match "^[^;]+", filename = "", headers = { { name = "Content-Type", value = kind } },
    body = { size = content and #content or 0, data = content and crypto.base64url(content) } }
  for key, value in pairs(more or {}) do part[key] = value end
  return part
end

local function parts(kind, ...) return { mimeType = "multipart/" .. kind, body = { size = 0 }, parts = { ... } } end

local function no_fetch() error "nothing is to be fetched" end

t.case("a message by its parts is what it is as a whole", function()
  if not mime.build({ to = { { address = "a@b.c" } }, from = { { address = "a@b.c" } }, text = "x" }) then t.skip "no GMime" end
  local tree = parts("mixed", parts("alternative", leaf("text/plain; charset=utf-8", "Grüße\r\n"), leaf("text/html", "<p>Grüße")),
    leaf("image/png", nil, { filename = "a ü.png", body = { attachmentId = "x", size = 25000000 } }),
    leaf("text/plain", "attached", { filename = "b\r\n.txt" }),
    leaf("message/rfc822", nil, { parts = { leaf("text/plain", "inner") } }))
  tree.headers = {
    { name = "From", value = "Ada Löwe <ada@example.com>" }, { name = "to", value = "b@example.com, c@example.com" },
    { name = "Subject", value = "=?utf-8?q?Gr=C3=B6=C3=9Fe?=\r\nBcc: x@example.com" },
    { name = "Message-ID", value = "<1@example.com>" }, { name = "Date", value = "Thu, 1 Jan 1970 00:01:00 +0000" },
  }
  local got = assert(payload.read(tree, no_fetch))
  t.same({ got.text, got.html, got.subject, got.id, got.date, got.bcc },
    { "Grüße\n", "<p>Grüße", "Größe Bcc: x@example.com", "1@example.com", 60, {} })
  t.same({ got.from, got.to }, { { { address = "ada@example.com", name = "Ada Löwe" } },
    { { address = "b@example.com" }, { address = "c@example.com" } } })
  t.same(got.attachments, {
    { name = "a ü.png", type = "image/png", size = 25000000 }, { name = "b .txt", type = "text/plain", size = 8 },
    { type = "message/rfc822", size = 0 } })
end)

local function text(kind, content, more, fetch) return assert(payload.read(leaf(kind, content, more), fetch or no_fetch)) end

t.case("base64url with padding and without", function()
  t.same({ payload.bytes "SGk=", payload.bytes "SGk", payload.bytes "SA==", payload.bytes "" }, { "Hi", "Hi", "H", "" })
  for _, wrong in ipairs { "SA===", "S=A=", "SGk+", "===", 7, {}, false } do t.same(payload.bytes(wrong), nil) end
end)

t.case("texts of every charset, and flowed ones", function()
  if not mime.read "Subject: x\r\n\r\n" then t.skip "no GMime" end
  t.same(text("text/plain; charset=iso-8859-1", "Gr\xfc\xdfe").text, "Grüße")
  t.same(text("text/plain; charset=iso-8859-1", "Grüße").text, "Grüße")                  -- made UTF-8 by Gmail
  t.same(text("text/plain; charset=iso-2022-jp", "\27$B%F\27(B").text, "テ")
  t.same(text("text/plain; charset=utf-16le", "G\0\xfc\0").text, "Gü")
  t.same(text("text/plain; charset=utf-16le", "G\0r\0").text, "Gr")
  t.same(#text("text/plain", ("x"):rep(5000000)).text, 5000000)
  t.same(text("text/plain; charset=no-such-one", "Gr\xfc").text:sub(1, 2), "Gr")
  t.same(text("text/plain", "\xff\xfe").text ~= nil, true)
  t.same({ text('text/plain; format="flowed"', "a \nb").flowed, text("text/plain", "a").flowed }, { true, false })
  t.same({ text("text/plain; format=flowed; delsp=Yes", "a").delsp, text("text/plain; delsp=yes", "a").delsp }, { true, nil })
  t.same({ text("text/html", "<p>").html, text("text/html", "<p>").text }, { "<p>", nil })
  local exact = { { name = "Content-Type", value = "text/plain" }, { name = "Content-Transfer-Encoding", value = "base64" } }
  t.same(text("text/plain", "a\r\nb", { headers = exact }).text, "a\r\nb")
end)

t.case("HTML is read where the plain text is blank, or only sends its reader to it", function()
  if not mime.read "Subject: x\r\n\r\n" then t.skip "no GMime" end
  local function shown(plain, html, more)
    local message = { text = plain, html = html }
    for key, value in pairs(more or {}) do message[key] = value end
    return { reading.body(message) }
  end
  local html = "<p>" .. ("all that there is to say "):rep(40) .. "</p>"
  t.same(shown("", html), { html, true })
  t.same(shown(" \n\t\r\n\u{a0}\u{200b}\n", html), { html, true })
  t.same(shown(nil, html), { html, true })
  t.same(shown("To see this message, use an HTML reader.", html), { html, true })
  t.same(shown("View it in your Browser: https://x.example/1", html), { html, true })
  t.same(shown("I like HTML.", "<p>I like HTML.</p>"), { "I like HTML." })
  t.same(shown("hi", html), { "hi" })
  t.same(shown(" ", nil), { " " })
  t.same(shown(nil, nil), { "" })
  t.same(shown("a \nb", html, { flowed = true, delsp = true }), { "ab" })
  local both = parts("alternative", leaf("text/plain", "\r\n"), leaf("text/plain", "words"), leaf("text/html", html))
  local message = assert(payload.read(both, no_fetch))
  t.same({ message.text, message.html, #message.attachments }, { "words", html, 0 })
end)

t.case("a text that is not in the answer is fetched, unless it is too long", function()
  if not mime.read "Subject: x\r\n\r\n" then t.skip "no GMime" end
  local function fetched(size, fetch) return leaf("text/plain", nil, { body = { attachmentId = "a", size = size } }), fetch end
  t.same(assert(payload.read(fetched(9, function(id) return id .. " text" end))).text, "a text")
  t.same(assert(payload.read(fetched(1 << 30, no_fetch))).attachments, { { type = "text/plain", size = 1 << 30 } })
  local _, err, code = payload.read(fetched(9, function() return nil, "gone", "not_found" end))
  t.same({ err, code }, { "gone", "not_found" })
end)

t.case("a payload that Gmail would not send is an error, or is left out", function()
  if not mime.read "Subject: x\r\n\r\n" then t.skip "no GMime" end
  local no_base64 = leaf("text/plain", nil, { body = { data = "%%" } })
  for _, wrong in ipairs { 7, "x", { mimeType = "multipart/mixed", parts = { 7 } }, no_base64 } do
    local got, err, code = payload.read(wrong, no_fetch)
    t.same({ got, code }, { nil, "bad_response" }, err)
  end
  for _, odd in ipairs {
    {}, { mimeType = 7, headers = "x", body = "y" }, { mimeType = "multipart/mixed", parts = "x" },
    { mimeType = "text/plain", headers = { 7, { name = 7 } }, body = { size = "many" } }, { headers = { { name = "Subject" } } },
  } do
    t.ok(payload.read(odd, no_fetch))
  end
  local deep = leaf("text/plain", "deep")
  for _ = 1, 200 do deep = parts("mixed", deep) end
  local wide = {}
  for i = 1, 3000 do wide[i] = leaf("image/png", nil, { filename = "a" }) end
  t.same({ assert(payload.read(deep, no_fetch)).cut, assert(payload.read(deep, no_fetch)).text }, { true})
  local got = assert(payload.read(parts("mixed", table.unpack(wide, 1, 150)), no_fetch))
  t.same({ #got.attachments, got.cut }, { 100, true })
  t.same(assert(payload.read({ mimeType = "multipart/mixed", parts = wide }, no_fetch)).cut, true)
end)

t.case("a message that was begun or sent is kept, and forgotten after a month", function()
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
