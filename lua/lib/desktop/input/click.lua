--- Presses a button and releases it, once or `count` times.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "click",
  done     = "Clicked",
  takes    = { "count", "duration", table.unpack(pointer.BUTTON) },
  sends    = { kind = "click" },
  complete = pointer.complete,
}
