#!/usr/bin/env tests/lua/run
--- recorder: the steps that come of sequences of events.
local loop  = require "recorder.loop"
local scene = require "recorder_scene"
local t     = require "check"

local BAR = {
  { 0, "window", "Notes" }, { 1, "menubar" }, { 2, "menu", "File" }, { 3, "menuitem", "Save As..." }, { 2, "menu", "Edit" },
  { 3, "menu", "Convert" }, { 4, "menuitem", "To Upper" }, { 1, "text", "", states = { editable = true, multiline = true } },
  { 1, "button", "Send" }, { 1, "checkbox", "Wrap" }, { 1, "checkbox", "Spell", states = { checked = true } },
  { 1, "combobox", "Size", value = "Small" }, { 2, "menuitem", "Large" }, { 1, "entry", "Name", states = { editable = true } },
  { 1, "password", "Password", states = { editable = true } }, { 1, "tab", "Page" }, { 1, "canvas" },
  { 1, "list" }, { 2, "listitem", "Pear" }, { 3, "button", "Add" }, { 2, "listitem", "Plum" }, { 3, "button", "Add" },
  { 1, "terminal", "" }, { 1, "slider", "Volume", value = "0" },
  { 1, "cell", "B2" },
}

local function notes()
  local one = scene.new { [3] = BAR }
  one:front(3)
  return one
end

local function same_lines(one, want, ...)
  local got, parameters = one:lines(...)
  local head = 'local notes = macro:window { application = "notes" }'
  if got[1] == head then table.remove(got, 1) end
  t.same(got, want)
  return parameters
end


t.case("clicks on menus make one step, by the path", function()
  local one = notes()
  one:click("menu", "File")
  one:click("menuitem", "Save As...", { popup = true })
  one:click("menu", "Edit")
  one:click("menu", "Convert", { popup = true })
  one:click("menuitem", "To Upper", { popup = true })
  same_lines(one, { 'notes:menu("File > Save As...")', 'notes:menu("Edit > Convert > To Upper")' })
end)

t.case("a menu that is opened and closed again makes no step", function()
  local one = notes()
  one:click("menu", "File")
  one:click("text")
  same_lines(one, {})
end)

t.case("typed text is what the field holds, not the keys", function()
  local one = notes()
  one:focus("text")
  one:type("nihao", "你好")
  local parameters = same_lines(one, { 'notes:set("text", args.text)' })
  t.same(parameters[1].default, "你好")
end)

t.case("the picture of a text is the window before it: at the click into its field, otherwise at its first key", function()
  local function images(one)
    one.scribe:flush(one.now)
    local list = {}
    for _, each in ipairs(one.tape:known "n.steps") do list[each.step] = each.image or "none" end
    return list
  end
  local one = notes()
  one:click("entry", "Name")                    -- 1.png
  one:focus("entry", "Name")
  one:type "Ada"
  one:click("button", "Send")                   -- 2.png
  one:focus("entry", "Name", "")
  one:type("Eve", "Eve")                        -- 3.png, at its first key
  one:keys "ctrl+s"                             -- 4.png
  t.same(images(one), { "n.steps/1.png", "n.steps/2.png", "n.steps/3.png", "n.steps/4.png" })

  one = notes()
  one:click("entry", "Name")                    -- 1.png
  one:focus("entry", "Name")
  one:type "Ada"
  one:keys "ctrl+s"                             -- 2.png
  one:type("B", "AdaB")                         -- 3.png: the one at the click is old by now
  t.same(images(one), { "n.steps/1.png", "n.steps/2.png", "n.steps/3.png" })

  one = notes()
  one:click("entry", "Name")                    -- 1.png
  one:focus("entry", "Name")
  one:type "Ada"
  one:click("entry", "Name")                    -- 2.png: what is typed now belongs to the same step
  one:type("B", "AdaB")
  t.same(images(one), { "n.steps/1.png" })

  one = notes()
  one:focus "password"
  one:type "geheim"
  t.same({ images(one)[1], one.pictures }, { "none", 0 })

  one = notes()
  one.shown = "$ ls"
  one:focus "terminal"
  one:type("ls", false)                         -- 1.png
  one:keys "return"                             -- 2.png
  t.same(images(one), { "n.steps/1.png", "n.steps/2.png" })
end)

