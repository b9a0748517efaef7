--- Values in a few words, for a line of a trace: nothing long, and no secret.

local inspect = require "inspect"
local text    = require "terminal.text"
local trace   = require "sys.trace"

local M = {}

local OPTIONS = { depth = 3, items = 6, bytes = 80, width = 0x7FFFFFFF, hide = trace.is_secret }
local WIDTH = 100   -- characters of all values of a call
local HIDDEN = "***"


---@param ... any
---@return string  "1, nil, { a = 2 }"
function M.values(...)
  local words = {}
  for i = 1, select("#", ...) do words[i] = inspect((select(i, ...)), OPTIONS) end
  return text.cut(text.clean(table.concat(words, ", ")), WIDTH)
end


--- The arguments of a call, as M.values(); those that are secrets are hidden.
---@param name string  of the function
---@param ... any
---@return string
function M.arguments(name, ...)
  if name == "sys.secrets.hide" then return HIDDEN end
  if name == "sys.secrets.write" then return M.values((...)) .. ", " .. HIDDEN end
  return M.values(...)
end


--- Is what it returns a secret?
local function is_secret(name, arguments)
  return name:find "^sys%.secrets%." ~= nil or name == "sys.env.get" and trace.is_secret(arguments)
end


--- The results of a call, as M.values(); those that may be secrets are hidden.
---@param name string       of the function: "sys.env.get"
---@param arguments string  as M.arguments() has them
---@param ... any
---@return string
function M.results(name, arguments, ...)
  if select("#", ...) > 0 and is_secret(name, arguments) then return HIDDEN end
  return M.values(...)
end


return M
