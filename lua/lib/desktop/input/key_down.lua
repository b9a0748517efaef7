--- Presses keys and holds them down until key_up.

---@type input.Action
return { name = "key_down", done = "Holding down", takes = { "keys" }, needs = { "keys" }, sends = { kind = "key_down" } }
