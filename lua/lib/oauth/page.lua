--- What the browser shows at the end of a login.

local html = require "html"

local M = {}


---@param host string  of the server
---@return string html
function M.done(host)
  return html.message("You are logged in", ("Perigee may now use %s. You can close this window."):format(host))
end


---@param why string
---@return string html
function M.failed(why)
  return html.message("The login failed",
    why .. ". You can close this window; the program that started the login also shows this.")
end


--- A request that belongs to no login that is going on.
---@return string html
function M.stranger()
  return html.message("This login is not active", "The window may be an old one. Start the login again.")
end

return M
