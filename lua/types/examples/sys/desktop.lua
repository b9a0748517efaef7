local desktop = require "sys.desktop"

--- held
print(desktop.held() == nil)   --> true

--- stopped
print(desktop.stopped() == nil)   --> true

--- hold
print(desktop.hold(function() return "nothing else clicks meanwhile" end))   --> nothing else clicks meanwhile
