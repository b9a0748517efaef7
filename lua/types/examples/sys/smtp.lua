local mime = require "sys.mime"
local smtp = require "sys.smtp"

--- send
local message = assert(mime.build { to = { { address = "ada@example.com" } }, subject = "Hello", text = "Hi.\n" })
print(select(3, smtp.send {
  host = "127.0.0.1", port = 1, tls = "plain", from = "bob@example.com", recipients = { "ada@example.com" },
  message = message,
}))   --> connection_refused	true
