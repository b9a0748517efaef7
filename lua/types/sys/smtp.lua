---@meta sys.smtp

--- A message to an SMTP server, by libcurl. Certificates are always verified, by those in the file SSL_CERT_FILE if the
--- environment names one.
---@class sys.smtp
local smtp = {}

---@class sys.smtp.Mail
---@field host string         a name, or an address (IPv6 in brackets)
---@field port integer        465 is usual for "tls", 587 for "starttls"
---@field tls "tls"|"starttls"|"plain"  TLS from the first byte; STARTTLS, which the server must offer; STARTTLS if it is offered:
---                                     only for a server on this machine
---@field user? string        default: no login
---@field password? string
---@field token? string       an OAuth access token in place of the password: XOAUTH2
---@field from string         the address that bounces go to
---@field recipients string[] addresses, at most 500: those of to, cc and bcc
---@field message string      what sys.mime.build() gives, without the header Bcc; at most 64 MiB
---@field timeout? number     seconds for everything (default: 240, maximum: 3600)

--- Sends it, on another thread. A server that refuses one recipient gets it for none. A call that is cancelled stops unless the
--- whole message was sent.
---@param mail sys.smtp.Mail
---@return true? ok        the server took the message for all recipients
---@return string? err
---@return string? code    "dns", "connection_refused", "tls", "timeout", "login_failed", "refused", "unavailable" (the server says:
---                        not now), "cut_off", "cancelled", "module_missing", "module_broken"
---@return boolean? certain  of a failure: nothing was sent. false: the whole message was sent, and the answer got lost
function smtp.send(mail) end


return smtp
