--- Shows values as text, as one would write them in Lua: `inspect(value)`, or `inspect(value, { depth = 2 })`. print, sys.log
--- and errors that are tables show tables in the same way.

local text = require "sys.text"


---@param value any
---@param options? sys.text.InspectOptions
---@return string
return function(value, options) return text.inspect(value, options) end
