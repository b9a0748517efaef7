--- What the browser shows at the end of a login.

local M = {}

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

local PAGE = [[
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Perigee: %s</title>
<style>
  body { font: 17px/1.5 system-ui, sans-serif; max-width: 34em; margin: 18vh auto 0; padding: 0 1.5em;
         color: #1c1e21; background: #fafafa }
  h1 { font-size: 1.35em }
  p { color: #4a4f57 }
  @media (prefers-color-scheme: dark) { body { color: #eceff4; background: #16181c } p { color: #aeb4bf } }
</style>
<h1>%s</h1>
<p>%s</p>
</html>
]]


local function escape(text)
  return (text:gsub("[&<>\"']", ENTITIES))
end


--- (the gsub of a template would read % in texts)
local function page(title, text)
  return PAGE:format(escape(title), escape(title), escape(text))
end


---@param host string  of the server
---@return string html
function M.done(host)
  return page("You are logged in", ("Perigee may now use %s. You can close this window."):format(host))
end


---@param why string
---@return string html
function M.failed(why)
  return page("The login failed", why .. ". You can close this window; the program that started the login also shows this.")
end


--- A request that belongs to no login that is going on.
---@return string html
function M.stranger()
  return page("This login is not active", "The window may be an old one. Start the login again.")
end

return M
