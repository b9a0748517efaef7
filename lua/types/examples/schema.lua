local json   = require "sys.json"
local schema = require "schema"

--- string
local input = schema.object { { "title", schema.string("The window's title.", { maxLength = 10 }) } }
print(json.check(input, { title = "notes" }), (json.check(input, { title = 5 })))   --> true	false

--- integer
print((json.check(schema.integer("How many.", { minimum = 1 }), 0)))   --> false

--- number
print((json.check(schema.number "Seconds.", 0.5)))   --> true

--- boolean
print((json.check(schema.boolean "Is it shown?", "yes")))   --> false

--- enum
print((json.check(schema.enum({ "left", "right" }, "Where."), "left")))   --> true

--- array
print((json.check(schema.array(schema.integer(), "Numbers."), { 1, 2, "three" })))   --> false

--- map
print((json.check(schema.map "Values by their names.", { a = 1 })))   --> true

--- object
local input = schema.object {
  { "title", schema.string "The window's title." },
  { "count", schema.integer("How many.", { minimum = 1, default = 3 }) },
  { "side",  schema.enum({ "left", "right" }, "Where.", { optional = true }) },
}
print(json.check(input, { title = "notes" }))              --> true
print((json.check(input, { title = "notes", side = "up" })))   --> false

--- any
print((json.check(schema.any "Whatever it is.", { 1, "two" })))   --> true

--- also_called
print(schema.also_called("name", schema.string "The window.")["x-also-called"])   --> name

--- other_names
local input = schema.object { { "window", schema.also_called("name", schema.string "The window.") } }
print(schema.other_names(input).name)   --> window

--- arguments
print(schema.arguments { { "subject", "What it is about.", optional = true } }[1].required)   --> false
