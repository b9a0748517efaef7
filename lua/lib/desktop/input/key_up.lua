--- Releases keys that key_down holds down.

---@type input.Action
return { name = "key_up", done = "Released", takes = { "keys" }, needs = { "keys" }, sends = { kind = "key_up" } }
