local display = require "sys.display"

--- list
for _, each in ipairs(assert(display.list())) do
  print(each.name, each.bounds.width, each.scale, each.main)   --> fake-1	1920	1	true
end
--> fake-2	1280	2	false

--- of
local front = assert(require "sys.window".list())[1]
print(assert(display.of(front.frame)).name)   --> fake-1

--- cursor
require "sys.input".move(300, 200)
print(display.cursor())   --> 300	200

--- events
local handle = assert(display.events(function(event)
  print(#event.displays, "displays,", #event.added, "of them new")
end))
print(handle:runs())   --> true
handle:stop()
