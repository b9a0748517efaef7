--- Menus of the fake desktop by their paths: chosen, refused, and closed again; and options of boxes.
local input   = require "sys.input"
local perigee = require "perigee"
local t       = require "check"
local world   = require "world"

if not require("settings").open() then return end

local function choose(path, more)
  local args = { path = path, window = "draft.txt" }
  for key, value in pairs(more or {}) do args[key] = value end
  local result, err, code = perigee.call("select_menu_item", args)
  if not result then return nil, err, code end
  return result
end

--- No item of a menu is shown.
local function closed()
  local found = assert(perigee.call("find_elements", { window = "draft.txt", role = "menuitem" }))
  for _, each in ipairs(found.elements) do
    if each.bounds then return false end
  end
  return true
end

t.case("a check item changes its state, which is read back", function()
  local result = t.ok(choose "View > Toolbar")
  t.same({ result.effect, result.evidence, result.changes[1] }, { "confirmed", "it is not checked any more", nil })
  t.same(choose("view > _TOOLBAR").evidence, "it is checked now")
  t.ok(closed())
end)

t.case("an item of a menu in a menu", function()
  local result = t.ok(choose { "View", "Zoom", "Zoom In" })
  t.same({ result.effect, result.route }, { "partial", "action " .. world.press })
  t.has(result.changes[1], '-> "110 %"')
  t.ok(closed())
end)

t.case("a selection is read where nothing else changes", function()
  assert(perigee.call("write_element_value", { element = "text", value = "four", window = "draft.txt" }))
  assert(perigee.call("focus_window", { name = "draft.txt" }))
  local result = t.ok(choose "Edit > Select All")
  t.same({ result.effect, result.evidence }, { "confirmed", "4 characters are selected in text now" })
  t.same(choose("Edit > Select All").effect, "none_seen")
end)

t.case("on a failure no menu stays open", function()
  local _, err, code = choose "Edit > Undo"
  t.same({ err, code }, { 'menuitem "Undo" is off: it cannot be chosen now.', "ELEMENT_DISABLED" })
  t.ok(closed())
  _, err, code = choose "View > Zoom > Zoom Inn"
  t.same({ err, code }, { 'menu "Zoom" has no item "Zoom Inn". Nearest: "Zoom In", "Zoom Out".', "ELEMENT_NOT_FOUND" })
  t.ok(closed())
  t.has(select(2, choose "View > Zoom"), '"Zoom In", "Zoom Out"')
  t.has(select(2, choose "Wiev > Zoom"), 'No menu is called "Wiev". Nearest: "View"')
  t.same(select(3, choose "File > > Save"), "INVALID_ARGUMENT")
  t.ok(closed())
end)

t.case("an item that opens a dialog is clicked", function()
  local result = t.ok(choose "File > Save As")
  t.same(result.evidence, 'dialog "Save As" came')
  t.has(result.route, world.is_sim and "action press" or "pointer at ")   -- a Mac's action does not wait for the dialog
  assert(input.keys "escape")
  t.ok(closed())
end)

t.case("options of each kind of box are chosen by their text", function()
  local function choose_option(element, option)
    return perigee.call("select_option", { element = element, option = option, window = "Settings" })
  end
  local result = assert(choose_option('combobox near "Font:"', "sans"))
  t.same({ result.effect, result.value, result.route }, { "confirmed", "Sans", "action " .. world.press })
  t.same(assert(choose_option('list "Languages"', "Deutsch")).evidence, '"Deutsch" is chosen now')
  t.same(assert(choose_option('radio "Light"', "Dark")).effect, "confirmed", "any of a group names it")
  t.same(assert(choose_option("tablist", "Keys")).value, "Keys")
  t.same(assert(choose_option("tablist", "Keys")).route, "nothing to do")
  local _, err, code = choose_option("tablist", "Kees")
  t.same({ err, code }, { 'tablist has no option "Kees". Nearest: "Keys".', "INVALID_ARGUMENT" })
end)

t.done()
