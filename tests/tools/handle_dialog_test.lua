--- Cases of handle_dialog beside the examples in its file.

local ui       = require "testing.interface"
local verdicts = require "testing.verdicts"


--- An editor that shows a dialog: a file dialog that asks before it replaces "old.txt", or a question.
---@param kind "file"|"open"|"extract"|"question"|nil  extract: beside the chooser there is a field of the application's own
---@param deaf? boolean  its field takes nothing
---@param gtk4? boolean  it takes the path only from the field with the focus, and shows more when the field comes
local function editor(kind, deaf, gtk4)
  local dialog, path, replace, field = kind, "", false, kind == "file"
  local function draw()
    local rows = { { 0, "window", "Notes" } }
    local function add(depth, role, name, options)
      local row = { depth, role, name }
      for key, value in pairs(options or {}) do row[key] = value end
      rows[#rows + 1] = row
    end
    if dialog == "question" then
      add(0, "alert", "Question")
      add(1, "label", "Save changes before closing?")
      add(1, "button", "_Don't Save")
      add(1, "button", "Save", { states = { default = true } })
    elseif dialog then
      local own = dialog == "extract"
      local native = own and "dialog" or gtk4 and "filler" or "file chooser"
      add(0, "dialog", dialog == "open" and "Open" or "Save As", { native = native })
      if own then add(1, "dialog", "File Chooser Widget", { native = "file chooser" }) end
      local facts = { value = path, states = { editable = true, focused = own or gtk4 } }
      if field and not gtk4 then add(own and 2 or 1, "entry", own and "" or "Name:", facts) end
      add(own and 2 or 1, "list", "Files")
      if own then add(1, "entry", "", { value = "", states = { editable = true } }) end
      add(1, "button", "Cancel")
      add(1, "button", "Save")
      if field and gtk4 then
        add(1, "entry", "", facts)
        add(1, "button", "tmp")
      end
    end
    if replace then
      add(0, "alert", "Replace?")
      add(1, "label", "A file with this name exists.")
      add(1, "button", "Replace")
    end
    return rows
  end
  return ui.live(draw, function(what, value)
    if value then
      path = deaf and "" or value
    elseif what == "key ctrl+l" then
      field = true
    elseif gtk4 and what == "Save" then
      dialog = path == "/tmp/none.txt" and dialog or nil
    elseif what == "Save" and path == "/tmp/old.txt" then
      replace = true
    elseif what == "key escape" or not what:find "^key" and what ~= "Name:" then
      dialog = nil
    end
  end)
end


--- An editor with a question that tells nothing of its interface when it is first asked.
local function starting()
  local stubs, asked = editor "question", 0
  local tree = stubs["sys.element.tree"]
  return ui.with(stubs, { ["sys.element.tree"] = function(...)
    asked = asked + 1
    if asked == 1 then return nil, "process 7 tells nothing of its interface", "no_tree" end
    return tree(...)
  end })
end


--- A browser that tells nothing of its file dialog, which closes when something is pressed in it.
local function bare(...)
  local texts = ... and { ... } or { "Cancel", "Open" }
  local open = true
  local function pressed(what)
    open = open and what:find "^ctrl" ~= nil
    return { sent = 2 }
  end
  local stubs = ui.with(ui.read(texts), ui.stubs { { 0, "window", "Notes" } })
  local list = stubs["sys.window.list"]
  return ui.with(stubs, {
    ["sys.window.list"] = function()
      local all = list()
      all[1].order = 1
      local dialog = { pid = 7, started = all[1].started, id = 9, title = "Open File", app = "Editor", kind = "dialog",
        on_screen = true, focused = true, order = 0, frame = { x = 90, y = 90, width = 400, height = 300 } }
      return open and { dialog, all[1] } or all
    end,
    ["sys.window.changed"] = "1",
    ["sys.input.keys"] = pressed,
    ["sys.input.click"] = function() return pressed "click" end,
    ["sys.input.type"] = { sent = 2 },
    ["sys.ocr.read"] = ui.read(texts)["sys.ocr.read"],
  })
end


--- The same for a dialog that stays open. The texts are read one after the other.
local function staying(...)
  local now, stubs = 0, bare()
  local list = stubs["sys.window.list"]()
  return ui.with(stubs, { ["sys.window.list"] = function() return list end, ["sys.input.click"] = { sent = 2 },
    ["sys.input.keys"] = { sent = 2 }, ["sys.ocr.read"] = ui.read(...)["sys.ocr.read"],
    ["sys.time.monotonic"] = function()
      now = now + 0.05
      return now
    end })
end


--- A wizard with two pages in one window.
local function wizard(page)
  local rows = { { 0, "window", "Notes", id = 1 }, { 0, "dialog", "Trip", id = 2 }, { 1, "button", "Next", id = 3 } }
  rows[4] = page == 1 and { 1, "label", "Welcome", id = 4 } or { 1, "entry", "City", id = 5, value = "Rome" }
  if page == 2 then rows[5] = { 1, "button", "Back", id = 6 } end
  return rows
end


--- A dialog that stays open and adds what its field holds to a list of the window behind it.
local function booking(name, booked)
  return { { 0, "window", "Bookings", id = 1 }, { 1, "list", "", id = 2 },
    { 2, "listitem", booked or "", id = 3, states = { shown = booked ~= nil } }, { 0, "dialog", "Booking", id = 4 },
    { 1, "entry", "Name", id = 5, value = name, abilities = { read = true, write = true }, states = { editable = true } },
    { 1, "button", "Add", id = 6 } }
end


---@type ToolExample[]
local CASES = {
  { "what is asked, of an editor that is worked with", given = editor "question", args = {},
    has  = { 'e2 alert "Question": question\ntext: "Save changes before closing?"\nbuttons: "_Don\'t Save", "Save" (default)' },
    want = { dialog = { kind = "question", text = "Save changes before closing?" } } },
  { "a button, as people read it, of an editor that is worked with", given = editor "question", args = { button = "don't save" },
    want = { effect = "confirmed", evidence = 'alert "Question" closed', route = "pointer at 140,232" } },
  { "a button that is not there, of an editor that is worked with", given = editor "question", args = { button = "OK" },
    err = 'alert "Question" has no button "OK". There are "_Don\'t Save", "Save"', code = "ELEMENT_NOT_FOUND" },
  { "no dialog, of an editor that is worked with",
    given = editor(), args = {}, err = 'The application shows no dialog. Its windows: "Notes"',
    code = "DIALOG_NOT_FOUND" },
  { "the default button", given = editor "question", args = { button = "default" }, want = { element = "e5" } },
  { "without a button that cancels, Escape does", given = editor "question", args = { button = "cancel" },
    want = { effect = "confirmed", route = "key escape" } },
  { "the next page of a wizard is told and listed", shows = { wizard(1), wizard(2) }, args = { button = "next" },
    has  = { 'Confirmed: entry "City" came; dialog "Trip" is still open.', 'It shows now:\ne2 dialog "Trip": other\n'
             .. 'buttons: "Next", "Back"\nfields: e5 entry "City" ="Rome"' },
    want = { effect = "confirmed", next = { ref = "e2", fields = { 'e5 entry "City" ="Rome"' } } } },
  { "what a dialog adds to the window behind it", args = { button = "Add" },
    shows = { booking "Anna", booking("", "Anna") },
    has  = { 'Confirmed: listitem "Anna" came; dialog "Booking" is still open.', "It shows now:" },
    want = { effect = "confirmed" } },
  { "an application that has just started is asked again: it tells nothing at once", given = starting(), args = {},
    has = { 'buttons: "_Don\'t Save", "Save"' } },
  { "a file is saved", given = editor "file", args = { path = "/tmp/new.txt", button = "Save" },
    has  = { 'Entered the path into entry "Name:" and read it back.' },
    want = { effect = "confirmed", evidence = 'dialog "Save As" closed', value = "/tmp/new.txt" } },
  { "a file that exists: the question is told, and not answered", given = editor "file",
    args = { path = "/tmp/old.txt", button = "Save" }, has = { "In front now:" },
    want = { effect = "partial", evidence = 'alert "Replace?" came; dialog "Save As" is still open',
             next = { kind = "message", text = "A file with this name exists." } } },
  { "a dialog that shows its field only when asked to", given = editor "open", args = { path = "/tmp/new.txt" },
    want = { effect = "confirmed", evidence = "the value was read back", route = "text" } },
  { "one of GTK 4, which takes the path from the field that has the focus: the pointer would take that",
    given = editor("open", false, true), args = { path = "/tmp/new.txt", button = "Save" },
    want = { effect = "confirmed", evidence = 'dialog "Open" closed', route = "action click" } },
  { "what came with the path is no effect of the button", given = editor("open", false, true),
    args = { path = "/tmp/none.txt", button = "Save" }, want = { effect = "none_seen", changes = {} } },
  { "a field of the application beside the file chooser is not taken for that of the path", given = editor "extract",
    args = { path = "/tmp/new", button = "Save" }, has = { "Entered the path into entry and read it back." } },
  { "a field that does not take the path: nothing is pressed", given = ui.with(editor("file", true),
      { ["sys.input.type"] = { sent = 2 } }),
    args = { path = "/tmp/new.txt", button = "Save" }, err = "and not the path, so nothing was pressed",
    code = "ELEMENT_REFUSED" },
  { "one that the application tells nothing of is read from the screen", given = bare(), args = {},
    has  = { 'dialog "Open File": the application tells nothing of what is in it.\n',
             'read from the screen: "Cancel Open"' },
    want = { dialog = { kind = "other", title = "Open File", text = "Cancel Open" } } },
  { "and is worked by keys and the pointer", given = bare(), args = { path = "/tmp/new.txt", button = "open" },
    has  = { "What the field holds is not told." },
    want = { effect = "confirmed", evidence = 'dialog "Open File" closed', route = "pointer at 116,165" } },
  { "one that stays, and in which something else is read afterwards", given = staying({ "Next", "Close" }, { "Finish", "Close" }),
    args = { button = "Next" }, has = { "It shows now:", 'read from the screen: "Finish Close"' },
    want = { effect = "partial", evidence = 'dialog "Open File" is still open, and something else is read in it now',
             next = { text = "Finish Close" } } },
  { "one that stays as it is", given = staying { "Next", "Close" }, args = { button = "Next" }, want = { effect = "none_seen" } },
  { "one that stays, and in which nothing is read", given = staying {}, args = { button = "cancel" },
    want = { effect = "unknown" } },
  { "or is closed by Escape", given = bare "Open", args = { button = "cancel" },
    want = { effect = "confirmed", route = "key escape" } },
  { "a button that is not read in it", given = bare(), args = { button = "Save" },
    err  = '"Save" is read nowhere in dialog "Open File"', code = "ELEMENT_NOT_FOUND" },
  { "one that another process shows for the application, as portals do", given = ui.with(editor "question", {
      ["sys.window.list"] = function(options)
        local list = { { pid = 7, started = 70, id = 3, title = "Notes", focused = true },
          { pid = 8, started = 80, id = 9, title = "Open", kind = "dialog", parent = 3 } }
        return options and options.pid and { list[options.pid - 6] } or list
      end,
      ["sys.element.tree"] = function(query)
        local tree = ui.tree { { 0, "window", "Notes" }, query.pid == 8 and { 0, "dialog", "Open" } or nil }
        for _, node in ipairs(tree.nodes) do node.pid = query.pid end
        return tree
      end }), args = {}, want = { dialog = { title = "Open" } } },
}


return verdicts.joined(CASES, verdicts.cases("a button of a dialog that stays",
  { rows = verdicts.dialog "button", args = { button = "Target" }, press = true }))
