--- Cases of find_region_elements beside the examples in its file.

local ui = require "testing.interface"

local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "button", "Undo" }, { 1, "checkbox", "Wrap" } }


---@type ToolExample[]
return {
  { "the next page",
    given = ui.stubs(FORM), args = { x = 0, y = 0, width = 900, height = 900, page_size = 2, page_token = "2:e2" },
    has   = { "Found 4 elements in the region:" }, want = { total_size = 4, elements = { { ref = "e3" }, { ref = "e4" } } } },
}
