local hotkey = require "sys.hotkey"

--- bind
local handle = assert(hotkey.bind("ctrl+alt+t", function() print "pressed" end))
print(handle:runs())                         --> true
handle:stop()

print(select(3, hotkey.bind("ctrl+nokey", print)))   --> unknown_key

--- mode
local mode = hotkey.mode({
  h      = function() print "left" end,
  escape = function(current) current:exit() end,
}, { entered = function() print "h or Escape" end })
assert(mode:enter())                         --> h or Escape
mode:exit()

--- Mode:enter
local bound = hotkey.mode { f9 = print }
print(assert(bound:enter()))                 --> true
bound:exit()

--- Mode:exit
local sizes = hotkey.mode({ f10 = print }, { exited = function() print "over" end })
assert(sizes:enter())
sizes:exit()                                 --> over

--- Mode:is_on
print(hotkey.mode { f9 = print }:is_on())    --> false
