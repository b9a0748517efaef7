--- Chooses how mail is sent: by the Gmail API, by an SMTP server, or through Mail.app, as the environment says.

local address = require "mail.address"
local env     = require "sys.env"

local M = {}

---@class mail.Transport
---@field name string          its name in messages
---@field keeps_bcc boolean    true if it reads the header Bcc from the message and removes it
---@field domain string        the domain of message IDs, if no sender is named
---@field ready fun(call: Call, args: table, from?: sys.mime.Address): true?, string?, string?
---@field send fun(call: Call, parcel: mail.Parcel): string?, string?, string?, boolean?
---@field draft? fun(call: Call, parcel: mail.Parcel): string?, string?, string?
---@field thread? fun(call: Call, id: string): table?, string?, string?
---@field find? fun(call: Call, message_id: string): string?
---@field list? fun(call: Call, query?: string, count: integer): table?, string?, string?
---@field read? fun(call: Call, id: string): table?, string?, string?
---@field count? fun(call: Call): {messages: integer, unread: integer}?, string?, string?  of the inbox

---@class mail.Settings
---@field transport mail.Transport
---@field from? sys.mime.Address

---@param wanted? string  in place of PERIGEE_MAIL
---@return mail.Settings? settings
---@return string? err
---@return string? code  "bad_setting"
function M.read(wanted)
  local kind = wanted or env.get("PERIGEE_MAIL", "gmail")
  local from, err = address.list(env.get "PERIGEE_MAIL_FROM", "PERIGEE_MAIL_FROM")
  if not from then return nil, err, "bad_setting" end
  if #from > 1 then return nil, "PERIGEE_MAIL_FROM has several addresses. Set it to one", "bad_setting" end
  if kind == "gmail" then return { transport = require "mail.gmail.transport", from = from[1] } end
  if kind == "mail.app" then return { transport = require "mail.mail_app", from = from[1] } end
  if kind:find "^smtps?:" then
    local smtp = require "mail.smtp"
    local server, why, code = smtp.server(kind)
    if not server then return nil, why, code end
    return { transport = smtp.transport(server), from = from[1] }
  end
  return nil, ("PERIGEE_MAIL is %q. Set it to gmail, mail.app or the URL of an SMTP server, or leave it unset"):format(kind),
    "bad_setting"
end


return M
