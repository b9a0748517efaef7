--- Shows values in a few words, for a line of a trace: nothing long, and no secret.

local inspect = require "inspect"
local text    = require "terminal.text"
local trace   = require "sys.trace"

local M = {}

local OPTIONS = { depth = 3, items = 6, bytes = 80, width = 0x7FFFFFFF, hide = trace.is_secret }
local WIDTH = 100   -- the limit for all values of a call, in characters
local HIDDEN = "***"


---@param ... any
---@return string  "1, nil, { a = 2 }"
function M.values(...)
  local words = {}
  for i = 1, select("#", ...) do words[i] = inspect((select(i, ...)), OPTIONS) end
  return text.cut(text.clean(table.concat(words, ", ")), WIDTH)
end


--- Shows the arguments of a call like M.values(). Secrets are hidden.
---@param name string  the name of the function
---@param ... any
---@return string
function M.arguments(name, ...)
  if name == "sys.secrets.hide" then return HIDDEN end
  if name == "sys.secrets.write" then return M.values((...)) .. ", " .. HIDDEN end
  return M.values(...)
end


--- True if the function returns a secret.
local function is_secret(name, arguments)
  return name:find "^sys%.secrets%." ~= nil or name == "sys.env.get" and trace.is_secret(arguments)
end


--- Shows the results of a call like M.values(). Values that may be secrets are hidden.
---@param name string       the name of the function: "sys.env.get"
---@param arguments string  as M.arguments() returns them
---@param ... any
---@return string
function M.results(name, arguments, ...)
  if select("#", ...) > 0 and is_secret(name, arguments) then return HIDDEN end
  return M.values(...)
end


return M
