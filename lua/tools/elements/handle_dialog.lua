--- Tells what dialog is in front, enters a file's path into it, and presses one of its buttons.

local attempt    = require "elements.act.attempt"
local await      = require "elements.read.await"
local dialogs    = require "elements.read.dialogs"
local fail       = require "desktop.fail"
local file_path  = require "elements.dialogs.file_path"
local json       = require "sys.json"
local judge      = require "elements.read.judge"
local looks      = require "testing.interface"
local pressing   = require "elements.dialogs.press"
local s          = require "schema"
local target     = require "elements.find.target"
local tool       = require "elements.tool"
local unreadable = require "elements.dialogs.unreadable"
local window     = require "sys.window"
local windows    = require "elements.read.windows"
local words      = require "elements.read.words"

local TELLS = 1   -- seconds for the application to tell of a window that has opened


-- --- the dialog in front ---------------------------------------------------------------------------

local function none(place)
  local titles = {}
  for _, each in ipairs(window.list { pid = place.pid } or {}) do titles[#titles + 1] = words.quote(each.title, 60) end
  return nil, ("The application shows no dialog. Its windows: %s. To handle one of them, pass window."):format(
    #titles > 0 and table.concat(titles, ", ") or "none"), "dialog_not_found"
end


--- Portals show dialogs for others: a window of another process, which is a dialog of one of theirs.
local function shown_for(place)
  local mine = windows.now(place.pid) or {}
  for _, each in ipairs(window.list() or {}) do
    if each.pid ~= place.pid and each.parent and mine[each.parent] then return { pid = each.pid, started = each.started } end
  end
end


--- The whole application is looked at: what comes after the dialog is elsewhere.
local function look_at(place, window_id)
  local mark = await.mark(place.pid)
  local snapshot, err, code = target.look(place)
  if not snapshot then return nil, err, code end
  local node = dialogs.front(snapshot, window_id)
  if node then return { place = place, snapshot = snapshot, mark = mark, dialog = dialogs.read(snapshot, node) } end
  local bare = unreadable.window(snapshot, window_id)
  if bare then return { place = place, mark = mark, bare = bare } end
  return none(place)
end


--- A window that has just opened is there before the application tells of it.
local function look_until_told(place, window_id)
  local seen, err, code = look_at(place, window_id)
  if not (seen and seen.bare and unreadable.is_new(seen.bare)) then return seen, err, code end
  await.until_seen(place.pid, seen.mark, TELLS, function()
    seen, err, code = look_at(place, window_id)
    return not (seen and seen.bare)
  end)
  return seen, err, code
end


---@return {place: elements.Place, snapshot: elements.Snapshot, mark?: integer, dialog: elements.Dialog}? seen
---  of one that the application tells nothing of: `bare`, its window
---@return string? err
---@return string? code
local function look(args)
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  local window_id = place.window
  place.window = nil
  local seen
  seen, err, code = look_until_told(place, window_id)
  local other = code == "dialog_not_found" and not window_id and shown_for(place)
  if other then return look_until_told(other) end
  return seen, err, code
end


-- --- results ----------------------------------------------------------------------------------------

local function facts(dialog)
  local told = dialogs.facts(dialog)
  told.buttons, told.fields = json.array(told.buttons), json.array(told.fields)
  return told
end


--- What is there, then what was done.
local function answer(call, dialog, lines, report, next_dialog)
  local structured = report or {}
  structured.dialog = facts(dialog)
  if next_dialog then
    structured.next = facts(next_dialog)
    lines[#lines + 1] = "In front now:\n" .. dialogs.describe(next_dialog)
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = structured }
end


-- --- one that tells nothing ---------------------------------------------------------------------------

local function plain_facts(dialog)
  return { kind = "other", title = dialog.window.title, text = unreadable.text(dialog), buttons = json.array {},
    fields = json.array {} }
end


local function work_untold(call, dialog, args)
  local lines, report = {}, { dialog = plain_facts(dialog) }
  local done, err, code
  if not (args.path or args.button) then lines[1] = unreadable.describe(dialog) end
  if args.path then
    done, err, code = unreadable.enter(dialog, args.path)
    if not done then return fail.with(err, code) end
    lines[1] = "Typed the path. What the field holds is not told."
    report.route, report.effect, report.evidence = "text", "unknown", "the application tells nothing of this dialog"
  end
  if args.button then
    done, err, code = unreadable.press(dialog, args.button)
    if not done then return fail.with(err, code) end
    report.route, report.effect = done.route, done.closed and "confirmed" or "none_seen"
    report.evidence = unreadable.called(dialog) .. (done.closed and " closed" or " is still open")
    lines[#lines + 1] = ("Pressed %s by %s. %s: %s."):format(words.quote(args.button, 60), done.route,
      done.closed and "Confirmed" or "No effect seen", report.evidence)
  end
  return call:result { content = { { type = "text", text = table.concat(lines, "\n") } }, structuredContent = report }
end


-- --- what is asked for --------------------------------------------------------------------------------

local function enter(seen, path)
  local field
  local found = { place = seen.place, snapshot = seen.snapshot, node = seen.dialog.node, hidden = false, mark = seen.mark }
  local report, err, code = attempt.run(found, function()
    local why, what
    field, why, what = file_path.enter(seen.place, seen.dialog, path)
    if not field then return nil, why, what end
    return "text"
  end, function() return judge.text(path, file_path.held(field)) end)
  if not report then return nil, nil, err, code end
  report.value = file_path.held(field)
  return report, field
end


local function press(call, seen, button, lines, path)
  local dialog, came = seen.dialog, nil
  local node = button or dialog.node
  local found = { place = seen.place, snapshot = seen.snapshot, node = node, hidden = false, mark = seen.mark }
  local report, err, code = attempt.run(found, pressing.act(dialog, button), function(after)
    local verdict
    verdict, came = pressing.judge(dialog, after)
    return verdict
  end)
  if not report then return fail.with(err, code) end
  report.value = path
  lines[#lines + 1] = tool.told(button and "Pressed" or "Pressed Escape in", node, report)
  return answer(call, dialog, lines, tool.report(node, report), came)
end


---@param args {button?: string, path?: string, application?: string, window?: string}
---@param call Call
local function run(args, call)
  local seen, button, report, field, err, code
  seen, err, code = look(args)
  if not seen then return fail.with(err, code) end
  if seen.bare then return work_untold(call, unreadable.read(seen.bare), args) end
  if args.button then
    button, err, code = dialogs.button(seen.dialog, args.button)
    if err then return fail.with(err, code) end
  end
  if not (args.button or args.path) then return answer(call, seen.dialog, { dialogs.describe(seen.dialog) }) end
  local lines = {}
  if args.path then
    report, field, err, code = enter(seen, args.path)
    if not report then return fail.with(err, code) end
    if not args.button then
      return answer(call, seen.dialog, { tool.told("Entered the path into", field, report) }, tool.report(field, report))
    end
    lines[1] = ("Entered the path into %s and read it back."):format(words.called(field))
  end
  return press(call, seen, button, lines, report and report.value)
end


--- An editor that shows a dialog: a file dialog that asks before it replaces "old.txt", or a question.
---@param kind "file"|"open"|"question"|nil
---@param deaf? boolean  its field takes nothing
local function editor(kind, deaf)
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
      add(0, "dialog", dialog == "open" and "Open" or "Save As", { native = "file chooser" })
      if field then add(1, "entry", "Name:", { value = path, states = { editable = true } }) end
      add(1, "list", "Files")
      add(1, "button", "Cancel")
      add(1, "button", "Save")
    end
    if replace then
      add(0, "alert", "Replace?")
      add(1, "label", "A file with this name exists.")
      add(1, "button", "Replace")
    end
    return rows
  end
  return looks.live(draw, function(what, value)
    if value then
      path = deaf and "" or value
    elseif what == "key ctrl+l" then
      field = true
    elseif what == "Save" and path == "/tmp/old.txt" then
      replace = true
    elseif what == "key escape" or not what:find "^key" and what ~= "Name:" then
      dialog = nil
    end
  end)
end


--- A browser that tells nothing of its file dialog, which closes when something is pressed in it.
local function bare(...)
  local texts = ... and { ... } or { "Cancel", "Open" }
  local open = true
  local function pressed(what)
    open = open and what:find "^ctrl" ~= nil
    return { sent = 2 }
  end
  local stubs = looks.with(looks.read(texts), looks.stubs { { 0, "window", "Notes" } })
  local list = stubs["sys.window.list"]
  return looks.with(stubs, {
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
    ["sys.ocr.read"] = looks.read(texts)["sys.ocr.read"],
  })
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
              .. "it and see the dialog close. next is a dialog that came instead. Presses nothing unless told.",
  inputSchema  = s.object {
    { "button", s.string('Name of the button to press; "default"; "cancel" (Escape if there is none).',
      { optional = true, minLength = 1, maxLength = 200 }) },
    { "path", s.string("For a file dialog: absolute path to enter first.",
      { optional = true, minLength = 1, maxLength = 4096 }) },
    tool.application, tool.rare_window,
  },
  outputSchema = s.object {
    { "dialog", DIALOG },
    { "element", s.string("Ref of what was pressed or filled.", { optional = true }) },
    { "route", s.string(nil, { optional = true }) },
    { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "confirmed: the dialog was seen to close.",
      { optional = true }) },
    { "evidence", s.string("What was read afterwards.", { optional = true }) },
    { "changes", s.array(s.string(), "As click_element tells them.", { optional = true }) },
    { "value", s.string("The path that the dialog's field held.", { optional = true }) },
    { "next", { type = "object", description = "The dialog that is in front instead.", optional = true } },
  },
  annotations  = tool.acting,
  keeps        = true,  -- the refs
  codes        = tool.codes("DIALOG_NOT_FOUND", "ELEMENT_AMBIGUOUS", "ELEMENT_DISABLED", "ELEMENT_NOT_FOUND", "ELEMENT_REFUSED",
    "HELD", "INPUT_STOPPED", "NOT_IN_VIEW", "PERMISSION_DENIED_ACCESSIBILITY", "WINDOW_COVERED"),

  run = run,

  examples = {
    { "what is asked", given = editor "question", args = {},
      has  = { 'e2 alert "Question": question\ntext: "Save changes before closing?"\nbuttons: "_Don\'t Save", "Save" (default)' },
      want = { dialog = { kind = "question", text = "Save changes before closing?" } } },
    { "a button, as people read it", given = editor "question", args = { button = "don't save" },
      want = { effect = "confirmed", evidence = 'alert "Question" closed', route = "pointer at 140,232" } },
    { "the default button", given = editor "question", args = { button = "default" }, want = { element = "e5" } },
    { "without a button that cancels, Escape does", given = editor "question", args = { button = "cancel" },
      want = { effect = "confirmed", route = "key escape" } },
    { "a file is saved", given = editor "file", args = { path = "/tmp/new.txt", button = "Save" },
      has  = { 'Entered the path into entry "Name:" and read it back.' },
      want = { effect = "confirmed", evidence = 'dialog "Save As" closed', value = "/tmp/new.txt" } },
    { "a file that exists: the question is told, and not answered", given = editor "file",
      args = { path = "/tmp/old.txt", button = "Save" }, has = { "In front now:" },
      want = { effect = "partial", evidence = 'alert "Replace?" came; dialog "Save As" is still open',
               next = { kind = "message", text = "A file with this name exists." } } },
    { "a dialog that shows its field only when asked to", given = editor "open", args = { path = "/tmp/new.txt" },
      want = { effect = "confirmed", evidence = "the value was read back", route = "text" } },
    { "a field that does not take the path: nothing is pressed", given = looks.with(editor("file", true),
        { ["sys.input.type"] = { sent = 2 } }),
      args = { path = "/tmp/new.txt", button = "Save" }, err = "and not the path, so nothing was pressed",
      code = "ELEMENT_REFUSED" },
    { "a button that is not there", given = editor "question", args = { button = "OK" },
      err = 'alert "Question" has no button "OK". There are "_Don\'t Save", "Save"', code = "ELEMENT_NOT_FOUND" },
    { "one that the application tells nothing of is read from the screen", given = bare(), args = {},
      has  = { 'dialog "Open File": the application tells nothing of what is in it.\n',
               'read from the screen: "Cancel Open"' },
      want = { dialog = { kind = "other", title = "Open File", text = "Cancel Open" } } },
    { "and is worked by keys and the pointer", given = bare(), args = { path = "/tmp/new.txt", button = "open" },
      has  = { "What the field holds is not told." },
      want = { effect = "confirmed", evidence = 'dialog "Open File" closed', route = "pointer at 116,165" } },
    { "or is closed by Escape", given = bare "Open", args = { button = "cancel" },
      want = { effect = "confirmed", route = "key escape" } },
    { "a button that is not read in it", given = bare(), args = { button = "Save" },
      err  = '"Save" is read nowhere in dialog "Open File"', code = "ELEMENT_NOT_FOUND" },
    { "one that another process shows for the application, as portals do", given = looks.with(editor "question", {
        ["sys.window.list"] = function(options)
          local list = { { pid = 7, started = 70, id = 3, title = "Notes", focused = true },
            { pid = 8, started = 80, id = 9, title = "Open", kind = "dialog", parent = 3 } }
          return options and options.pid and { list[options.pid - 6] } or list
        end,
        ["sys.element.tree"] = function(query)
          local tree = looks.tree { { 0, "window", "Notes" }, query.pid == 8 and { 0, "dialog", "Open" } or nil }
          for _, node in ipairs(tree.nodes) do node.pid = query.pid end
          return tree
        end }), args = {}, want = { dialog = { title = "Open" } } },
    { "no dialog", given = editor(), args = {}, err = 'The application shows no dialog. Its windows: "Notes"',
      code = "DIALOG_NOT_FOUND" },
  },
}
