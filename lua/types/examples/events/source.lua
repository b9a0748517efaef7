local window = require "sys.window"

--- Source:next
local source = assert(window.events { what = "moved" })
print(select(3, source:next(0)))   --> timeout
source:close()

--- Source:dropped
local source = assert(window.events { capacity = 2 })
print(source:dropped())   --> 0
source:close()
