--- Count the mail in the inbox.

local inbox = require "common.inbox"
local s     = require "schema"


---@type Tool
return {
  title        = "Count the inbox",
  description  = "Get how many messages the user's inbox has, and how many of them are unread. On a Mac of all accounts of "
               .. "Mail, elsewhere of the Gmail account that list_emails reads. To see them, call list_emails.",
  inputSchema  = s.object {},
  outputSchema = s.object {
    { "messages", s.integer "Messages in the inbox." },
    { "unread", s.integer "Those of them that are unread." },
  },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = true },
  timeout      = 120,
  common       = "com.apple.mail",
  codes        = {
    cannot_read    = "the account only sends mail",
    login_required = "the user has to log in to Gmail, and the client cannot show the page",
    BAD_ANSWER     = "on a Mac: the answer of Mail cannot be read",
    PERMISSION_DENIED_AUTOMATION = "on a Mac: Perigee may not control Mail; the message says where to allow it",
  },

  about = { "nothing" },
  run = function(_, call) return inbox.count(call) end,

  examples = {
    { "asks Mail on a Mac",
      given = { ["common.system.is_mac"] = true, ["sys.osascript.run"] = "120\n3" },
      args  = {},
      want  = { messages = 120, unread = 3 } },

    { "and the account of list_emails elsewhere",
      given = { ["common.system.is_mac"] = false, ["mail.reading.count"] = { messages = 7, unread = 0 } },
      args  = {},
      want  = { messages = 7, unread = 0 } },

    { "passes on why it cannot",
      given = { ["common.system.is_mac"] = false,
                ["mail.reading.count"] = { n = 3, false, "smtp.example only sends mail. Unset PERIGEE_MAIL to use Gmail",
                                           "cannot_read" } },
      args  = {},
      err   = "only sends mail", code = "cannot_read" },
  },
}
