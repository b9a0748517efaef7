--- Show a notification to the user.

local common       = require "common.told"
local notification = require "common.notification"
local s            = require "schema"


---@param args {title: string, body?: string}
---@param call Call
local function run(args, call)
  local shown, err, code = notification.show(args.title, args.body)
  if not shown then return nil, err, code end
  return common.told(call, "The desktop accepted the notification. Do not disturb, if it is on, may hide it.", shown, shown.note)
end


---@type Tool
return {
  title        = "Show a notification",
  description  = "Show a notification of the desktop to the user, with a title and plain text. Returns when the notification "
              .. "service has accepted it. Whether the user sees it, the service decides. It has no buttons: to ask "
              .. "something, ask in your answer. Fails if no service runs.",
  inputSchema  = s.object {
    { "title", s.string("First line.", { minLength = 1, maxLength = 250 }) },
    { "body", s.string("Plain text below it.", { optional = true, maxLength = 2500 }) },
  },
  outputSchema = s.object {
    { "accepted", s.boolean "True: the service took it." },
    { "id", s.string "The service's name for it." },
    { "note", s.string("What the service does not show.", { optional = true }) },
  },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  timeout      = 90,
  common       = "com.apple.notificationcenterui",
  codes        = common.codes("BUSY", "FAILED", "INVALID_ARGUMENT", "NOT_ALLOWED", "NOT_SUPPORTED",
    "NO_NOTIFICATIONS", "TIMEOUT"),

  about = { "nothing" },
  run = run,

  examples = {
    { "says that it was accepted",
      given = { ["sys.notify.show"] = { id = "7", ignored = {} } },
      args  = { title = "Build", body = "All tests pass." },
      has   = { "The desktop accepted the notification." },
      want  = { accepted = true, id = "7" },
      did   = { "notify.show text=\"All tests pass.\" title=Build" } },

    { "says what the service leaves out",
      given = { ["sys.notify.show"] = { id = "7", ignored = { "text" } } },
      args  = { title = "Build", body = "All tests pass." },
      want  = { note = "The notification service of this desktop shows only the title, not the body" } },

    { "fails where nothing shows notifications",
      given = { ["sys.notify.show"] = { n = 3, false, "No program shows notifications here: it has no owner on the "
                  .. "D-Bus. Start a notification service in this session, for example dunst", "no_notifications" } },
      args  = { title = "Build" },
      err   = "No program shows notifications here", code = "NO_NOTIFICATIONS" },
  },
}
