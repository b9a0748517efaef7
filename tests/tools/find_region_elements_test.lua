--- Cases of find_region_elements beside the examples in its file.

local ui = require "testing.interface"

local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "button", "Undo" }, { 1, "checkbox", "Wrap" } }


---@type ToolExample[]
return {
  { "the next page",
    given = ui.stubs(FORM), args = { x = 0, y = 0, width = 900, height = 900, page_size = 2, page_token = "2:e2" },
    has   = { "Found 4 elements in the region:" }, want = { total_size = 4, elements = { { ref = "e3" }, { ref = "e4" } } } },
  { "an empty cell, which no list has",
    given = ui.stubs { { 0, "window", "Sheet" }, { 1, "table", "", bounds = { x = 95, y = 150, width = 300, height = 200 } },
              { 2, "cell", "B2" } },
    args  = { x = 120, y = 200, width = 1, height = 1 },
    has   = { 'Found 1 element in the region:\ne3 cell "B2", in window "Sheet"' },
    want  = { total_size = 1, elements = { { ref = "e3", role = "cell", name = "B2" } } } },
  { "a button whose text is an element in it",
    given = ui.stubs { { 0, "window", "Notes" }, { 1, "button", "Save" },
              { 2, "label", "Save", bounds = { x = 110, y = 165, width = 40, height = 14 } } },
    args  = { x = 120, y = 170, width = 1, height = 1 },
    want  = { total_size = 1, elements = { { role = "button", name = "Save" } } } },
  { "a container is none, if nothing in it is there",
    given = ui.stubs { { 0, "window", "Notes" }, { 1, "group", "Tools" }, { 2, "button", "Save" } },
    args  = { x = 101, y = 161, width = 1, height = 1 }, has = { "Found 0 elements in the region." }, want = { total_size = 0 } },
  { "a region that no element holds is over all that it touches",
    given = ui.stubs(FORM), args = { x = 120, y = 180, width = 2, height = 14 }, want = { total_size = 2 } },
}
