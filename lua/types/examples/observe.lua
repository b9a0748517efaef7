local observe = require "observe"

--- module
local window = require "sys.window"
local seen <close> = observe { what = "windows" }
seen:on("window_moved", function(event) print("moved", event.title) end)
assert(seen:run(0))
