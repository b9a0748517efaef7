---@meta sys.smtp

--- Sends messages to an SMTP server, by libcurl. Certificates are always verified, by those in the file SSL_CERT_FILE if the
--- environment names one.
---@class sys.smtp
local smtp = {}

---@class sys.smtp.Mail
---@field host string         a name, or an IP address (IPv6 in brackets)
---@field port integer        465 is usual for "tls", 587 for "starttls"
---@field tls "tls"|"starttls"|"plain"  TLS from the first byte; STARTTLS, which the server must offer; STARTTLS if it is offered,
---                                     only for a server on this machine
---@field user? string        default: no login
---@field password? string
---@field token? string       an OAuth access token in place of the password: XOAUTH2
---@field from string         the address that bounces go to
---@field recipients string[] addresses, at most 500: those of to, cc and bcc
---@field message string      the message of sys.mime.build(), without the header Bcc; at most 64 MiB
---@field attachments? string[]  the paths of the files in the message, which a question shows
---@field timeout? number     seconds for everything (default: 240, maximum: 3600)
---@field begin? fun(): true?, string?, string?  called before the first byte, when the policy and the user have allowed the
---                           message; if it returns nil, text, code, so does send(), and nothing is sent

--- Sends it, on another thread. If the server refuses one recipient, no recipient gets it. A cancelled call stops unless the
--- whole message was sent.
---@param mail sys.smtp.Mail
---@return true? ok        if the server accepted the message for all recipients
---@return string? err
---@return string? code    "dns", "connection_refused", "tls", "timeout", "login_failed", "refused", "unavailable" (the server
---                        says "not now"), "cut_off", "cancelled", "module_missing", "module_broken"
---@return boolean? certain  after a failure, true: nothing was sent; false: the whole message was sent, and the answer was lost
function smtp.send(mail) end


return smtp
