#!/usr/bin/env tests/lua/run
--- macros.from_calls: what of a run becomes a macro, by calls as journals have them.
local from_calls = require "macros.from_calls"
local t          = require "check"
local wishes     = require "macros.wishes"
local writer     = require "macros.writer"

local NOTE = 'e1 window "Untitled 1 - Notes" active\n e2 menu "File"\n e3 text focused\n e4 checkbox "Wrap"\n e5 entry "Name"'
local LOOKS = { get_ui_tree = true, find_elements = true, verify = true, list_windows = true, wait_for = true, get_clipboard = true }
local APP = { name = "applications/7", display_name = "Notes", id = "org.notes" }

--- A call that was made.
local function made(tool, arguments, text, structured, failed)
  return { tool = tool, arguments = arguments, text = text or "", structured = structured, failed = failed or false,
    reads = LOOKS[tool] or tool == "handle_dialog" and not arguments.button and not arguments.path }
end


local function opened()
  return made("open_application", { application = "notes", wait = 5 }, "Opened",
    { already = false, application = APP, window = "applications/7/windows/3" })
end


local function looked(outline) return made("get_ui_tree", { application = "Notes" }, outline or NOTE,
  { application = "applications/7" }) end


local function acted(tool, arguments, changes, effect)
  return made(tool, arguments, "Done", { effect = effect or "confirmed", changes = changes or {} })
end


