--- Dialogs of the fake desktop: told, answered, and seen to close.
local perigee = require "perigee"
local t       = require "check"

if not require("settings").open() then return end

local function handle(args)
  args.application = args.application or "Text Editor"
  local result, err, code = perigee.call("handle_dialog", args)
  if not result then return nil, err, code end
  return result
end

local function choose(path)
  return assert(perigee.call("select_menu_item", { path = path, window = "draft.txt" }))
end

t.case("without a dialog the windows are listed", function()
  local _, err, code = handle {}
  t.same(code, "DIALOG_NOT_FOUND")
  t.has(err, '"draft.txt", "notes.txt"')
end)

t.case("a dialog is told, and nothing is pressed", function()
  choose "File > Save As"
  for _ = 1, 2 do
    local dialog = t.ok(handle {}).dialog
    t.same({ dialog.kind, dialog.title, #dialog.buttons, dialog.buttons[2].default }, { "file", "Save As", 2, true })
    t.has(dialog.fields[1], 'entry "Name"')
  end
end)

t.case("a file that exists is asked about, which is told and not answered", function()
  local result = t.ok(handle { path = "notes.txt", button = "Save" })
  t.same({ result.effect, result.value, result.next.title }, { "partial", "notes.txt", "Replace file?" })
  t.same({ result.next.kind, result.next.text }, { "question", "A file with this name exists. Do you want to replace it?" })
  t.same(handle({}).dialog.title, "Replace file?", "the question is in front")
  result = t.ok(handle { button = "default" })
  t.same({ result.effect, result.evidence },
    { "confirmed", 'dialog "Replace file?" closed, and dialog "Save As" is in front now' })
end)

t.case("a path is entered alone, and then the button is pressed", function()
  local result = t.ok(handle { path = "other.txt" })
  t.same({ result.effect, result.value }, { "confirmed", "other.txt" })
  result = t.ok(handle { button = "save" })
  t.same({ result.effect, result.evidence, result.next }, { "confirmed", 'dialog "Save As" closed' })
  t.has(table.concat(result.changes, "\n"), '"draft.txt" -> "other.txt"')
end)

t.case("a dialog without a button that cancels gets Escape, and others are refused by name", function()
  assert(perigee.call("select_menu_item", { path = "Edit > Preferences", window = "other.txt" }))
  local _, err, code = handle { button = "Clothes" }
  t.same(code, "ELEMENT_NOT_FOUND")
  t.has(err, '"Close"')
  local result = t.ok(handle { button = "cancel" })
  t.same({ result.effect, result.route, result.dialog.kind }, { "confirmed", "key escape", "other" })
end)

t.done()
