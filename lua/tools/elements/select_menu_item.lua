--- Chooses an item of a menu by its path.

local beginnings  = require "desktop.beginnings"
local fail        = require "desktop.fail"
local menu_choice = require "elements.act.menu_choice"
local s           = require "schema"
local tool        = require "elements.tools.shared"

---@param args {path: string|string[], application?: string, window?: string, background?: boolean}
---@param call Call
local function run(args, call)
  local report, err, code = menu_choice.item(args)
  if not report then return fail.with(err, code) end
  return tool.answer(call, "Chose", report.found.node, report)
end


---@type Tool
return {
  title        = "Select a menu item",
  description  = "Choose an item of an application's menu by its path, opening each menu on the way. On a failure no menu stays "
              .. "open. If a dialog opens, use handle_dialog.",
  inputSchema  = s.object {
    { "path", { type = { "string", "array" }, items = { type = "string", minLength = 1, maxLength = 200 }, minLength = 1,
      maxLength = 500, minItems = 1, maxItems = 10,
      description = '"File > Save As...", or a list of names. May begin with a button.' } },
    tool.application, tool.rare_window, tool.background,
  },
  outputSchema = tool.report_schema,
  annotations  = tool.acting,
  keeps        = true,  -- the refs
  codes        = tool.menu_codes,

  about = { "focused", application = "application", window = "window", path = "nothing" },
  run = beginnings.run(run),

  examples = {
    { "an item that opens a dialog",
      shows = { { { 0, "window", "Notes" }, { 1, "menu", "File" }, { 2, "menuitem", "Save As…" } },
                { { 0, "window", "Notes" }, { 1, "menu", "File" }, { 2, "menuitem", "Save As…" }, { 0, "dialog", "Save As" } } },
      args  = { path = "File > Save As..." },
      has   = { 'Chose e3 menuitem "Save As…" by pointer at 140,202. Confirmed: dialog "Save As" came.\n+ e4 dialog "Save As"' },
      want  = { effect = "confirmed", evidence = 'dialog "Save As" came' } },
    { "one that is not there",
      shows = { { { 0, "window", "Notes" }, { 1, "menu", "File" }, { 2, "menuitem", "Save" } } },
      args  = { path = "File > Safe" }, err = 'menu "File" has no item "Safe". Nearest: "Save"', code = "ELEMENT_NOT_FOUND" },
    { "a path that ends at a menu",
      shows = { { { 0, "window", "Notes" }, { 1, "menu", "View" }, { 2, "menu", "Zoom" }, { 3, "menuitem", "In" } } },
      args  = { path = "View > Zoom" }, err = 'menu "Zoom" is a menu. Add one of its items to the path: "In"',
      code  = "INVALID_ARGUMENT" },
  },
}
