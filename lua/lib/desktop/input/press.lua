--- Presses a button and holds it down until release.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "press",
  done     = "Pressed the button",
  takes    = pointer.BUTTON,
  sends    = { kind = "press" },
  complete = pointer.complete,
}
