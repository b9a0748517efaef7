local json = require "sys.json"

--- decode
print(json.decode '{"a": [1, 2.5, null]}')   --> { a = { 1, 2.5, ... } }
print(select(3, json.decode "{a: 1}"))       --> json_syntax

--- encode
print(json.encode { b = { 1, 2 }, a = json.null })   --> {"a":null,"b":[1,2]}
print(json.encode({ a = 1 }, { pretty = true }))     --> {
--> "a": 1
--> }

--- array
print(json.encode {}, json.encode(json.array {}))   --> {}	[]

--- object
print(json.encode(json.object({ name = "Ada", age = 36 }, { "name", "age" })))   --> {"name":"Ada","age":36}

--- is_array
print(json.is_array { 1, 2 }, json.is_array { a = 1 })   --> true	false

--- check
print(json.check({ type = "object", required = { "name" } }, { name = "Ada" }))   --> true
print(select(2, json.check({ type = "integer" }, "x")))                           --> ...integer...
