--- Cases of select_menu_item beside the examples in its file.

local ui = require "testing.interface"


--- A notes application with two menus, of which `more` changes how they behave.
---@param more? {stuck?: boolean}
local function notes(more)
  more = more or {}
  local open, toolbar, dialog = {}, false, false
  local function draw()
    local rows = { { 0, "window", "Notes" }, { 1, "menubar", "" } }
    local function add(depth, role, name, shown, states)
      states = states or {}
      states.shown = shown
      rows[#rows + 1] = { depth, role, name, states = states, actions = { "click" } }
    end
    if more.twice then
      add(2, "menu", "File", true)
      add(3, "menuitem", "Save", false)
      rows[#rows + 1] = { 1, "menubar", "" }
    end
    add(2, "menu", "File", true, { expanded = open.File })
    add(3, "menuitem", "Save", open.File or false)
    add(3, "menuitem", "Save As…", open.File or false)
    add(3, "menuitem", "Revert", open.File or false, { enabled = false })
    add(2, "menu", "View", true, { expanded = open.View })
    add(3, "checkitem", "Toolbar\tF9", open.View or false, { checkable = true, checked = toolbar })
    add(3, "menu", "Zoom", open.View or false, { expanded = open.Zoom })
    add(4, "menuitem", "In", open.Zoom or false)
    add(4, "menuitem", "Fit Page", open.Zoom or false)
    if dialog then rows[#rows + 1] = { 0, "dialog", "Save As" } end
    return rows
  end
  return ui.live(draw, function(what)
    local menu = what == "File" or what == "View" or what == "Zoom"
    if menu then open[what] = true end
    if more.stuck or menu then return end
    if what == "key escape" and open.Zoom then open.Zoom = nil else open = {} end
    toolbar = toolbar ~= (what == "Toolbar\tF9")
    dialog = dialog or what == "Save As…"
  end)
end


--- A calculator as GTK 4.18 tells of it: a toggle of the same name within the menu button, whose popover is called so as well,
--- and whose items are gone as soon as one is chosen. They tell on what is checked.
local function calculator()
  local open, mode = false, "Basic"
  local function draw()
    local rows = { { 0, "window", "Calculator" },
      { 1, "button", mode, actions = {}, states = { has_popup = true, expanded = open } },
      { 2, "toggle", mode, actions = { "click" }, states = { pressed = open } } }
    for i, name in ipairs { "Basic", "Advanced" } do
      if i == 1 and open then rows[#rows + 1] = { 2, "menu", mode } end
      if open then
        rows[#rows + 1] = { 3, "radioitem", name, actions = { "click" }, states = { checkable = true, checked = name == mode } }
      end
    end
    if mode == "Advanced" then rows[#rows + 1] = { 1, "button", "sin" } end
    return rows
  end
  local items = { { id = 5, states = { enabled = true } }, { id = 6, states = { enabled = true } } }
  local stubs = ui.live(draw, function(what)
    if open and what ~= "key escape" then mode = what end
    open = not open and what == mode
  end)
  local live = stubs["sys.element.get"]
  stubs["sys.element.get"] = function(ids)
    local list = live(ids)
    items[1].states.checked, items[2].states.checked = mode == "Basic" or nil, mode == "Advanced" or nil
    for i, id in ipairs(ids) do list[i] = list[i].gone and (id == 5 or id == 6) and items[id - 4] or list[i] end
    return list
  end
  return stubs
end


---@type ToolExample[]
return {
  { "the only item that begins so is taken, and so is the only menu, and the answer says so", given = notes(),
    args  = { path = "Vie > Toolb" }, want = { effect = "confirmed" },
    has   = { 'took "View" for "Vie"; took "Toolbar F9" for "Toolb"' } },
  { "an exact item wins over one that only begins so", given = notes(), args = { path = "File > save" },
    has   = { 'menuitem "Save"' } },
  { "the only item that begins so beside an exact name of its beginning", given = notes(), args = { path = "File > Save A" },
    has   = { 'took "Save As…" for "Save A"', 'dialog "Save As" came' } },
  { "a whole word is another command than one that goes on", given = notes(), args = { path = "View > Zoom > Fit" },
    err   = 'menu "Zoom" has no item "Fit". Nearest: "Fit Page".', code = "ELEMENT_NOT_FOUND" },
  { "of several that begin so nothing is chosen", given = notes(), args = { path = "File > Sav" },
    err   = 'Several items begin with "Sav": "Save", "Save As…". Write one of these names.', code = "ELEMENT_AMBIGUOUS" },
  { "an item that opens a dialog, of menus that open", given = notes(), args = { path = "File > Save As..." },
    has  = { 'Chose e5 menuitem "Save As…" by pointer at 140,262. Confirmed: dialog "Save As" came.\n+ e12 dialog "Save As"' },
    want = { effect = "confirmed", evidence = 'dialog "Save As" came' } },
  { "one that is not there, of menus that open", given = notes(), args = { path = "File > Safe" },
    err = 'menu "File" has no item "Safe". Nearest: "Save"', code = "ELEMENT_NOT_FOUND" },
  { "a path that ends at a menu, of menus that open", given = notes(), args = { path = "View > Zoom" },
    err = 'menu "Zoom" is a menu. Add one of its items to the path: "In"', code = "INVALID_ARGUMENT" },
  { "the second of two menu bars is the one that is drawn, as LibreOffice has them", given = notes { twice = true },
    args = { path = "File > Save As..." }, want = { effect = "confirmed", evidence = 'dialog "Save As" came' } },
  { "a check item is read back; access keys and shortcuts do not count", given = notes(), args = { path = "_View > Toolbar" },
    want = { effect = "confirmed", evidence = "it is checked now", route = "pointer at 140,352" } },
  { "a menu button with a toggle of its name in it, whose items go when one is chosen (GTK 4.18)", given = calculator(),
    args = { path = "Basic > Advanced" }, want = { effect = "confirmed", evidence = "it is checked now" } },
  { "an item of a menu in a menu that does nothing", given = notes(), args = { path = { "view", "zoom", "in" } },
    want = { effect = "none_seen", changes = {} } },
  { "one that is off", given = notes(), args = { path = "File > Revert" },
    err = 'menuitem "Revert" is off: it cannot be chosen now.', code = "ELEMENT_DISABLED" },
  { "a menu that is not there", given = notes(), args = { path = "Fils > Save" },
    err = 'No menu is called "Fils". Nearest: "File"', code = "ELEMENT_NOT_FOUND" },
  { "an item in the middle of the path is not chosen", given = notes(), args = { path = "View > Toolbar > Icons" },
    err = 'checkitem "Toolbar F9" is an item, not a menu, so nothing was chosen. Menus beside it: "Zoom".',
    code = "INVALID_ARGUMENT" },
  { "a button that begins the path is not pressed unless it tells that it opens a menu",
    given = ui.live(function() return { { 0, "window", "Notes" }, { 1, "button", "Erase" } } end, function(what)
      error("pressed " .. what) end),
    args = { path = "Erase > All" }, err = 'button "Erase" does not tell that it opens a menu, so it was not pressed.',
    code = "INVALID_ARGUMENT" },
  { "a modal dialog is in front of the menus", given = ui.with(notes(), { ["sys.window.list"] = {
      { pid = 7, started = 70, id = 9, title = "Go To", modal = true, parent = 3, focused = true },
      { pid = 7, started = 70, id = 3, title = "Notes" } } }), args = { path = "File > Save" },
    err = 'dialog "Go To" is in front and holds the application: menu "File" cannot be used. Close the dialog first, with '
      .. "handle_dialog.", code = "DIALOG_IN_FRONT" },
  { "an application that answers nothing while its dialog is open", given = ui.with(notes(), {
      ["sys.element.tree"] = { n = 3, false, "process 7 does not respond", "app_hung" },
      ["sys.window.list"] = { { pid = 7, started = 70, id = 9, title = "Go To", modal = true, focused = true } } }),
    args = { path = "File > Save" }, err = 'Its dialog "Go To" is in front, and it may answer nothing until that is closed.',
    code = "APP_HUNG" },
  { "a menu that cannot be closed is told", given = notes { stuck = true }, args = { path = "File > Revert" },
    err = 'menu "File" is still open: press Escape with create_input.', code = "ELEMENT_DISABLED" },
}
