--- Clicks with the middle button.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "middle_click",
  done     = "Middle-clicked",
  takes    = { "x", "y", "image_id", "modifiers" },
  sends    = { kind = "click", button = "middle" },
  complete = pointer.complete,
}