t.case("keys that edit and move make no steps of their own", function()
  local one = notes()
  one:focus("text")
  one:type "helo"
  one:keys "left backspace shift+home ctrl+z ctrl+v"
  one:type("", "hello")
  same_lines(one, { 'notes:set("text", args.text)' })
end)

t.case("text at the end of a text is added to it", function()
  local one = notes()
  one:focus("text", nil, "before ")
  one:type("after", "before after")
  local parameters = same_lines(one, { 'notes:keys("ctrl+end")', "notes:type(args.text)" })
  t.same(parameters[1].default, "after")
end)

t.case("a text that was read after its first key is not what it was before", function()
  local one = notes()
  local node = one:node "text"
  one:focus "text"
  one:wait()
  local pressed = one.now
  one:wait(0.1)
  one.texts[node.id] = "h"
  one.typing:change(node.id, one.now)           -- the news of the text overtakes that of the key
  one.scribe:key { what = "pressed", key = "h", text = "h", at = pressed }
  one:type("i", "hi")
  local parameters = same_lines(one, { 'notes:set("text", args.text)' })
  t.same(parameters[1].default, "hi")

  one = notes()
  one:wait()
  pressed = one.now
  one:wait(0.1)
  one:focus("text", nil, "h")                   -- that of the keyboard comes late, and the key has written by then
  one.scribe:key { what = "pressed", key = "h", text = "h", at = pressed }
  one:type("i", "hi")
  parameters = same_lines(one, { 'notes:set("text", args.text)' })
  t.same(parameters[1].default, "hi")
end)

t.case("a shortcut is a step behind the text that was typed before it", function()
  local one = notes()
  one:focus("text")
  one:type "abc"
  one:keys "ctrl ctrl+shift ctrl+shift+s"
  same_lines(one, { 'notes:set("text", args.text)', 'notes:keys("ctrl+shift+s")' })
end)

t.case("a selection is a step if a shortcut works on it", function()
  local one = notes()
  one:focus("text", nil, "abc")
  one:keys "ctrl+a ctrl+c"
  same_lines(one, { 'notes:keys("ctrl+a")', 'notes:keys("ctrl+c")' })
end)

t.case("a key that is pressed again and again is one step with a count of lines", function()
  local one = notes()
  one.scribe:focus(one:node "list", one.now)
  one:keys "down down"
  same_lines(one, { 'notes:keys("down")', 'notes:keys("down")' })
  t.same(#one.tape.steps, 1)
end)

t.case("a field that its application empties when it takes the text keeps the text", function()
  local one = notes()
  one:focus("entry", "Name")
  one:type "Ada"
  one.texts[one:node("entry", "Name").id] = ""
  one:keys "return"
  same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)', 'notes:keys("return")' })
end)

t.case("Tab goes to the next field, which its own step names", function()
  local one = notes()
  one:focus("entry", "Name")
  one:type "Ada"
  one:keys "tab"
  one:focus("text")
  one:type "x"
  same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)', 'notes:set("text", args.text)' })
end)

t.case("keys that come before their field is known are its text", function()
  local one = notes()
  local node = one:node("entry", "Name")
  one.keyboard, one.texts[node.id] = node, "Ada"
  one:type("Ada", "Ada")
  local parameters = same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)' })
  t.same(parameters[1].default, "Ada")
end)

t.case("a text that is typed again replaces it", function()
  local one = notes()
  one:focus("entry", "Name")
  one:type "Adda"
  one.scribe:flush(one.now)
  one:keys "ctrl+a"
  one:type("Ada", "Ada")
  same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)' })
