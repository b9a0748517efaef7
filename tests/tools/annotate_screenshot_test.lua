--- Cases of annotate_screenshot beside the examples in its file.

local ui = require "testing.interface"


---@param options sys.screen.Capture
local function picture(options)
  return { bytes = "PNG", size = 3, mime_type = "image/png", width = 400, height = 600, scale = 1, route = "image",
           origin = { x = 90, y = 90 }, boxes = options.boxes }
end


local NOTES = { { 0, "window", "Notes" }, { 1, "toolbar" }, { 2, "button", "Save" }, { 2, "button", "Undo" },
  { 1, "label", "Name:" }, { 1, "entry", "", value = "Ada" }, { 1, "button", "Hidden", states = { shown = false } } }


---@param more? table
local function given(more)
  local frame = { x = 90, y = 90, width = 400, height = 600 }
  local stubs = ui.with(ui.stubs(NOTES), { ["sys.screen.capture"] = picture,
    ["sys.window.get"] = { pid = 7, started = 70, id = 3, title = "Notes", frame = frame } })
  return ui.with(stubs, more or {})
end


---@type ToolExample[]
return {
  { "what takes input and is shown, in a toolbar",
    given = given(), args = {},
    want  = { window = "applications/7/windows/3", elements = { "e3", "e4", "e6" } },
    has   = { 'of window "Notes" with 3 boxes', 'e3 button "Save"' } },
  { "only what a selector means", given = given(), args = { selector = 'button "Undo"' }, want = { elements = { "e4" } } },
}
