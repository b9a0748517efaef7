--- Sends through Mail.app (PERIGEE_MAIL=mail.app), from the account that Mail uses. None of this has run on a Mac.
--
-- Mail's scripts support plain text, recipients and files. "Sent" means that Mail put the message into its outbox.

local address   = require "mail.address"
local effect    = require "sys.effect"
local env       = require "sys.env"
local fs        = require "sys.fs"
local osascript = require "sys.osascript"
local process   = require "sys.process"

local M = {}

M.name = "Mail.app"
M.keeps_bcc = true
M.domain = "localhost"

local SECONDS = 75                  -- a little longer than the script's own limit
local MOST = 200 * 1024             -- bytes of the text: it is passed as an argument
local TERMS = "com.apple.mail"

-- Codes of failures before Mail was asked to send.
local NOT_SENT = { no_osascript = true, app_not_found = true, app_launch_failed = true, permission_denied_automation = true,
  script_invalid = true, bad_argument = true, not_found = true, permission_prompt_needed = true, unsupported_command = true }

local NOT_TAKEN = 9101

local function fail(code, text, ...) return nil, text:format(...), code end


---@param args mail.Args
function M.ready(_, args)
  if not process.exists(env.get("PERIGEE_OSASCRIPT", "osascript")) then
    return fail("no_osascript", "Mail.app sends on a Mac only: there is no osascript here. Set PERIGEE_MAIL to gmail or to the "
      .. "URL of an SMTP server")
  end
  if args.body_html then
    return fail("no_html", "Mail.app sends plain text only. Leave body_html out, or set PERIGEE_MAIL to another way")
  end
  if args.reply_to then
    return fail("no_reply_to", "Mail.app has no address for answers. Leave reply_to out, or set PERIGEE_MAIL to another way")
  end
  if args.format == "flowed" then return fail("no_format", "Mail.app decides the format itself. Leave format out") end
  if #args.body > MOST then return fail("too_large", "the text has %d bytes (Mail.app: %d)", #args.body, MOST) end
  return true
end


--- Returns the script's arguments. The paths are those that were read: granted, and absolute.
local function arguments(parcel, paths)
  local message = parcel.message
  local list = { message.subject, message.text, message.from and address.full(message.from) or "" }
  for _, field in ipairs { "to", "cc", "bcc" } do
    for _, each in ipairs(message[field] or {}) do
      table.move({ field, each.address, each.name or "" }, 1, 3, #list + 1, list)
    end
  end
  for _, path in ipairs(paths) do table.move({ "file", path, "" }, 1, 3, #list + 1, list) end
  return list
end


local function resolved(given)
  local paths = {}
  for i, each in ipairs(given or {}) do
    local real, err, code = fs.resolve(each)
    if not real then return nil, err, code end
    paths[i] = real
  end
  return paths
end


---@param parcel mail.Parcel
---@return string? id
---@return string? err
---@return string? code
---@return boolean? certain
function M.send(_, parcel)
  local paths, err, code = resolved(parcel.attachments)
  if not paths then return nil, err, code, true end
  local passes
  passes, err, code = effect.mail { recipients = parcel.recipients, message = parcel.bytes, attachments = parcel.attachments }
  if passes then passes, err, code = parcel.begin() end
  if not passes then return nil, err, code, true end
  local output, number
  output, err, code, number = osascript.run { file = "mail/send_message.applescript", args = arguments(parcel, paths),
    terms = TERMS, timeout = SECONDS }
  if output then return output end
  if number == NOT_TAKEN then return nil, "Mail.app did not take the message. Look at its accounts", "refused", true end
  return nil, "Mail.app: " .. err, code, NOT_SENT[code] == true
end


return M
