--- Cases of close_window beside the examples in its file.

local ui = require "testing.interface"


---@type ToolExample[]
return {
  { "what changed in the application, where its elements are looked at",
    given = ui.with(ui.stubs({ { 0, "window", "Notes" }, { 1, "text", "" } },
      { { 0, "window", "Notes" }, { 1, "text", "" }, { 0, "alert", "Save changes?", id = 8 },
        { 1, "button", "Save", id = 9 } }), {
      ["sys.window.get"] = { pid = 7, started = 70, id = 3 },
      ["sys.window.close"] = {
        before = { x = 0, y = 0, width = 640, height = 480 }, after = { x = 0, y = 0, width = 640, height = 480 },
        done = false, gone = false, focused = false, note = 'the window is still open and shows "Save changes?"',
      } }),
    args  = { window = "applications/7/windows/3", diff = true },
    has   = { '+ e3 alert "Save changes?"\n+  e4 button "Save"' },
    want  = { effect = "partial",
              effect_evidence = 'the window is still open and shows "Save changes?"; alert "Save changes?" came' } },
}
