--- The tools for elements, on the fake desktop: found, pressed and written, and what is said of it.
local element = require "sys.element"
local input   = require "sys.input"
local perigee = require "perigee"
local t       = require "check"
local world   = require "world"

if not require("settings").open() then return end

local function call(name, args)
  local result, err, code = perigee.call(name, args)
  if not result then return nil, err, code end
  return result
end

local function click(what, more)
  local args = { element = what }
  for key, value in pairs(more or {}) do args[key] = value end
  return call("click_element", args)
end

local function write(what, value, window)
  return call("write_element_value", { element = what, value = value, window = window })
end

--- Without the refs.
local function plain(changes)
  local out = {}
  for i, line in ipairs(changes) do out[i] = line:gsub("([+~-] +)e%d+ ", "%1", 1) end
  return out
end

local function says(result, effect, changes)
  t.ok(result)
  t.same({ result.effect, plain(result.changes) }, { effect, changes })
end

t.case("an outline has a line for each, and no more", function()
  local tree = assert(call("get_ui_tree", {}))
  t.has(tree.outline, 'entry "Name" ="Ada" focused')
  t.has(tree.outline, 'checkbox "Keep backups" off')
  t.has(tree.outline, "  ... 988 more")
  t.hasnt(tree.outline, "Monospace")
  t.hasnt(tree.outline, "secret")
  t.same(tree.cut, false)
  t.ok(#tree.outline < 2200)
end)

t.case("pressing an element reports the effect", function()
  local clicked = world.is_sim and "" or " focused"      -- a Mac presses marks by their actions
  says(click 'checkbox "Wrap long lines"', "confirmed", { '~ checkbox "Wrap long lines" checked' .. clicked })
  says(click('checkbox "Wrap long lines"', { method = "pointer" }), "confirmed",
    { '~ checkbox "Wrap long lines" unchecked' .. (world.is_sim and " focused" or "") })
  says(click 'radio "Dark"', "confirmed", { '~ radio "Light" unchecked', '~ radio "Dark" checked' .. clicked })
  says(click 'tab "Keys"', "confirmed", { '~ tab "Keys" selected' })
  says(click 'listitem "Deutsch"', "confirmed", { '~ listitem "Deutsch" selected' })
  says(click('button "Apply"', { method = "action" }), "partial", { '~ label "Ready" -> "Applied"' })
end)

t.case("a button in front is pressed by the pointer, on a Mac by its action", function()
  t.has(assert(click 'button "Apply"').route, world.is_sim and "action" or "pointer at ")
end)

t.case("an action without an effect is never confirmed, whatever the application says", function()
  for _ = 1, 3 do says(click('button "Swallow"', { method = "action" }), "none_seen", {}) end
  says(click('button "Pointer only"', { method = "action" }), "none_seen", {})
  says(click 'radio "Dark"', "none_seen", world.is_sim and {} or { '~ radio "Dark" focused' })
  t.same({ select(3, click 'checkbox "Keep backups"') }, { "ELEMENT_DISABLED" })
  says(click('button "Pointer only"', { method = "pointer" }), "partial",
    { '~ button "Pointer only" focused', '~ label "Applied" -> "Pointed at"' })
end)

t.case("values are written and read back", function()
  local wrote = write('entry near "Name:"', "Grüße, 世界")
  t.same({ wrote.effect, wrote.value, wrote.route }, { "confirmed", "Grüße, 世界", "keys, then tab" })
  t.same(write("spin", "14").effect, "confirmed")
  t.same(select(3, write("spin", "1000")), "INVALID_ARGUMENT")
  t.same(write('combobox near "Font:"', "Monospace").value, "Monospace")
  t.has(select(2, write('combobox near "Font:"', "Comic")), '"Serif", "Sans", "Monospace"')
  t.same(write('checkbox "Show line numbers"', "off").effect, "confirmed")
  t.same(write("password", "x").effect, "unknown")
  t.same(select(3, write('button "Apply"', "x")), "NOT_SUPPORTED")
end)

t.case("none of two identical buttons is guessed", function()
  local _, err, code = click 'button "Browse..."'
  t.same(code, "ELEMENT_AMBIGUOUS")
  t.has(err, 'button "Browse..." near "Backup folder"')
  says(click('button "Browse..." near "Export folder:"', { method = "pointer" }), "partial",
    { '~ button "Browse..." focused', '~ label "Pointed at" -> "Browsing for exports"' })
end)

t.case("a ref outlives a scroll only if what it stood for does", function()
  local rows = assert(call("find_elements", { regex = "^Snippet (4|40)$" })).elements
  t.same(#rows, 1)
  local list = assert(call("find_elements", { selector = 'list "Snippets"' })).elements[1]
  assert(input.scroll(0, 1, { x = list.bounds.x + 5, y = list.bounds.y + 5 }))
  t.same(assert(call("get_element", { element = rows[1].ref })).name, "Snippet 4", "still there, made anew")
  assert(input.scroll(0, 10, { x = list.bounds.x + 5, y = list.bounds.y + 5 }))
  local _, err, code = call("get_element", { element = rows[1].ref })
  t.same(code, "ELEMENT_NOT_FOUND")
  t.has(err, 'listitem "Snippet 4" no longer exists. Nearest:')
end)

t.case("a file is saved under another name, by elements only", function()
  local menus_of = world.is_sim and function() return { application = "Text Editor" } end   -- the menu bar is in no window
    or function(window) return { window = window } end
  local opened = click('menuitem "Save As..."', menus_of "draft.txt")
  says(opened, "confirmed", { '+ dialog "Save As" active', '+  entry "Name" focused', '+  button "Cancel"', '+  button "Save"' })
  t.same(write('entry near "Name:"', "final.txt").effect, "confirmed")
  local saved = click 'button "Save" in dialog'
  t.same(saved.effect, "confirmed")
  t.has(table.concat(saved.changes, "\n"), 'window "draft.txt" -> "final.txt"')
  t.same(write("text", "a\nb", "final.txt").value, "a b")
  local quit = click('menuitem "Quit"', menus_of "final.txt")
  t.has(quit.changes[1], 'dialog "Save changes?"')
  t.has(click('button "Don\'t Save"', { application = "Text Editor" }).evidence, "went")
end)

t.case("an application that tells nothing of itself says so", function()
  assert(perigee.call("open_application", { name = "Calculator" }))
  local _, err, code = call("get_ui_tree", { application = "Calculator", source = "tree" })
  t.same(code, "NO_TREE")
  t.has(err, "tells nothing of")
end)

t.case("actions by their name, and those that all have", function()
  local function perform(what, action)
    return call("perform_element_action", { element = what, action = action, application = "Settings" })
  end
  t.same(perform("combobox", "expand").effect, "confirmed")
  t.same(perform("combobox", "expand").route, "nothing to do")
  t.same(perform("combobox", "collapse").effect, "confirmed")
  t.same(perform("spin", "increment").effect, "confirmed")
  t.has(perform("slider", "focus").evidence, "still not focused", "its window is behind another")
  assert(perigee.call("focus_window", { name = "Settings" }))
  t.same(perform("entry", "focus").effect, "confirmed")
  t.has(select(2, perform("slider", "fold")), "increment")
end)

t.case("after the user's stop no element is acted on", function()
  input.stop()
  local _, _, code = click('checkbox "Wrap long lines"', { application = "Settings" })
  t.same(code, "INPUT_STOPPED")
  input.allow()
  t.ok(element.changes())
end)

t.done()
