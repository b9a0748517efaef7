--- Describes the dialog in front, enters a file's path into it, and presses one of its buttons.

local beginnings = require "desktop.beginnings"
local dialogs    = require "elements.read.dialogs"
local fail       = require "desktop.fail"
local front      = require "elements.tools.dialog_front"
local s          = require "schema"
local tool       = require "elements.tools.shared"
local unreadable = require "elements.dialogs.unreadable"
local words      = require "elements.read.words"
local work       = require "elements.tools.dialog_work"


---@param args {button?: string, path?: string, application?: string, window?: string, background?: boolean}
---@param call Call
local function run(args, call)
  local seen, button, report, field, err, code
  seen, err, code = front.look(args)
  if not seen then return fail.with(err, code) end
  if seen.bare then return work.untold(call, unreadable.read(seen.bare, args.background), args) end
  if args.button then
    button, err, code = dialogs.button(seen.dialog, args.button)
    if err then return fail.with(err, code) end
  end
  if not (args.button or args.path) then return work.answer(call, seen.dialog, { dialogs.describe(seen.dialog) }) end
  local lines = {}
  if args.path then
    report, field, err, code = work.enter(seen, args.path)
    if not report then return fail.with(err, code) end
    if not args.button then
      return work.answer(call, seen.dialog, { tool.told("Entered the path into", field, report) }, tool.report(field, report))
    end
    lines[1] = ("Entered the path into %s and read it back."):format(words.called(field))
  end
  return work.press(call, seen, button, lines, report and report.value)
end


local DIALOG = s.object({
  { "ref", s.string(nil, { optional = true }) },
  { "kind", s.enum({ "message", "question", "file", "other" }) },
  { "title", s.string() },
  { "text", s.string() },
  { "buttons", s.array(s.object { { "ref", s.string() }, { "name", s.string() },
    { "default", s.boolean(nil, { optional = true }) }, { "off", s.boolean(nil, { optional = true }) } }, "At most 16.") },
  { "fields", s.array(s.string(), "As lines of get_ui_tree, at most 16.") },
}, "The dialog, as it was found.")


---@type Tool
return {
  title        = "Handle a dialog",
  description  = "Describe the dialog, message box or file chooser in front. With path, enter a file's path; with button, press "
              .. "it and see what comes of it. next is the dialog or page in front then. Presses nothing unless told.",
  inputSchema  = s.object {
    { "button", s.string('To press: its name, "default" or "cancel" (or Escape).',
      { optional = true, minLength = 1, maxLength = 200 }) },
    { "path", s.string("For a file dialog: absolute path to enter first.",
      { optional = true, minLength = 1, maxLength = 4096 }) },
    tool.application, tool.rare_window, tool.background,
  },
  outputSchema = s.object {
    { "dialog", DIALOG },
    { "element", s.string("Ref of what was pressed or filled.", { optional = true }) },
    { "route", s.string(nil, { optional = true }) },
    { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "confirmed: the dialog closed or changed.",
      { optional = true }) },
    { "evidence", s.string("What was read afterwards.", { optional = true }) },
    { "changes", s.array(s.string(), "As click_element tells them.", { optional = true }) },
    { "value", s.string("The path that the dialog's field held.", { optional = true }) },
    { "next", { type = "object", description = "The dialog in front now, or its new page.", optional = true } },
  },
  annotations  = tool.acting,
  keeps        = true,  -- the refs
  codes        = tool.codes("DIALOG_NOT_FOUND", "ELEMENT_AMBIGUOUS", "ELEMENT_DISABLED", "ELEMENT_NOT_FOUND", "ELEMENT_REFUSED",
    "HELD", "INPUT_STOPPED", "NEEDS_FRONT", "NOT_IN_VIEW", "PERMISSION_DENIED_ACCESSIBILITY", "WINDOW_COVERED"),

  about = { "focused", application = "application", window = "window", path = "program_path" },
  run = beginnings.run(run),

  examples = {
    { "what is asked",
      shows = { { { 0, "window", "Notes" }, { 0, "alert", "Question" }, { 1, "label", "Save changes before closing?" },
                  { 1, "button", "_Don't Save" }, { 1, "button", "Save", states = { default = true } } } },
      args  = {},
      has   = { 'e2 alert "Question": question\ntext: "Save changes before closing?"\n'
                .. 'buttons: "_Don\'t Save", "Save" (default)' },
      want  = { dialog = { kind = "question", text = "Save changes before closing?" } } },
    { "a button, as people read it",
      shows = { { { 0, "window", "Notes" }, { 0, "alert", "Question" }, { 1, "button", "_Don't Save" } },
                { { 0, "window", "Notes" } } },
      args  = { button = "don't save" }, want = { effect = "confirmed", evidence = 'alert "Question" closed' } },
    { "a button that is not there",
      shows = { { { 0, "window", "Notes" }, { 0, "alert", "Question" }, { 1, "button", "Save" } } }, args = { button = "OK" },
      err   = 'alert "Question" has no button "OK". There are "Save"', code = "ELEMENT_NOT_FOUND" },
    { "no dialog", shows = { { { 0, "window", "Notes" } } }, args = {},
      err   = 'The application shows no dialog. Its windows: "Notes"', code = "DIALOG_NOT_FOUND" },
  },
}
