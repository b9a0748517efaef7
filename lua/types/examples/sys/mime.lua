local mime = require "sys.mime"

local ada, bob = { address = "ada@example.com", name = "Ada" }, { address = "bob@example.com" }

--- build
local bytes = assert(mime.build { from = { ada }, to = { bob }, subject = "Grüße 🙂", text = "Hello\n" })
print(bytes:match "Subject: [^\r]*")   --> Subject: =?UTF-8?B?R3LDvMOfZSDwn5mC?=
print(select(3, mime.build { to = { bob }, subject = "Hello\nBcc: eve@example.com" }))   --> bad_header

--- read
local picture = { name = "dot.png", type = "image/png", bytes = "\x89PNG" }
local sent = assert(mime.build {
  from = { ada }, to = { bob }, subject = "A picture", text = "See.", attachments = { picture },
})
local message = assert(mime.read(sent))
print(message.from[1].name, message.subject, message.text)                                        --> Ada	A picture	See.
print(message.attachments[1].name, message.attachments[1].type, message.attachments[1].size)   --> dot.png	image/png	4
