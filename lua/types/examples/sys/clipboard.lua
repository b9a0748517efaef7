local clipboard = require "sys.clipboard"

--- write
assert(clipboard.write { ["text/plain"] = "Hello", ["text/html"] = "<b>Hello</b>" })
print(assert(clipboard.read()).parts["text/html"])   --> <b>Hello</b>

--- read
assert(clipboard.write { ["text/plain"] = "Hello" })
local clip = assert(clipboard.read { types = { "text/plain" } })
print(clip.parts["text/plain"])   --> Hello

--- clear
assert(clipboard.clear())
print(next(assert(clipboard.read()).parts))   --> nil

--- changes
local mark = assert(clipboard.changes()).next
assert(clipboard.write { ["text/plain"] = "Hello" })                  -- a copy of your own does not count
print(assert(clipboard.changes { since = mark }).changed)             --> false

--- history
assert(clipboard.keep_history { entries = 10 })
assert(clipboard.write { ["text/plain"] = "first" })
assert(clipboard.write { ["text/plain"] = "second" })
for _, entry in ipairs(assert(clipboard.history())) do
  print(entry.parts["text/plain"])   --> second
end
--> first
assert(clipboard.keep_history { entries = 0 })   -- and forget

--- events
local copies = assert(clipboard.events())
assert(clipboard.write { ["text/plain"] = "copied" })
print(assert(copies:next(5)).what)   --> changed
copies:close()
