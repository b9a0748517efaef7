--- Clicks three times, which selects a line or a paragraph.

local pointer = require "desktop.input.pointer"

---@type input.Action
return {
  name     = "triple_click",
  done     = "Triple-clicked",
  takes    = pointer.BUTTON,
  sends    = { kind = "click", count = 3 },
  complete = pointer.complete,
}
