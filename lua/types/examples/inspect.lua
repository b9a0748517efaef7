local inspect = require "inspect"

--- module
print(inspect { name = "Ada", list = { 1, 2 } })         --> { list = { 1, 2 }, name = "Ada" }
print(inspect({ { { 1 } } }, { depth = 1 }))             --> { ... }