end)

t.case("equal literals share a parameter", function()
  local one = notes()
  one:focus("entry", "Name")
  one:type "Ada"
  one:focus("text")
  one:type "Ada"
  same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)', 'notes:set("text", args.name)' })
end)

t.case("a password is no text: a parameter without a default", function()
  local one = notes()
  one:focus("password", "Password", "•••")
  one:type("s3cret!", "•••••••")
  local parameters = same_lines(one, { 'notes:set("password \\"Password\\"", args.password, { unseen = true })' })
  t.same(parameters, { { name = "password", type = "string", description = "Secret for Password: never recorded." } })
  t.same(t.show(one.tape.steps):find("s3cret", 1, true), nil)
end)

t.case("a field that shows dots is one, too", function()
  local one = notes()
  one:focus("entry", "Name")
  one:type("s3cret!", "●●●●●●●")
  local parameters = same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)' })
  t.same(parameters[1].default, nil)
end)

t.case("text where no field is known is not recorded", function()
  local one = notes()
  one:type("s3cret!", false)
  one:keys "return"
  local parameters = same_lines(one, { "notes:type(args.secret)", 'notes:keys("return")' })
  t.same(parameters[1].default, nil)
  t.same(t.show(one.tape.steps):find("s3cret", 1, true), nil)
  t.same(one.tape.steps[1].told, "it was typed where nothing showed it, so it was not recorded")
end)

t.case("a line of a terminal counts if the terminal shows it", function()
  local one = notes()
  one.scribe:focus(one:node "terminal", one.now)
  one.shown = "$ ls -l"
  one:type "ls -l"
  one:keys "return"
  one.shown = "$ ls -l\n$ sudo ls\nPassword: "
  one.hidden.now = true
  one:type "s3cret!"
  one.hidden.now = false
  one:keys "return"
  one:type "not shown"
  one:keys "return"
  local parameters = same_lines(one, { "notes:type(args.text)", 'notes:keys("return")', "notes:type(args.secret)",
    'notes:keys("return")', "notes:type(args.secret2)", 'notes:keys("return")' })
  t.same({ parameters[1].default, parameters[2].default, parameters[3].default }, { "ls -l" })
  t.same(t.show(one.tape.steps):find("s3cret", 1, true), nil)
end)

t.case("a check mark is a value, whatever it was before", function()
  local one = notes()
  one:click("checkbox", "Wrap")
  one:click("checkbox", "Spell")
  same_lines(one, { 'notes:set("checkbox \\"Wrap\\"", "true")', 'notes:set("checkbox \\"Spell\\"", "false")' })
end)

t.case("an option is chosen of its box", function()
  local one = notes()
  one:click("combobox", "Size")
  one:click("menuitem", "Large", { popup = true })
  local parameters = same_lines(one, { 'notes:choose("combobox \\"Size\\"", args.size)' })
  t.same(parameters[1].default, "Large")
end)

t.case("buttons, tabs and double clicks are clicks", function()
  local one = notes()
  one:click("button", "Send")
  one:click("tab", "Page")
  one:click("listitem", "Pear")
  one:click("listitem", "Pear", { after = 0.2 })
  one:click("button", "Send", { button = "right" })
  same_lines(one, { 'notes:click("button \\"Send\\"")', 'notes:click("tab \\"Page\\"")',
    'notes:click("listitem \\"Pear\\"", { count = 2 })',
    'macro:call("click_element", { application = "notes", button = "right", element = "button \\"Send\\"" })' })
end)

