--- The pages that the browser shows at the end of a login.

local html = require "html"

local M = {}


---@param host string  the host of the server
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


--- Returns the page for a request that belongs to no login in progress.
---@return string html
function M.stranger()
  return html.message("This login is not active", "The window may be an old one. Start the login again.")
end

return M
