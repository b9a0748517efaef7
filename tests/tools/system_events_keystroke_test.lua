local SENT = { pointer = { x = 5, y = 5 }, sent = 4, characters = 0, settled = true, route = "xtest" }

---@type ToolExample[]
return {
  { "a blank is the key of that name",
    given = { ["sys.input.send"] = SENT }, args = { text = " ", using = { "control" } },
    did   = { 'input.send chord=ctrl+space' } },
  { "all modifiers by the names of System Events",
    given = { ["sys.input.send"] = SENT }, args = { text = "F5", using = { "command", "control", "option", "shift" } },
    did   = { "input.send chord=cmd+ctrl+alt+shift+F5" } },
  { "a modifier that does not exist", args = { text = "a", using = { "fn" } }, err = "using" },
}
