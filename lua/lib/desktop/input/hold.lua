--- Presses a key combination and releases it after `duration`.

---@type input.Action
return { name = "hold", done = "Held", takes = { "keys", "duration" }, needs = { "keys", "duration" }, sends = { kind = "keys" } }