--- The lines of the macro, without those of its frame; or the error.
local function lines_of(calls, request, options)
  local taken, err, code = from_calls.of(calls, request or "", options)
  if not taken then return err, code end
  local text, why = writer.text { id = "it", display_name = "It", steps = taken.steps, parameters = wishes.parameters(taken.wishes) }
  if not text then return why end
  local list = {}
  for line in text:match "macro Macro\nlocal function run%(args, macro%)\n(.-)\nend\n":gmatch "  ([^\n]+)" do list[#list + 1] = line end
  return list, taken
end


t.case("refs become selectors, and values of the request parameters", function()
  local list, taken = lines_of({ opened(), looked(),
    acted("write_element_value", { element = "e3", value = "Dear Ada" }),
    acted("write_element_value", { element = "e5", value = "Grace" }),
    made("verify", { application = "applications/7", predicates = { { element = "e5", value = "Grace" } } }, "It holds") },
    'In Notes write "Dear Ada", and grace as the name.')
  t.same(list, { 'local notes = macro:open("notes")', 'notes:set("text", args.text)', 'notes:set("entry \\"Name\\"", args.name)',
    'notes:check { element = "entry \\"Name\\"", value = args.name }' })
  t.same({ taken.wishes[1].value, taken.wishes[2].value, taken.checked }, { "Dear Ada", "Grace", true })
end)


t.case("a window that a check names by its resource name is that of the step, whatever its title is then", function()
  local function checked(predicate)
    local windows = { windows = { { name = "applications/7/windows/3", title = "Untitled 1", app = "Notes" } } }
    return (lines_of { opened(), made("list_windows", {}, "Found", windows), looked(), acted("click_element", { element = "e4" }),
      made("verify", { predicates = { predicate } }, "It holds") })
  end
  t.same(checked { condition = "title", text = "sent", window = "applications/7/windows/3" }, { 'local notes = macro:open("notes")',
    'notes:click("checkbox \\"Wrap\\"")', 'notes:check { title = "sent" }' })
  t.same(checked { element = "e5", condition = "gone", window = "applications/7/windows/3" }[3],
    'notes:check { condition = "gone", element = "entry \\"Name\\"" }')
  t.same(checked { condition = "gone", window = "applications/7/windows/3" }[3],
    'notes:check { condition = "gone", window = "Untitled 1" }')
end)


t.case("failed calls and looks are left out, and an application that was open is opened", function()
  local list = lines_of { looked(), made("click_element", { element = "e9" }, "not listed", nil, true),
    acted("click_element", { element = "e4" }), looked() }
  t.same(list, { 'local notes = macro:open("Notes")', 'notes:click("checkbox \\"Wrap\\"")' })
  local err, code = lines_of { looked(), made("click_element", { element = "e9" }, "not listed", nil, true) }
  t.same({ err, code }, { "No call of it acted, did not fail and was not undone", "NOTHING_DONE" })
end)


t.case("undone deeds are left out", function()
  local wrap = function() return acted("click_element", { element = "e4" }) end
  local set = function(value) return acted("write_element_value", { element = "e5", value = value }) end
  t.same(lines_of { looked(), set "a", set "b" }, { 'local notes = macro:open("Notes")', 'notes:set("entry \\"Name\\"", "b")' })
  t.same(#lines_of { looked(), set "a", wrap(), set "b" }, 4)     -- the click may have used it
  t.same(#lines_of { looked(), set "a", wrap(), wrap() }, 2)
  local undo = acted("create_input", { action = "keys", keys = "ctrl+z" })
  t.same(#lines_of { looked(), set "a", wrap(), undo }, 2)
  local open = acted("select_menu_item", { path = "File > Open...", application = "Notes" }, { '+ e40 dialog "Open" active: 3 items' })
  local cancel = acted("handle_dialog", { application = "Notes", button = "cancel" }, { '- dialog "Open" active: 3 items' })
  t.same(#lines_of { looked(), set "a", open, cancel }, 2)
end)


t.case("clicks on menus and the buttons of dialogs become intentions", function()
  local menu = acted("click_element", { element = "e2" }, { "+ 2 items of e2 menu \"File\"", '+ e31 menuitem "Save As..."' })
  local item = acted("click_element", { element = "e31" }, { '+ e40 dialog "Save As" active: 9 items' })
  local shown = looked(NOTE .. '\ne40 dialog "Save As" active\n e41 entry "Name"\n e42 button "Save"')
  local path = acted("write_element_value", { element = "e41", value = "/home/ada/a note.txt" })
  local save = acted("click_element", { element = "e42" }, { '- dialog "Save As" active: 9 items' })
  local list, taken = lines_of({ opened(), looked(), menu, item, shown, path, save,
    looked 'e1 window "a note.txt - Notes" active\n e3 text' }, 'Save it as "a note.txt".')
  t.same(list, { 'local notes = macro:open("notes")', 'notes:menu("File > Save As...")',
    'notes:dialog("Save As", { button = "Save", path = args.file })', "notes:check { title = macro.base(args.file) }" })
  t.same({ taken.wishes[1].value, taken.wishes[1].kind }, { "/home/ada/a note.txt", "path" })
end)


t.case("a field in a dialog is one of that window, and the window before is meant again later", function()
  local list = lines_of { looked(), acted("select_menu_item", { path = "Edit > Preferences", application = "Notes" },
    { '+ e40 dialog "Preferences" active: 9 items' }), looked(NOTE .. '\ne40 dialog "Preferences"\n e41 spin "Tab width"'),
    acted("write_element_value", { element = "e41", value = "4" }), acted("create_input", { action = "keys", keys = "Tab" }),
    acted("click_element", { element = "e4" }) }
  t.same(list, { 'local notes = macro:open("Notes")', 'notes:menu("Edit > Preferences")',
    'local notes2 = macro:window { application = "Notes", title = "Preferences" }', 'notes2:set("spin \\"Tab width\\"", "4")',
    'notes2:keys("Tab")', 'notes:click("checkbox \\"Wrap\\"")' })
end)


t.case("the steps of act are steps of their own", function()
  local act = made("act", { application = "notes", steps = { { set = "e3", value = "x" }, { find = "e5" }, { keys = "ctrl+s" },
    { click = "e4" } } }, "Stopped", { done = false, steps = { { step = "set", effect = "confirmed", element = "e3" },
      { step = "find" }, { step = "keys", effect = "confirmed" }, { step = "click", effect = "none_seen", holds = false } } })
  t.same(lines_of { opened(), looked(), act }, { 'local notes = macro:open("notes")', 'notes:set("text", "x")', 'notes:keys("ctrl+s")' })
end)


t.case("a step without a seen effect is kept only if it is wanted", function()
  local calls = { looked(), acted("click_element", { element = "e4" }, {}, "none_seen"), acted("click_element", { element = "e2" }) }
  t.same(lines_of(calls), { 'local notes = macro:open("Notes")', 'notes:click("menu \\"File\\"")' })
  t.same(lines_of(calls, "", { unseen = true })[2], 'notes:click("checkbox \\"Wrap\\"", { unseen = true })')
  calls = { looked(), acted("click_element", { element = "e4" }, {}, "none_seen"), acted("click_element", { element = "e4" }) }
  t.same(lines_of(calls, "", { unseen = true })[2], 'notes:click("checkbox \\"Wrap\\"")')
end)


t.case("a value that was read and used later is read again", function()
  local sum = looked('e1 window "Sum" active\n e2 label "Total: 408 EUR"\n e3 entry "Tax" ="17"\n e4 entry "Note"')
  local list = lines_of({ sum, acted("write_element_value", { element = "e4", value = "17" }) }, "Copy the tax into the note.")
  t.same(list, { 'local notes = macro:open("Notes")',
    'local tax = macro:call("get_element", { application = "Notes", element = "entry \\"Tax\\"" })',
    'notes:set("entry \\"Note\\"", tax.value)' })
  list = lines_of({ sum, acted("write_element_value", { element = "e4", value = "408" }) }, "Copy the total into the note.")
  t.same(list[2], 'local label_read = macro:call("get_element", { application = "Notes", element = "label" })')
  t.same(list[3], 'local label = macro.part(label_read.name, "Total: ", " EUR")')
  t.same(list[4], 'notes:set("entry \\"Note\\"", label)')
  list = lines_of({ sum, acted("write_element_value", { element = "e4", value = "17" }),
    looked 'e1 window "Sum"\n e4 entry "Note" ="17"' }, "")
  t.same(list[4], 'notes:check { element = "entry \\"Note\\"", value = tax.value }')
end)


t.case("journals without structured results are read by their texts", function()
  local list = lines_of({
    made("open_application", { application = "notes" }, "Opened applications/7 (Notes): its window is applications/7/windows/3."),
    made("get_ui_tree", { application = "applications/7" }, NOTE),
    made("act", { application = "applications/7",
        steps = { { set = "e3", value = "Dear Ada" }, { keys = "ctrl+shift+s" }, { click = "e4" } } },
      'Stopped at step 3 of 3, which does not hold.\n1 set text by text: confirmed, the value was read back\n'
      .. '2 keys ctrl+shift+s by xtest: confirmed, dialog "Save As" came\n3 click checkbox "Wrap": failed, it is off\n'
      .. '~ e3 text ="Dear Ada"\n+ e40 dialog "Save As" active: 27 items'),
    made("handle_dialog", { application = "applications/7", path = "/home/ada/a.txt", button = "Save" },
      'Entered the path into entry "Name" and read it back.\nPressed e42 button "Save" by pointer at 1,2. Confirmed: '
      .. 'dialog "Save As" closed.\n- dialog "Save As" active: 27 items'),
    made("list_windows", {}, 'Found 1 window:\n- "a.txt - Notes" (applications/7/windows/3), Notes, 642x505 at 319,147, focused') },
    'Write "Dear Ada" and save it as a.txt')
  t.same(list, { 'local notes = macro:open("notes")', 'notes:set("text", args.text)', 'notes:keys("ctrl+shift+s")',
    'notes:dialog("Save As", { button = "Save", path = args.file })' })
end)


t.case("a click at a point is refused", function()
  local err, code = lines_of { looked(), made("create_input", { action = "click", x = 4, y = 5 }, "Clicked") }
  t.has(err, "click at a point of the screen cannot be repeated")
  t.same(code, "NOT_REPEATABLE")
end)


t.case("values stand in a request as whole words, in any case, and in other forms of numbers and dates", function()
  for value, request in pairs { Ada = "for ADA.", ["1284.5"] = "pay 1,284.50 today", ["2026-11-15"] = "on 15 November 2026",
    ["milk\neggs"] = "write milk eggs", ["x@y.example"] = "mail x@y.example", a = 'type "a"', ["7"] = "7 nights" } do
    t.ok(wishes.stands(request, value), value)
  end
  for value, request in pairs { Ada = "in Adana", ["28"] = "pay 1284", a = "a thing", ["x"] = "", ["not"] = "nothing" } do
    t.ok(not wishes.stands(request, value), value)
  end
end)


t.case("parameters: the longest first, one for equal values, names of files, and nothing else becomes code", function()
  local function put(values, request)
    local steps = {}
    for i, value in ipairs(values) do
      steps[i] = { tool = "write_element_value", arguments = { element = 'entry "Name"', value = value } }
    end
    local found, texts, names = wishes.put(steps, request), {}, {}
    for i, step in ipairs(steps) do texts[i] = step.arguments.value end
    for i, wish in ipairs(found) do names[i] = wish.name .. "=" .. tostring(wish.value) end
    return texts, names
  end
  local texts, names = put({ "Ada Lovelace", "Ada", "sent Ada Lovelace", "${x}" }, 'Send "Ada Lovelace", then Ada')
  t.same(texts, { "${name}", "${name2}", "sent ${name}", "$${x}" })
  t.same(names, { "name=Ada Lovelace", "name2=Ada" })
  t.same(put({ "/home/a/x.txt", "open x.txt" }, "save as x.txt"), { "${file}", "open ${file.base}" })
  t.same(put({ "plums", "/d/plums.txt", "plums.txt - Notes" }, 'save "plums" as plums.txt'),
    { "${name}", "${file}", "${file.base} - Notes" })
  t.same(put({ "12*34\n" }, "compute 12*34"), { "${name}\n" })
  local found = { { name = "file", kind = "path", value = "/d/a.txt" }, { name = "pin", kind = "text", value = "Xy" } }
  t.same(wishes.generic('Save "XY" as a.txt, xy', found), 'Save "<pin>" as <file>, <pin>')
  local steps = { { tool = "click_element", arguments = { element = 'listitem "Pear"' } } }
  t.same({ #wishes.put(steps, "Add a pear"), #wishes.put(steps, 'Add "Pear"') }, { 0, 1 })
  t.same(steps[1].arguments.element, 'listitem "${listitem}"')
  steps = { { tool = "write_element_value", arguments = { element = 'password "PIN"', value = "4711" } } }
  t.hasnt(wishes.parameters(wishes.put(steps, "with PIN 4711"))[1].description, "4711")
end)


t.done()
