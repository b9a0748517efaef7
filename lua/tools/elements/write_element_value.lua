--- Gives an element a value and reads it back.

local actions    = require "elements.act.actions"
local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local s          = require "schema"
local tool       = require "elements.tools.shared"

---@param args {element: string, value: string, application?: string, window?: string, background?: boolean}
---@param call Call
local function run(args, call)
  local report, err, code = actions.write(args)
  if not report then return fail.with(err, code) end
  return tool.answer(call, "Wrote to", report.found.node, report)
end


---@type Tool
return {
  title        = "Write an element's value",
  description  = "Set the value of a field, number, slider, check box or combo box, and read it back. It is text, a number, true "
              .. "or false, or an option's name. To add text, use create_input.",
  inputSchema  = s.object {
    tool.element,
    { "value", s.string("Replaces what it holds.", { maxLength = 100000 }) },
    tool.application, tool.window, tool.background,
  },
  outputSchema = tool.report_schema,
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  keeps        = true,  -- the refs
  codes        = tool.codes("DIALOG_IN_FRONT", "ELEMENT_AMBIGUOUS", "ELEMENT_DISABLED", "ELEMENT_NOT_FOUND", "ELEMENT_REFUSED",
    "HELD", "INPUT_STOPPED", "NEEDS_FRONT", "PERMISSION_DENIED_ACCESSIBILITY"),

  about = { "focused", element = "element", application = "application", window = "window" },
  run = beginnings.run(run),

  examples = {
    { "text, read back exactly",
      shows = { { { 0, "window", "Notes" }, { 1, "entry", "Name", value = "Ada", states = { editable = true } } },
                { { 0, "window", "Notes" }, { 1, "entry", "Name", value = "Eve", states = { editable = true } } } },
      args  = { element = 'entry "Name"', value = "Eve" },
      has   = { 'Wrote to e2 entry "Name" by text. Confirmed: the value was read back.\n~ e2 entry "Name" ="Eve"' },
      want  = { effect = "confirmed", route = "text", value = "Eve" } },
    { "a field that cuts what it is given",
      shows = { { { 0, "window", "Notes" }, { 1, "entry", "Name", value = "Ada", states = { editable = true } } },
                { { 0, "window", "Notes" }, { 1, "entry", "Name", value = "Ev", states = { editable = true } } } },
      args  = { element = 'entry "Name"', value = "Eve" },
      want  = { effect = "partial", evidence = 'it holds something else: "Ev"', value = "Ev" } },
    { "a number beyond its limits",
      shows = { { { 0, "window", "Notes" }, { 1, "slider", "Zoom", number = 100, least = 50, most = 200 } } },
      args  = { element = 'slider "Zoom"', value = "999" }, err = 'slider "Zoom" holds 50 to 200', code = "INVALID_ARGUMENT" },
    { "what takes no value", shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } } },
      args  = { element = 'button "Save"', value = "x" }, err = 'button "Save" takes no value', code = "NOT_SUPPORTED" },
  },
}
