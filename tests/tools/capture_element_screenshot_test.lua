--- Cases of capture_element_screenshot beside the examples in its file.

local ui = require "testing.interface"

---@type ToolExample[]
return {
  { "an element by a selector: its window alone, with others that cover it left out",
    given = ui.with(ui.stubs { { 0, "window", "Notes" }, { 1, "button", "Save" } }, {
      ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Notes" },
      ["sys.screen.capture"] = function(options)
        local region = options.region
        return { bytes = "PNG", size = 3, mime_type = "image/png", width = region.width, height = region.height,
                 origin = { x = region.x, y = region.y }, scale = 1 }
      end }),
    args  = { element = 'button "Save"', padding = 2 },
    want  = { element = "e2", window = "applications/7/windows/3", width = 84, origin = { x = 98, y = 158 } },
    has   = { 'of button "Save" in window "Notes"' } },
  { "bounds outside of the window",
    given = { ["sys.window.list"] = { { pid = 7, started = 70, id = 3, title = "Notes", app = "Editor" } },
              ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Notes" },
              ["sys.screen.capture"] = { n = 3, false, "the region lies outside of the window", "outside" } },
    args  = { window = "Notes", bounds = { x = 5000, y = 0, width = 10, height = 10 } },
    err   = "outside of the window" },
}
