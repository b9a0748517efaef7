--- Clicks twice, as a double click.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "double_click",
  done     = "Double-clicked",
  takes    = pointer.BUTTON,
  sends    = { kind = "click", count = 2 },
  complete = pointer.complete,
}
