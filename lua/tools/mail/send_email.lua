--- Send mail.

local s    = require "schema"
local send = require "mail.send"


---@param args mail.Args
---@param call Call
local function run(args, call)
  local outcome, err, code = send.run(args, call)
  if not outcome then return nil, "ERROR: " .. err, code end
  local line = ("%s: to=%s, id=%s"):format(args.draft and "DRAFT_SAVED" or "EMAIL_SENT", outcome.to, outcome.id)
  local note = outcome.note
  if outcome.again then note = ("this message was sent at %s already; nothing was sent now"):format(outcome.again) end
  if not note then return line end
  return call:result { content = { call:text(line), call:text("NOTE: " .. note) } }
end


local SENT = { ["mail.send.run"] = { id = "18c1", to = "ada@example.com" } }
local ARGS = { to = "ada@example.com", subject = "Hello", body = "Hi." }

---@type Tool
return {
  title       = "Send an email",
  description = "Send an email from the user's account, with an optional HTML version and files. The user is asked to approve "
             .. "each one. Calling again after a failure does not send it twice.",
  inputSchema = s.object {
    { "to", s.string("Recipients: ada@example.com, or Ada <ada@example.com>; several with commas.", { minLength = 1,
      maxLength = 20000 }) },
    { "subject", s.string("One line.", { maxLength = 2000 }) },
    { "body", s.string("Plain text.", { maxLength = 5000000 }) },
    { "body_html", s.string("The same as HTML, for mail programs that show it.", { optional = true, maxLength = 5000000 }) },
    { "cc", s.rare(s.string("More recipients.", { optional = true, maxLength = 20000 })) },
    { "bcc", s.rare(s.string("Recipients that the others do not see.", { optional = true, maxLength = 20000 })) },
    { "reply_to", s.rare(s.string("Where answers go, if not to the sender.", { optional = true, maxLength = 2000 })) },
    { "attachments", s.rare(s.array(s.string(nil, { minLength = 1, maxLength = 4096 }),
      "Paths of files in the granted directories, at most 25 MB together.", { optional = true, maxItems = 100 })) },
    { "reply_to_id", s.rare(s.string("The message that this one answers: id of list_emails, or for SMTP its message ID.",
      { optional = true, minLength = 1, maxLength = 200 })) },
    { "draft", s.rare(s.boolean("Set to true to save a draft instead of sending (Gmail only).", { optional = true })) },
    { "format", s.rare(s.enum({ "plain", "flowed" }, "flowed: readers may re-wrap long lines (default: plain).",
      { optional = true })) },
    { "idempotency_key", s.rare(s.string("Names this message: one key is sent once. Default: its content, for 10 minutes.",
      { optional = true, minLength = 1, maxLength = 200 })) },
  },
  about       = { "nothing", attachments = "path" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = true },
  listed      = false,
  timeout     = 600,
  says_error  = true,
  codes       = {
    no_client        = "Gmail is not set up: credentials.json is missing",
    login_required   = "the user has to log in to Gmail, and the client cannot show the page",
    login_declined   = "the user did not log in",
    missing_scope    = "the user logged in without giving the permission",
    bad_address      = "something in to, cc, bcc or reply_to is not an address",
    bad_header       = "a field has control characters, such as line breaks, or is too long",
    maybe_sent       = "the answer got lost: the message may have been sent, and is not sent again",
    key_reused       = "idempotency_key was used for another message",
    rate_limited     = "the server's limit is reached; nothing was sent",
    not_built        = "the program was built without GMime",
    bad_setting      = "PERIGEE_MAIL or what belongs to it is wrong",
  },

  run = run,

  examples = {
    { "sends a message", args = ARGS, given = SENT, want = "EMAIL_SENT: to=ada@example.com, id=18c1" },
    { "does not send it twice", args = ARGS,
      given = { ["mail.send.run"] = { id = "18c1", to = "ada@example.com", again = "2026-11-26T10:00:00.000Z" } },
      has = { "EMAIL_SENT: to=ada@example.com, id=18c1", "nothing was sent now" } },
    { "saves a draft", args = { to = "ada@example.com", subject = "Hello", body = "Hi.", draft = true }, given = SENT,
      want = "DRAFT_SAVED: to=ada@example.com, id=18c1" },
    { "says what is wrong", args = { to = "ada", subject = "Hello", body = "Hi." },
      given = { ["mail.send.run"] = { n = 3, false, 'to: "ada" is not an email address. Pass one like ada@example.com',
        "bad_address" } },
      err = 'ERROR: to: "ada" is not an email address. Pass one like ada@example.com', code = "bad_address" },
  },
}
