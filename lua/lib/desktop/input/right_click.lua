--- Clicks with the right button, which opens a context menu.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "right_click",
  done     = "Right-clicked",
  takes    = { "x", "y", "image_id", "modifiers" },
  sends    = { kind = "click", button = "right" },
  complete = pointer.complete,
}
