--- Pastes text through the clipboard.

---@type input.Action
return { name = "paste", done = "Pasted", takes = { "text", "secret" }, needs = { "text" }, sends = { kind = "paste" } }
