local process = require "sys.process"

--- run
local result = assert(process.run { "sort", input = "b\na\n", timeout = 5 })
print(result.code, (result.stdout:gsub("\n", " ")))   --> 0	a b

local nothing, err, code = process.run { "no-such-program" }
print(nothing, code)                                  --> nil	not_found

--- exists
print(process.exists "sh", process.exists "no-such-program")   --> true	false

--- start
local child <close> = assert(process.start { "cat" })
assert(child:write "one\n")
print(child:read_line(5))   --> one
child:close_input()
print(assert(child:wait(5)).code)   --> 0

--- Child:read_line
local child <close> = assert(process.start { "sh", "-c", "echo a; echo b" })
print(child:read_line(5), child:read_line(5))   --> a	b
print(select(3, child:read_line(5)))            --> closed

--- Child:kill
local child <close> = assert(process.start { "sleep", "60" })
child:kill()
print(assert(child:wait(5)).signal)   --> 15
