--- Chooses an option of a combo box, a list, tabs or a group of radio buttons.

local attempt    = require "elements.act.attempt"
local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local options    = require "elements.choose.options"
local s          = require "schema"
local tool       = require "elements.tools.shared"
local ways       = require "elements.choose.option_ways"
local words      = require "elements.read.words"

---@param args {element: string, option: string, application?: string, window?: string, background?: boolean}
---@param call Call
local function run(args, call)
  local found, err, code = attempt.begin(args)
  if not found then return fail.with(err, code) end
  local all, option, report
  all, err, code = options.of(found.node, true)
  if not all then return fail.with(err, code) end
  option, err, code = options.find(all, args.option)
  if not option then return fail.with(err, code) end
  local name = words.name(option)
  report, err, code = attempt.run(found, function() return ways.choose(all, option) end,
    attempt.verdict(options.asked(all, option)))
  if not report then return fail.with(err, code) end
  report.value = report.now and options.chosen(all, option)
  return tool.answer(call, ("Chose %s of"):format(words.quote(name, 60)), found.node, report)
end


---@type Tool
return {
  title        = "Select an option",
  description  = "Choose an option of a combo box, list, tab list or radio group by its text, and read it back. For a menu, use "
              .. "select_menu_item.",
  inputSchema  = s.object {
    tool.element,
    { "option", s.string("Text of the option.", { minLength = 1, maxLength = 1000 }) },
    tool.application, tool.window, tool.background,
  },
  outputSchema = tool.report_schema,
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.acting_codes,

  about = { "focused", element = "element", application = "application", window = "window" },
  run = beginnings.run(run),

  examples = {
    { "of a list",
      shows = { { { 0, "window", "Notes" }, { 1, "list", "Languages" },
                  { 2, "listitem", "English", states = { selectable = true, selected = true } },
                  { 2, "listitem", "Deutsch", states = { selectable = true } } },
                { { 0, "window", "Notes" }, { 1, "list", "Languages" },
                  { 2, "listitem", "English", states = { selectable = true } },
                  { 2, "listitem", "Deutsch", states = { selectable = true, selected = true } } } },
      args  = { element = 'list "Languages"', option = "Deutsch" },
      has   = { 'Chose "Deutsch" of e2 list "Languages" by selection. Confirmed: "Deutsch" is chosen now.' },
      want  = { effect = "confirmed", route = "selection" } },
    { "what is chosen already",
      shows = { { { 0, "window", "Notes" }, { 1, "combobox", "Font", value = "Serif" }, { 2, "listitem", "Serif" } } },
      args  = { element = 'combobox "Font"', option = "Serif" },
      want  = { effect = "none_seen", route = "nothing to do", evidence = "it was chosen before, and still is" } },
    { "one that is not there",
      shows = { { { 0, "window", "Notes" }, { 1, "combobox", "Font" }, { 2, "listitem", "Monospace" } } },
      args  = { element = 'combobox "Font"', option = "Mono" },
      err   = 'combobox "Font" has no option "Mono". Nearest: "Monospace"', code = "INVALID_ARGUMENT" },
  },
}
