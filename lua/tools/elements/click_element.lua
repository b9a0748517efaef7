--- Presses an element: by its own action if that is known to work, otherwise by the pointer.

local actions    = require "elements.act.actions"
local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local s          = require "schema"
local tool       = require "elements.tools.shared"

---@param args {element: string, application?: string, window?: string, source?: string, method?: string, button?: string,
---  count?: integer, background?: boolean}
---@param call Call
local function run(args, call)
  args.source = args.source or "auto"
  local report, err, code = actions.click(args)
  if not report then return fail.with(err, code) end
  return tool.answer(call, "Clicked", report.found.node, report)
end


---@type Tool
return {
  title        = "Click an element",
  description  = "Click a button, check box, menu item, tab or other element. effect is confirmed only if a change was read "
              .. "back. For a pixel, use create_input.",
  inputSchema  = s.object {
    tool.element, tool.application, tool.window, tool.background, tool.source,
    { "method", s.enum({ "auto", "action", "pointer" },
      "auto (default): pointer for what is in front, else its action.", { optional = true }) },
    { "button", s.enum({ "left", "middle", "right" }, nil, { optional = true }) },
    { "count", s.integer("2: a double click.", { optional = true, minimum = 1, maximum = 3 }) },
  },
  outputSchema = tool.report_schema,
  annotations  = tool.acting,
  keeps        = true,  -- the refs
  codes        = tool.acting_codes,

  about = { "focused", element = "element", application = "application", window = "window" },
  run = beginnings.run(run),

  examples = {
    { "a dialog that opens confirms it",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } },
                { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 0, "dialog", "Save As" }, { 1, "entry", "File name" } } },
      args  = { element = 'button "Save"' },
      has   = { 'Clicked e2 button "Save" by pointer at 140,172. Confirmed: dialog "Save As" came.\n'
                .. '+ e3 dialog "Save As"\n+  e4 entry "File name"' },
      want  = { element = "e2", route = "pointer at 140,172", effect = "confirmed",
                changes = { '+ e3 dialog "Save As"', '+  e4 entry "File name"' } } },
    { "a check box: its own state counts",
      shows = { { { 0, "window", "Notes" }, { 1, "checkbox", "Wrap", states = { checkable = true } } },
                { { 0, "window", "Notes" }, { 1, "checkbox", "Wrap", states = { checkable = true, checked = true } } } },
      args  = { element = 'checkbox "Wrap"' },
      want  = { effect = "confirmed", evidence = "it is checked now", changes = { '~ e2 checkbox "Wrap" checked' } } },
    { "an application that agrees and does nothing",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } } }, args = { element = 'button "Save"' },
      want  = { effect = "none_seen", changes = {},
                evidence = "nothing changed that the application tells of; look before you do it again" } },
  },
}
