--- Does the work of `perigee login gmail` and `perigee logout gmail`.

local account = require "mail.gmail.account"

local M = {}

local SCOPES = { send = account.SEND, drafts = account.COMPOSE, read = account.READ, smtp = account.SMTP }


--- Returns Google's names for "send read". A word that is not one of ours is taken as such a name.
local function scopes_of(text)
  local list = {}
  for word in (text or "send"):gmatch "[^%s,]+" do list[#list + 1] = SCOPES[word] or word end
  return table.concat(list, " ")
end


---@param args {scope?: string, no_browser?: boolean}
---@param io perigee.IO
---@return true? ok
---@return string? err
---@return string? code
function M.login(args, io)
  return account.login { scopes = scopes_of(args.scope), no_browser = args.no_browser, print = function(line) io:print(line) end }
end


---@param io perigee.IO
---@return true? ok
---@return string? err
---@return string? code
function M.logout(io)
  local ok, err, code = account.logout()
  if not ok then return nil, err, code end
  io:print "Logged out of Gmail."
  return true
end


return M