t.case("an equal button is told by its row", function()
  local one = notes()
  local add = one.snapshot.nodes
  one:click("button", "Add")
  local got = one:lines()
  t.same(got[2], 'notes:click("button \\"Add\\" in listitem \\"Pear\\"")', #add)
end)

t.case("a place without an element is marked", function()
  local one = notes()
  one:click(nil, nil, { x = 200, y = 300 })
  same_lines(one, { "notes:point(110, 210)" })
  t.same(one.tape.steps[1].told, "no element is known there: it is a place in the window")
  t.same(one.tape:known("n.steps")[1].selector, "110, 210")
end)

t.case("an element that was looked up after the press is no target: a run stops there", function()
  local one = notes()
  one.before = false
  one:click("button", "Send")
  same_lines(one, { "notes:point(60, 60)" })
  t.same(one.tape.steps[1].told,
    "what was clicked was not known before it was pressed: a run stops here, until you record the step again")
  t.same(one.tape:known("n.steps")[1].picture, "unknown")
end)

t.case("a slider is set to what came of a click or a drag", function()
  local one = notes()
  local slider = one:node "slider"
  one.values[slider.id] = "0"
  one:click("slider", "Volume", { between = function() one.values[slider.id] = "40" end })
  one:click("slider", "Volume", { between = function() one.values[slider.id] = "70" end })
  one:click("button", "Send")
  same_lines(one, { 'notes:set("slider \\"Volume\\"", "70")', 'notes:click("button \\"Send\\"")' })
end)

t.case("a click on a number that changes nothing makes no step", function()
  local one = notes()
  one.values[one:node("slider").id] = "0"
  one:click("slider", "Volume")
  one:click("button", "Send")
  same_lines(one, { 'notes:click("button \\"Send\\"")' })
end)

t.case("a click into the open list of a box, whose options are not known, is what the box shows then", function()
  local one = notes()
  one:click("combobox", "Size")
  one:click(nil, nil, { popup = true, between = function()
    one:show(3, BAR)
    one:node("combobox").value = "Large"
  end })
  one:click("button", "Send")
  same_lines(one, { 'notes:choose("combobox \\"Size\\"", args.size)', 'notes:click("button \\"Send\\"")' })
end)

t.case("an item that opens a menu is no choice", function()
  local one = notes()
  one:node("menuitem", "Save As...").states.expandable = true
  one:click("menuitem", "Save As...", { popup = true })
  same_lines(one, {})
end)

t.case("windows of the recorder itself are left out", function()
  local one = notes()
  one.windows[3].pid = 8
  one:click("button", "Send")
  one:keys "ctrl+c"
  same_lines(one, {})
end)

t.case("the wheel makes no step", function()
  local one = notes()
  one:click("button", "Send", { button = "wheel_down" })
  same_lines(one, {})
end)

t.case("an item that the button is released on was chosen", function()
  local one = notes()
  local file, item = one:node("menu", "File"), one:node("menuitem", "Save As...")
  one.scribe:press_button { button = "left", x = 100, y = 100, at = 1, hit = { x = 100, y = 100, window = one.window, node = file,
    snapshot = one.snapshot } }
  one.scribe:release_button { button = "left", x = 120, y = 160, at = 2, hit = { x = 120, y = 160, window = one.window, node = item,
    snapshot = one.snapshot, popup = { frame = one.window.frame } } }
  same_lines(one, { 'notes:menu("File > Save As...")' })
end)


-- --- dialogs ---------------------------------------------------------------------------------------------------

local SAVE_AS = {
  { 0, "dialog", "Save As", states = { modal = true } }, { 1, "dialog", "Chooser", native = "file chooser" },
  { 2, "entry", "Name", value = "/tmp/a.txt", states = { editable = true } }, { 2, "table", "Files" },
  { 1, "button", "Cancel" }, { 1, "button", "Save" },
}
local WINDOWS = { [3] = BAR, [4] = { title = "Save As", kind = "dialog", parent = 3, table.unpack(SAVE_AS) } }

local function save_as()
  local one = scene.new(WINDOWS)
  one:front(3, BAR)
  one:click("menu", "File")
  one:click("menuitem", "Save As...", { popup = true })
  one:wait()
  one.tape:open(4, one.now)
  one:front(4, SAVE_AS)
  one.tape:see_dialog(one.snapshot, one.window)
  return one
end

for _, shown in ipairs { "b.txt", "/tmp/b.txt", "~/tmp/b.txt", "Notes of ~/the folder/b.txt" } do
t.case("a file dialog is one step, with the path and the button: " .. shown, function()
  local one = save_as()
  one:focus("entry", "Name", "Untitled")
  one:type("x", "/tmp/b.txt")
  one:click("button", "Save")
  one:close(4)
  one.tape:title(3, "*Untitled 1 - Notes", shown .. " - Notes", one.now)
  local parameters = same_lines(one, { 'notes:menu("File > Save As...")',
    'notes:dialog("Save As", { button = "Save", path = args.file })', 'notes:wait { title = macro.base(args.file) }' })
  t.same({ parameters[1].name, parameters[1].default, parameters[1].about }, { "file", "/tmp/b.txt", "path" })
end)
end

t.case("Return answers it by the button that saves, Escape by none", function()
  local one = save_as()
  one:focus("entry", "Name", "Untitled")
  one:type("x", "/tmp/b.txt")
  one:keys "return"
  one:close(4)
  same_lines(one, { 'notes:menu("File > Save As...")', 'notes:dialog("Save As", { button = "Save", path = args.file })' })
  one = save_as()
  one:focus("entry", "Name", "Untitled")
  one:type("x", "/tmp/b.txt")
  one:keys "escape"
  one:close(4)
  same_lines(one, { 'notes:menu("File > Save As...")', 'notes:dialog("Save As", { button = "cancel" })' })
end)

t.case("a button that leaves the dialog open is a click in it", function()
  local one = save_as()
  one:click("button", "Save")
  local got = one:lines()
  t.same(got[3], 'notes:wait { window = "Save As" }')
  t.same(got[5], 'notes2:click("button \\"Save\\"")')
end)


-- --- waits and titles --------------------------------------------------------------------------------------------

t.case("a title that comes of a click is waited for, a pause is not", function()
  local one = notes()
  one:click("button", "Send")
  one.tape:title(3, "Order form - Browser", "sending - Browser", one.now + 1)
  one.tape:title(3, "sending - Browser", "sent Ada - Browser", one.now + 2)
  one:wait(3600)
  one:click("tab", "Page")
  same_lines(one, { 'notes:click("button \\"Send\\"")', 'notes:wait { title = "sent Ada" }', 'notes:click("tab \\"Page\\"")' })
end)

t.case("a title that only tells that the text was changed is not waited for", function()
  local one = notes()
  one:click("button", "Send")
  one.tape:title(3, "Untitled - Notes", "*Untitled - Notes", one.now + 1)
  one.tape:title(3, "*Untitled - Notes", "late - Notes", one.now + 60)
  same_lines(one, { 'notes:click("button \\"Send\\"")' })
end)

t.case("a value in a title is its parameter", function()
  local one = notes()
  one:focus("entry", "Name")
  one:type "Ada"
  one:click("button", "Send")
  one.tape:title(3, "Order form", "sent Ada", one.now + 1)
  same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)', 'notes:click("button \\"Send\\"")',
    'notes:wait { title = "sent " .. args.name }' })
