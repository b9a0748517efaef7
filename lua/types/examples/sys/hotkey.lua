local hotkey = require "sys.hotkey"

--- bind
local handle = assert(hotkey.bind("ctrl+alt+t", function() print "pressed" end))
print(handle:runs())                         --> true
handle:stop()

print(select(3, hotkey.bind("ctrl+nokey", print)))   --> unknown_key
