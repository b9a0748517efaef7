--- Presses a key combination and releases it, once or `count` times.

---@type input.Action
return { name = "keys", done = "Pressed", takes = { "keys", "count" }, needs = { "keys" }, sends = { kind = "keys" } }
