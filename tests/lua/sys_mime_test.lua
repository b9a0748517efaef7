#!/usr/bin/env tests/lua/run
--- sys.mime: messages of other programs, and messages that cannot be built.
local mime = require "sys.mime"
local t    = require "check"

local function read(text, options) return assert(mime.read((text:gsub("\n", "\r\n")), options)) end

t.case("encoded words of many kinds, also adjacent ones with padding", function()
  local got = read [[
From: =?ISO-8859-1?Q?J=F6rg_M=FCller?= <joerg@example.com>
To: =?UTF-8?B?8J+YgA==?= =?UTF-8?B?8J+YgA==?= <a@example.com>, "Last, First" <b@example.com>,
 Team: c@example.com, d@example.com;
Subject: =?utf-8?B?R3LDvMOfZQ==?=
 =?UTF-8?B?IPCfmYI=?= and =?koi8-r?B?zcnS?=

text
]]
  t.same(got.from, { { name = "Jörg Müller", address = "joerg@example.com" } })
  t.same(got.to, { { name = "😀😀", address = "a@example.com" }, { name = "Last, First", address = "b@example.com" },
    { address = "c@example.com" }, { address = "d@example.com" } })
  t.same(got.subject, "Grüße 🙂 and мир")
  t.same(got.text, "text\n")
end)

t.case("text of other charsets, and bytes that are none", function()
  t.same(read "Content-Type: text/plain; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\nGr=FC=DFe\n".text, "Grüße\n")
  t.same(mime.read("Content-Type: text/plain; charset=utf-8\r\n\r\nx\xffy").text, "x\u{FFFD}y")
  t.same(read "Content-Type: text/plain; charset=no-such\n\nabc".text, "abc")
end)

t.case("parts to read are told from attachments", function()
  local got = read([[
Content-Type: multipart/mixed; boundary=a

--a
Content-Type: multipart/alternative; boundary=b

--b
Content-Type: text/plain; format=flowed

plain
--b
Content-Type: text/html

<b>html</b>
--b--
--a
Content-Type: text/plain; name="notes.txt"
Content-Disposition: attachment

notes
--a
Content-Type: message/rfc822

Subject: inner

inside
--a--
]], { bytes = true })
  t.same({ got.text, got.html, got.flowed, got.cut }, { "plain", "<b>html</b>", true, false })
  t.same({ got.attachments[1].name, got.attachments[1].bytes, got.attachments[1].size }, { "notes.txt", "notes", 5 })
  t.same({ got.attachments[2].type, got.attachments[2].bytes:find "inside" ~= nil }, { "message/rfc822", true })
  t.same(read("Content-Type: image/png\n\nx").attachments[1].bytes, nil)
end)

t.case("depth and number of parts are limited, and that is marked", function()
  local deep = ""
  for i = 1, 60 do deep = deep .. ("Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n"):format(i, i) end
  t.same(read(deep .. "\nend\n").cut, true)
  t.same(read("Content-Type: multipart/mixed; boundary=b\n\n" .. ("--b\n\nx\n"):rep(3000)).cut, true)
end)

t.case("damaged messages are read as far as they go", function()
  for _, text in ipairs { "", "a", "no colon here\n\nb" } do t.same(select(3, mime.read(text)), "not_a_message") end
  t.same(read("\n\n\n").subject, nil)
  t.same(read("Subject: a\nno colon here\nTo: x@y\n\nb").subject, "a")
  t.same(read("Content-Type: multipart/mixed; boundary=x\n\nno such boundary\n").cut, false)
  t.same(read("Content-Transfer-Encoding: base64\n\n!!!!\n").cut, false)
  t.same(read("Subject: =?utf-8?B?!!!?= =?utf-8?B?=?= =?x\n\n").subject, " =?x")
end)

t.case("wrong arguments raise", function()
  t.raises(function() mime.build { to = "x" } end, "list expected")
  t.raises(function() mime.build { to = { {} } } end, "an address is missing")
  t.raises(function() mime.build { subjekt = "x" } end, "subjekt")
  t.raises(function() mime.build { to = { { address = "a@b", nick = "x" } } } end, "nick")
  t.raises(function() mime.read {} end, "string expected")
end)

t.done()
