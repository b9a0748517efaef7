--- Cases of get_element beside the examples in its file.

local ui = require "testing.interface"

local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" },
  { 1, "slider", "Zoom", number = 100, value = "100", least = 50, most = 200, step = 10, states = { focusable = true } },
  { 1, "button", "Undo", states = { enabled = false } }, { 1, "button", "Undo all" } }


---@type ToolExample[]
return {
  { "its actions", given = ui.stubs(FORM), args = { element = 'button "Save"' }, want = { actions = { "click" } } },
  { "one of two with nearly the same name",
    given = ui.stubs(FORM), args = { element = 'button "Undo"' }, want = { ref = "e4" } },
  { "a ref that was never given", given = {}, args = { element = "e99" }, err = "e99 was not listed in this run",
    code  = "ELEMENT_NOT_FOUND" },
}
