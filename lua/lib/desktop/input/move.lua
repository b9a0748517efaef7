--- Moves the pointer.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "move",
  done     = "Moved to",
  takes    = { "x", "y", "image_id", "duration" },
  needs    = { "x", "y" },
  sends    = { kind = "move" },
  complete = pointer.complete,
}