end)


t.case("an application whose window came by itself is opened", function()
  local one = notes()
  one.tape:open(3, one.now)
  one:click("button", "Send")
  one:click("tab", "Page")
  t.same(one:lines(), { 'local notes = macro:open("notes")', 'notes:click("button \\"Send\\"")', 'notes:click("tab \\"Page\\"")' })
end)

t.case("one whose window was there before, or that a step led to, is not", function()
  local one = notes()
  one:click("button", "Send")
  one.tape:open(3, one.now)
  one:click("tab", "Page")
  t.same(one:lines()[1], 'local notes = macro:window { application = "notes" }')
end)

t.case("text typed into the cell of a sheet is what the cell has once that is over", function()
  local one = notes()
  local cell = one:node("cell", "B2")
  one:click("cell", "B2")
  one:type("12", false)
  one:keys "return"
  one.values[cell.id] = "12"
  one:type("later", false)
  local parameters = same_lines(one, { 'notes:click("cell \\"B2\\"")', 'notes:set("cell \\"B2\\"", args.b2)',
    "notes:type(args.secret)" })
  t.same({ parameters[1].default, parameters[2].default }, { "12" })
end)

t.case("text that was selected is so before a button is pressed", function()
  local one = notes()
  one:focus("text", nil, "abc")
  one:keys "ctrl+a"
  one:click("button", "Send")
  one:keys "ctrl+a left"
  one:click("tab", "Page")
  same_lines(one, { 'notes:keys("ctrl+a")', 'notes:click("button \\"Send\\"")', 'notes:click("tab \\"Page\\"")' })
end)


