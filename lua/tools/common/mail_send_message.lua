--- Send mail by the user's mail program.

local s      = require "schema"
local send   = require "mail.send"
local system = require "common.system"


---@param args {to: string, subject: string, content: string, cc?: string, bcc?: string, attachments?: string[]}
---@param call Call
local function run(args, call)
  local message = { to = args.to, subject = args.subject, body = args.content, cc = args.cc, bcc = args.bcc,
    attachments = args.attachments, idempotency_key = args.idempotency_key }
  local outcome, err, code = send.run(message, call, system.is_mac() and "mail.app" or nil)
  if not outcome then return nil, err, code end
  local line = ("Sent to %s (%s)."):format(outcome.to, outcome.id)
  if outcome.again then
    line = ("This message was sent at %s already. Nothing was sent now (%s)."):format(outcome.again, outcome.id)
  end
  return outcome.note and line .. "\nNote: " .. outcome.note or line
end


---@type Tool
return {
  title       = "Send a message",
  description = "Send plain text by mail, on a Mac through Mail, elsewhere as send_email does. send_email also sends HTML. "
              .. "The user is asked to approve each one. Calling again after a failure does not send it twice.",
  inputSchema = s.object {
    { "to", s.string("Recipients: ada@example.com, or Ada <ada@example.com>; several with commas.", { minLength = 1,
      maxLength = 20000 }) },
    { "subject", s.string("One line.", { maxLength = 2000 }) },
    { "content", s.string("Plain text.", { maxLength = 200000 }) },
    { "cc", s.rare(s.string("More recipients.", { optional = true, maxLength = 20000 })) },
    { "bcc", s.rare(s.string("Recipients that the others do not see.", { optional = true, maxLength = 20000 })) },
    { "attachments", s.array(s.string(nil, { minLength = 1, maxLength = 4096 }), "Paths of files in the granted directories.",
      { optional = true, maxItems = 100 }) },
    { "idempotency_key", s.rare(s.string("Names this message: one key is sent once. Default: its content, for 10 minutes.",
      { optional = true, minLength = 1, maxLength = 200 })) },
  },
  about       = { "nothing", attachments = "path" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = true },
  timeout     = 600,
  common      = "com.apple.mail",
  codes       = {
    bad_address = "something in to, cc or bcc is not an address",
    bad_header  = "a field has control characters, such as line breaks, or is too long",
    maybe_sent  = "the answer got lost: the message may have been sent, and is not sent again",
    not_granted = "an attachment is outside the granted directories",
    refused     = "the mail program or the server did not take the message",
    permission_denied_automation = "on a Mac: Perigee may not control Mail; the message says where to allow it",
  },

  run = run,

  examples = {
    { "sends through Mail on a Mac",
      given = { ["common.system.is_mac"] = true, ["mail.send.run"] = { id = "41", to = "ada@example.com" } },
      args  = { to = "ada@example.com", subject = "Hello", content = "Hi." },
      want  = "Sent to ada@example.com (41).",
      did   = { "common.system.is_mac", "mail.send.run body=Hi. subject=Hello to=ada@example.com userdata mail.app" } },

    { "does not send it twice",
      given = { ["common.system.is_mac"] = false,
                ["mail.send.run"] = { id = "18c1", to = "ada@example.com", again = "2026-11-26T10:00:00.000Z" } },
      args  = { to = "ada@example.com", subject = "Hello", content = "Hi." },
      want  = "This message was sent at 2026-11-26T10:00:00.000Z already. Nothing was sent now (18c1)." },

    { "says what is wrong",
      given = { ["common.system.is_mac"] = false,
                ["mail.send.run"] = { n = 3, false, 'to: "ada" is not an email address. Pass one like ada@example.com',
                                      "bad_address" } },
      args  = { to = "ada", subject = "Hello", content = "Hi." },
      err   = '"ada" is not an email address', code = "bad_address" },
  },
}
