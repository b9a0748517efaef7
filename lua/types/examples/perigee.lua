local perigee = require "perigee"

--- call
local listed = assert(perigee.call "list_windows")
print(#listed.windows > 0)                                  --> true

local result, err, code = perigee.call("no_such_tool", {})
print(result, code)                                         --> nil	unknown_tool
