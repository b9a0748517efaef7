--- The pages of this program that a browser shows.

local M = {}

local ENTITIES = { ["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ['"'] = "&quot;", ["'"] = "&#39;" }

local PAGE = [[
<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="referrer" content="no-referrer">
<title>%s</title>
<style>
  body { font: 17px/1.5 system-ui, sans-serif; max-width: 34em; margin: 16vh auto 0; padding: 0 1.5em;
         color: #1c1e21; background: #fafafa }
  h1 { font-size: 1.35em }
  p { color: #4a4f57 }
  pre { font: inherit; white-space: pre-wrap; overflow-wrap: anywhere }
  button { font: inherit; display: block; width: 100%%; margin: .5em 0; padding: .6em 1em; text-align: left;
           border: 1px solid #b8bec7; border-radius: .4em; background: #fff; color: inherit; cursor: pointer }
  button:focus, button:hover { border-color: #3367d6 }
  @media (prefers-color-scheme: dark) {
    body { color: #eceff4; background: #16181c } p { color: #aeb4bf } button { background: #23262b }
  }
</style>
%s
</html>
]]


--- Escapes text for HTML, even for a quoted attribute.
---@param text string
---@return string
function M.escape(text) return (text:gsub("[&<>\"']", ENTITIES)) end


---@param title string  text
---@param body string   HTML
---@return string html
function M.page(title, body) return PAGE:format(M.escape(title), body) end


--- Returns a page with one message.
---@param title string
---@param text string
---@return string html
function M.message(title, text)
  return M.page("Perigee: " .. title, ("<h1>%s</h1>\n<p>%s</p>"):format(M.escape(title), M.escape(text)))
end


return M
