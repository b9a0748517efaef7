--- The check of `perigee doctor` for mail. It sends nothing, asks no server, and renews no login.

local account  = require "mail.gmail.account"
local mime     = require "sys.mime"
local settings = require "mail.settings"

local M = {}

local LIBRARY = "On Debian: apt-get install libgmime-3.0-dev. With Homebrew: brew install gmime. Then run make again."
local PROBE = { to = { { address = "doctor@example.com" } }, text = "" }


local function gmail()
  local status, err, code = account.status()
  if not status then return { status = "warning", text = err, facts = { code = code }, next = "Correct or remove that file." } end
  if status == "no_client" then
    return { status = "skipped", text = "Gmail is not set up", facts = { way = "Gmail", login = "no_client" },
      next = "docs/mail.md says how to, if you want to send mail." }
  end
  if status == "no_login" then
    return { status = "skipped", text = "Gmail is set up, without a login yet", facts = { way = "Gmail", login = "no_login" },
      next = "Run `perigee login gmail`, if you want to send mail." }
  end
  return { status = "ok", text = "logged in to Gmail", facts = { way = "Gmail", login = "kept" } }
end


---@return table  as in doctor/program.lua
function M.look()
  local built, err, code = mime.build(PROBE)
  if not built then
    local why = code == "not_built" and "this build has no mail: GMime was not there when it was made" or err
    return { status = "warning", text = why, facts = { code = code }, next = LIBRARY }
  end
  local set
  set, err, code = settings.read()
  if not set then return { status = "warning", text = err, facts = { code = code }, next = "docs/mail.md has the variables." } end
  if set.transport.name == "Gmail" then return gmail() end
  return { status = "ok", text = "sends by " .. set.transport.name, facts = { way = set.transport.name } }
end


return M
