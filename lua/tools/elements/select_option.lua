--- Chooses an option of a combo box, a list, tabs or a group of radio buttons.

local acting  = require "elements.acting"
local fail    = require "desktop.fail"
local judge   = require "elements.judge"
local looks   = require "elements.looks"
local options = require "elements.options"
local s       = require "schema"
local tool    = require "elements.tool"
local words   = require "elements.words"


---@param args {element: string, option: string, application?: string, window?: string}
---@param call Call
local function run(args, call)
  local found, err, code = acting.begin(args)
  if not found then return fail.with(err, code) end
  local all, option, report
  all, err, code = options.of(found.node, true)
  if not all then return fail.with(err, code) end
  option, err, code = options.find(all, args.option)
  if not option then return fail.with(err, code) end
  local name = words.name(option)
  report, err, code = acting.run(found, function() return options.choose(all, option) end, function(seen)
    return judge.option(name, seen.now and options.chosen(all), all.before)
  end)
  if not report then return fail.with(err, code) end
  report.value = options.chosen(all)
  return tool.answer(call, ("Chose %s of"):format(words.quote(name, 60)), found.node, report)
end


--- A form whose combo box and list keep to what is pressed; `deaf`: only the pointer chooses.
---@param deaf? boolean
local function form(deaf)
  local font, language, open = "Serif", "English", false
  local function draw()
    local rows = { { 0, "window", "Notes" },
      { 1, "combobox", "Font", value = font, actions = { "press" }, states = { expandable = true, expanded = open } } }
    for _, name in ipairs { "Serif", "Sans", "Monospace" } do
      rows[#rows + 1] = { 2, "listitem", name, states = { shown = open }, actions = deaf and {} or { "click" } }
    end
    rows[#rows + 1] = { 1, "list", "Languages" }
    for _, name in ipairs { "English", "Deutsch" } do
      rows[#rows + 1] = { 2, "listitem", name, states = { selectable = true, selected = name == language } }
    end
    rows[#rows + 1] = { 1, "button", "Apply" }
    return rows
  end
  return looks.live(draw, function(what)
    if what == "Font" then open = true elseif what == "English" or what == "Deutsch" then language = what
    else font, open = what, false end
  end)
end


---@type Tool
return {
  title        = "Select an option",
  description  = "Choose an option of a combo box, list, tab list or radio group by its text, and read it back. For a menu, use "
              .. "select_menu_item.",
  inputSchema  = s.object {
    tool.element,
    { "option", s.string("Text of the option.", { minLength = 1, maxLength = 1000 }) },
    tool.application, tool.window,
  },
  outputSchema = tool.report_schema,
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.acting_codes,

  run = run,

  examples = {
    { "of a combo box", given = form(), args = { element = 'combobox "Font"', option = "monospace" },
      has  = { 'Chose "Monospace" of e2 combobox "Font" by action click. Confirmed: "Monospace" is chosen now.' },
      want = { effect = "confirmed", value = "Monospace" } },
    { "options without an action are clicked in the open list", given = form(true),
      args = { element = 'combobox "Font"', option = "Sans" }, want = { effect = "confirmed", route = "pointer at 140,232" } },
    { "of a list", given = form(), args = { element = 'list "Languages"', option = "Deutsch" },
      want = { effect = "confirmed", route = "selection", changes = { '~ e8 listitem "Deutsch" selected' } } },
    { "what is chosen already", given = form(), args = { element = 'combobox "Font"', option = "Serif" },
      want = { effect = "none_seen", route = "nothing to do", evidence = "it was chosen before, and still is" } },
    { "one that is not there", given = form(), args = { element = 'combobox "Font"', option = "Mono" },
      err = 'combobox "Font" has no option "Mono". Nearest: "Monospace"', code = "INVALID_ARGUMENT" },
    { "what has no options", given = form(), args = { element = 'button "Apply"', option = "Yes" },
      err = 'button "Apply" tells of no options. Pass a combo box', code = "NOT_SUPPORTED" },
  },
}
