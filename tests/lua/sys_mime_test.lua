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

t.case("encoded words that cut a character between them are joined before they are decoded", function()
  local words = {
    ["=?UTF-8?B?4oKs4g==?=\n =?UTF-8?B?gqw=?="] = "€€", ["=?UTF-8?Q?=E2=82?= =?utf-8?q?=AC?="] = "€",
    ["=?UTF-8?B?4oKs4g==?= =?UTF-8?Q?=82=AC?="] = "€€", ["=?UTF-8?B?4g==?= =?UTF-8?B?gg==?= =?UTF-8?B?rCE=?="] = "€!",
    ["=?ISO-2022-JP?B?GyRCRnw=?= =?ISO-2022-JP?B?S1wbKEI=?="] = "日本",
    ["a =?UTF-8?B?4oKs?= b =?UTF-8?B?4oKs?="] = "a € b €", ["=?UTF-8?B?4oKs?= =?ISO-8859-1?B?6Q==?="] = "€é",
  }
  for raw, want in pairs(words) do
    local got = read(("Subject: %s\nFrom: %s <a@example.com>\n\nx\n"):format(raw, raw))
    t.same({ got.subject, got.from[1].name }, { want, want }, raw)
  end
end)

t.case("names of attachments in every way of writing them", function()
  local function name(disposition, kind)
    return read(("Content-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: %s\nContent-Disposition: %s\n\nhi\n--a--\n")
      :format(kind or "image/png", disposition)).attachments[1].name
  end
  for written, want in pairs {
    ["filename*=UTF-8''%E2%82%AC.png"] = "€.png", ["filename*=ISO-8859-1'de'%FCber.png"] = "über.png",
    ["filename*0*=UTF-8''%E2%82; filename*1*=%AC; filename*2=.png"] = "€.png",
    [ [[filename="EUR.png"; filename*=UTF-8''%E2%82%AC.png]] ] = "€.png",
    [ [[filename*=UTF-8''%E2%82%AC.png; filename="EUR.png"]] ] = "€.png",
    ['filename="=?UTF-8?B?4oKs4g==?=\n =?UTF-8?B?gqwucG5n?="'] = "€€.png",
    ['filename="a b.png"'] = "a b.png", ['filename="\xe9t\xe9.png"'] = "été.png", ['filename="%41.png"'] = "%41.png",
  } do
    t.same(name("attachment; " .. written), want, written)
    t.same(name("attachment", "image/png; " .. written:gsub("filename", "name")), want, written)
  end
end)

t.case("a blank part is no text if another follows, and DelSp is told", function()
  local function parts(...)
    local text = "Content-Type: multipart/mixed; boundary=a\n\n"
    for _, part in ipairs { ... } do text = text .. "--a\n" .. part .. "\n" end
    return read(text .. "--a--\n")
  end
  local got = parts("Content-Type: text/plain\n\n \n", "Content-Type: text/plain; format=flowed; DelSp=YES\n\nfir \nst",
    "Content-Type: text/plain\n\nsecond")
  t.same({ got.text, got.flowed, got.delsp, #got.attachments }, { "fir \nst", true, true, 1 })
  t.same(parts("Content-Type: text/plain; delsp=yes\n\nx").delsp, nil)
  t.same(parts("Content-Type: text/plain\n\n\n").text:match "%S", nil)
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
