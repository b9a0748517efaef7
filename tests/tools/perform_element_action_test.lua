--- Cases of perform_element_action beside the examples in its file.

local ui = require "testing.interface"

---@type ToolExample[]
return {
  { "a plain button is not pressed to open it",
    given = ui.with(ui.stubs { { 0, "window", "Notes" }, { 1, "button", "Delete" } },
      { ["sys.element.act"] = { n = 3, false, "the element has no action that opens it", "not_supported" } }),
    args  = { element = 'button "Delete"', action = "expand" },
    err   = 'button "Delete" does not say that it opens or closes. Use click_element to press it.', code = "NOT_SUPPORTED" },
  { "a button that says it has a menu is",
    given = ui.stubs({ { 0, "window", "Notes" }, { 1, "button", "More", states = { has_popup = true } } },
      { { 0, "window", "Notes" }, { 1, "button", "More", states = { has_popup = true, expanded = true } } }),
    args  = { element = 'button "More"', action = "expand" },
    want  = { effect = "confirmed", route = "action click", evidence = "it is expanded now" } },
}
