--- Cases of perform_element_action beside the examples in its file.

local ui       = require "testing.interface"
local verdicts = require "testing.verdicts"

---@type ToolExample[]
local CASES = {
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


return verdicts.joined(CASES,
  verdicts.cases("expand", { rows = verdicts.dialog("combobox", { states = { expandable = true } }),
    args = { element = 'combobox "Target"', action = "expand" }, effects = { ["that it is open"] = "confirmed" } }),
  verdicts.cases("increment", { rows = verdicts.dialog("spin", { value = "1", number = 1, abilities = { count = true } }),
    args = { element = 'spin "Target"', action = "increment" }, press = true }))
