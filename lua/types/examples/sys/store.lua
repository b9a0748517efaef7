local store = require "sys.store"

--- open
local layouts = store.open "layouts"
assert(layouts:set("work", { x = 0, width = 800 }))
print(layouts:get "work")   --> { width = 800, x = 0 }

--- Store:update
local counts = store.open "counts"
assert(counts:set("runs", nil))
print(counts:update("runs", function(old) return (old or 0) + 1 end))   --> 1

--- Store:keys
local colors = store.open "colors"
assert(colors:set("red", "#f00"))
print(colors:keys())   --> { "red" }
