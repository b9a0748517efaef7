--- Releases a button that press holds down.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "release",
  done     = "Released the button",
  takes    = pointer.BUTTON,
  sends    = { kind = "release" },
  complete = pointer.complete,
}
