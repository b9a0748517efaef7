--- Builds messages of many kinds, keeps their bytes as files, and sends them to an SMTP server: for smtp_test.py.
local fs   = require "sys.fs"
local mime = require "sys.mime"
local smtp = require "sys.smtp"
local task = require "sys.task"

local port, count = ...
port, count = tonumber(port), tonumber(count)

local TEXTS = {
  "Hello.\n", ".\n..\n.x\n", ("x"):rep(5000), "a\r\nb\rc\n", "שלום עולם\n", ("🙂"):rep(300) .. "\n", "no newline at the end",
  "trailing blanks  \n\t\n", "", ("long words "):rep(200) .. "\n", "From me\n>From you\n", "\n\n\n.\n\n",
}
local SUBJECTS = { "Plain", "Grüße 🙂", ("é"):rep(400), "  two  blanks ", "שלום", "=?no?=", "" }

local numbers = {}
for i = 1, count do numbers[i] = i end

task.map(numbers, function(i)
  local text = TEXTS[i % #TEXTS + 1]
  local message = {
    from = { { address = "me@example.com", name = "Zoë" } }, to = { { address = ("to%d@example.com"):format(i) } },
    subject = SUBJECTS[i % #SUBJECTS + 1], text = text, id = ("%d@example.com"):format(i), date = 1700000000 + i,
    html = i % 3 == 0 and "<p>" .. text .. "</p>" or nil,
    attachments = i % 5 == 0 and { { name = "Ü.bin", bytes = ("\0\r\n.\r\n\xff"):rep(i) } } or nil,
  }
  local bytes = assert(mime.build(message))
  assert(fs.write(("%d.eml"):format(i), bytes))
  assert(smtp.send { host = "127.0.0.1", port = port, tls = "plain", from = "me@example.com",
    recipients = { ("to%d@example.com"):format(i) }, message = bytes })
end, 8)