-- --- loops -------------------------------------------------------------------------------------------------------

local function order(one, name, size)
  one:focus("entry", "Name")
  one.texts[one:node("entry", "Name").id] = ""
  one.typing:change(one:node("entry", "Name").id, one.now)
  one:type(name, name)
  one:click("combobox", "Size")
  one:node("menuitem", "Large").name = size
  one:click("menuitem", size, { popup = true })
  one:node("menuitem", size).name = "Large"
  one:click("button", "Send")
  one.tape:title(3, "Order form", "sent " .. name, one.now + 1)
end

t.case("a task that is done again with other values is a loop over rows", function()
  local one = notes()
  one:click("tab", "Page")
  order(one, "Ada", "Large")
  order(one, "Bob", "Large")
  order(one, "Cleo", "Small")
  local found = loop.find(one.tape.steps)
  t.same(found, { first = 2, length = 4, count = 3 })
  local parameters = same_lines(one, { 'notes:click("tab \\"Page\\"")', 'for row in macro:rows(args.rows, { "name", "size" }) do',
    '  notes:set("entry \\"Name\\"", row.name)', '  notes:choose("combobox \\"Size\\"", row.size)',
    '  notes:click("button \\"Send\\"")', '  notes:wait { title = "sent " .. row.name }', "end" }, found)
  t.same(parameters[1].name, "rows")
  local rows = loop.rows(one.tape.steps, found)
  t.same(rows.values, { { "Ada", "Bob", "Cleo" }, { "Large", "Large", "Small" } })
end)

t.case("a task in one row after the other is a loop over the rows", function()
  local one = notes()
  local nodes = one.snapshot.nodes
  for at, name in ipairs { "Pear", "Plum" } do
    one:focus("entry", "Name")
    one.texts[one:node("entry", "Name").id] = ""
    one.typing:change(one:node("entry", "Name").id, one.now)
    one:type("x" .. at, "x" .. at)
    for _, node in ipairs(nodes) do
      if node.role == "button" and node.name == "Add" and node.up.name == name then one:click_node(node) end
    end
  end
  local found = loop.find(one.tape.steps)
  t.same(found, { first = 1, length = 2, count = 2 })
  same_lines(one, { 'for row in macro:rows(args.rows, { "name", "item" }) do', '  notes:set("entry \\"Name\\"", row.name)',
    '  notes:click("button \\"Add\\" in listitem \\"" .. row.item .. "\\"")', "end" }, found)
  t.same(loop.rows(one.tape.steps, found).values, { { "x1", "x2" }, { "Pear", "Plum" } })
  same_lines(one, { 'notes:set("entry \\"Name\\"", args.name)', 'notes:click("button \\"Add\\" in listitem \\"Pear\\"")',
    'notes:set("entry \\"Name\\"", args.name2)', 'notes:click("button \\"Add\\" in listitem \\"Plum\\"")' })
end)

t.case("a task that is done again alike is no loop", function()
  local one = notes()
  one:click("button", "Send")
  one:click("button", "Send")
  order(one, "Ada", "Large")
  order(one, "Ada", "Large")
  t.same(loop.find(one.tape.steps), nil)
end)

t.done()
