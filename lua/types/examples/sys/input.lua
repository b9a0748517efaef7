local input = require "sys.input"

--- send
print(assert(input.send { kind = "click", x = 400, y = 300 }).sent > 0)   --> true

local outcome, err, code = input.send { kind = "click", x = -5000, y = 0 }
print(outcome, code)                                                      --> nil	bad_point

--- click
assert(input.click(400, 300, { count = 2 }))                       -- a double click
assert(input.click(400, 300, { button = "left", modifiers = { "shift" } }))
assert(input.click())                                              -- where the pointer is

--- move
local outcome = assert(input.move(500, 350))
print(outcome.pointer.x, outcome.pointer.y)   --> 500	350

--- press
assert(input.press(400, 300))
assert(input.move(420, 320))
assert(input.release(420, 320))

--- release
assert(input.press(400, 300))
assert(input.release(400, 300))

--- drag
assert(input.drag({ { x = 300, y = 300 }, { x = 350, y = 320 }, { x = 400, y = 400 } }, { duration = 0.1 }))

--- drop
assert(input.drop(400, 300, "file:///tmp/a%20b.txt\r\n", { action = "copy" }))   -- the window there took the file

--- scroll
assert(input.scroll(0, 3, { x = 400, y = 300 }))   -- three notches down

--- keys
assert(input.keys "ctrl+a")
assert(input.keys("Right", { count = 3 }))
print(select(3, input.keys "ctrl+nokey"))   --> unknown_key

--- type
local outcome = assert(input.type "Grüße, 世界")
print(outcome.characters)   --> 9

--- paste
print(assert(input.paste "a long text").clipboard ~= nil)   --> true

--- release_all
assert(input.key_down "shift")
assert(input.release_all())

--- settle
print(input.settle(1) ~= nil)   --> true

--- stopped
print(input.stopped())   --> false
