--- Cases of click_element beside the examples in its file.

local ui       = require "testing.interface"
local verdicts = require "testing.verdicts"

local FRAME = { x = 90, y = 90, width = 400, height = 600 }   -- of the window, in points
local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "checkbox", "Wrap", states = { checkable = true } },
  { 1, "button", "Undo", states = { enabled = false } }, { 1, "label", "Ready" }, { 1, "image", "Map" } }


--- The form, with other members of one row.
local function form(row, more)
  local rows = {}
  for i, each in ipairs(FORM) do
    rows[i] = {}
    for key, value in pairs(each) do rows[i][key] = value end
    for key, value in pairs(i == row and more or {}) do rows[i][key] = value end
  end
  return rows
end


local DIALOG = form()
DIALOG[#DIALOG + 1] = { 0, "dialog", "Save As" }
DIALOG[#DIALOG + 1] = { 1, "entry", "File name" }


local function menu(open)
  return { { 0, "window", "Notes" }, { 1, "menu", "File", actions = { "click" } },
    { 2, "menuitem", "Print...", states = { shown = open } } }
end


local function page(clock, ...)
  local group = { 2, "group", "" }
  for key, value in pairs(clock) do group[key] = value end
  return { { 0, "window", "Page" }, { 1, "document", "", native = "document web" }, group, { 2, "button", "Save" }, ... }
end


local function loading(busy)
  return { { 0, "window", "Page" }, { 1, "document", "", native = "document web", states = { busy = busy } },
    { 2, "button", "Save" } }
end


local function opened(open)
  local rows = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "menubar", "" }, { 2, "menu", "File" } }
  if open then rows[5] = { 3, "menuitem", "New" } end
  return rows
end


--- An open menu, as Swing tells of it: its items say that they are above it, or in its heading.
local function swing(bar)
  local rows = { { 0, "window", "Form" }, { 1, "menubar", "" },
    { 2, "menu", "File", bounds = { x = 101, y = 120, width = 37, height = 19 } } }
  if not bar then
    rows[2] = { 1, "group", "" }
    rows[3] = { 2, "menu", "", native = "popup menu", bounds = { x = 101, y = 139, width = 55, height = 43 } }
  end
  for i, name in ipairs { "New", "Do it" } do
    rows[#rows + 1] = { 3, "menuitem", name, actions = { "click" },
      bounds = { x = 102, y = 104 + 19 * i, width = 53, height = 19 } }
  end
  return rows
end


--- The menu of Swing, which stays open after the action of its item; `asks`: the item opens a dialog.
---@param asks? boolean
local function staying(asks)
  local open, asked = true, false
  local stubs = ui.live(function()
    local rows = swing(false)
    if not open then rows = { rows[1] } end
    if asked and asks then rows[#rows + 1] = { 0, "dialog", "Really?" } end
    return rows
  end, function(what)
    if what == "Do it" then asked = true end
    if what == "key escape" and asks then error "Escape was pressed in a dialog" end
    if what == "key escape" then open = false end
  end)
  local list = stubs["sys.window.list"]
  stubs["sys.window.list"] = function(query)
    local all = list(query)
    if asked and asks then
      all[1].focused = false
      all[2] = { pid = 7, id = 4, title = "Really?", app = "Form", focused = true, on_screen = true, frame = all[1].frame }
    end
    return all
  end
  return stubs
end


--- A spreadsheet.
local function sheet(states)
  local all = { selectable = true, editable = true }
  for state, set in pairs(states or {}) do all[state] = set end
  return { { 0, "window", "Calc" }, { 1, "table", "Sheet1", native = "table", states = { virtual = true }, children = 2147483647,
    abilities = { select = true }, bounds = { x = 90, y = 90, width = 400, height = 600 } }, { 2, "cell", "C5", states = all } }
end


--- A table with a mark, which does not say that it can be checked.
local function marks(states, ...)
  local all = { selectable = true }
  for state, set in pairs(states) do all[state] = set end
  return { { 0, "window", "Notes" }, { 1, "table", "", bounds = FRAME }, { 2, "cell", "", states = all }, ... }
end


local AREA = { x = 100, y = 100, width = 200, height = 50 }


local function covered(title)
  return { { 0, "window", title }, { 1, "document", "", native = "document web", bounds = AREA },
    { 2, "image", "Map", bounds = AREA }, { 2, "button", "Over", bounds = AREA } }
end


--- Stubs of an element that is scrolled away; it comes at the third look after it was asked to, or never.
local function scrolling(comes)
  local asked, looked = false, 0
  local function rows()
    local there = comes and asked and looked > 2
    return { { 0, "window", "Page" }, { 1, "label", "Top", states = { shown = not there } },
      { 1, "image", "Map", states = { shown = there }, bounds = { x = 100, y = there and 190 or 130, width = 80, height = 24 } } }
  end
  local stubs = ui.live(rows, function() end)
  local get = stubs["sys.element.get"]
  return ui.with(stubs, {
    ["sys.time.sleep"] = true, ["sys.input.click"] = { sent = 2 },
    ["sys.element.get"] = function(ids)
      looked = looked + (asked and 1 or 0)
      return get(ids)
    end,
    ["sys.element.act"] = function()
      asked = true
      return { agreed = comes, route = "at-spi ScrollTo" }
    end })
end


--- Stubs of a menu that opens a moment after its action: when an event was waited for, or at the third look.
local function slow_menu(events)
  local open, looked = false, 0
  local function tree() return ui.tree(menu(open or not events and looked > 4)) end
  return ui.with(ui.stubs(menu(false)), {
    ["sys.input.click"] = { sent = 2 }, ["sys.element.tree"] = tree,
    ["sys.element.get"] = function(ids)
      looked = looked + 1
      return { tree().nodes[ids[1]] }
    end,
    ["sys.element.changes"] = function(options)
      if not events then return nil, "no events here", "not_supported" end
      local waited = not open and options.since == 8 and (options.wait or 0) > 0
      open = open or waited
      return { events = waited and { { id = 3, kind = "state", number = 8 } } or {}, next = 8, missed = 0 }
    end })
end


--- The windows, with one more when they are asked for the fifth time: after the press. Without a title they cannot be read then.
local function opening(title, more)
  local count = 0
  return function()
    count = count + 1
    local list = { { pid = 7, started = 70, id = 3, title = "Notes", focused = true, on_screen = true } }
    if count > 4 and not title then return nil, "the window system does not answer", "timeout" end
    if count > 4 then
      list[2] = { pid = 7, started = 70, id = 4, title = title, on_screen = true }
      for key, value in pairs(more or {}) do list[2][key] = value end
    end
    return list
  end
end


--- The windows: the one of the element, unless it has another id, and a dialog in front of it.
local function with_modal(dialog, main)
  local list = { { pid = 7, started = 70, id = 4, title = "Question", modal = true, order = 0, focused = true },
    { pid = 7, started = 70, id = 3, title = "Notes", order = 1 } }
  for key, value in pairs(dialog) do list[1][key] = value end
  for key, value in pairs(main or {}) do list[2][key] = value end
  if list[1].id == list[2].id then list[2].id = list[1].parent end
  return list
end


--- The windows: another one of the application is in front of the element's.
local function behind()
  return { { pid = 7, started = 70, id = 4, title = "Other", focused = true, on_screen = true },
    { pid = 7, started = 70, id = 3, title = "Notes", on_screen = true } }
end


--- Stubs of an application that ends when its button is pressed.
local function ended(name)
  local gone = { n = 3, false, "no application has the process id 7", "app_not_found" }
  return ui.with(ui.stubs {}, {
    ["sys.element.tree"] = { ui.tree { { 0, "window", "Notes" }, { 1, "button", name } }, gone, gone },
    ["sys.element.get"] = function() return { ui.tree { { 0, "window", "Notes" }, { 1, "button", name } }.nodes[2] } end,
    ["sys.app.get"] = gone })
end


---@type ToolExample[]
--- A form with 206 parts, most of which are off afterwards.
local function parts(first_on, name)
  local rows = { { 0, "window", "Notes" } }
  for i = 1, 206 do rows[#rows + 1] = { 1, "button", "Part " .. i, states = { enabled = i >= first_on } } end
  rows[#rows + 1] = { 1, "entry", "Name", value = name }
  return rows
end


local CASES = {
  { "elements that are switched off push out nothing", shows = { parts(1, "a"), parts(201, "b") },
    args = { element = 'button "Part 206"' },
    want = { changes = { '~ e208 entry "Name" ="b"', "~ 200 elements off" } } },
  { "a dialog that opens confirms it, in a larger interface",
    given = ui.stubs(FORM, DIALOG), args = { element = 'button "Save"' },
    has   = { 'Clicked e2 button "Save" by pointer at 140,172. Confirmed: dialog "Save As" came.\n'
              .. '+ e7 dialog "Save As"\n+  e8 entry "File name"' },
    want  = { element = "e2", route = "pointer at 140,172", effect = "confirmed",
              changes = { '+ e7 dialog "Save As"', '+  e8 entry "File name"' } } },
  { "a check box: its own state counts, in a larger interface",
    given = ui.stubs(FORM, form(3, { states = { checkable = true, checked = true } })),
    args  = { element = 'checkbox "Wrap"' },
    want  = { effect = "confirmed", evidence = "it is checked now", changes = { '~ e3 checkbox "Wrap" checked' } } },
  { "a toggle that is checked and not called checkable: its own state counts",
    shows = { { { 0, "window", "Notes" }, { 1, "toggle", "Bold" } },
      { { 0, "window", "Notes" }, { 1, "toggle", "Bold", states = { checked = true } } } },
    args  = { element = "toggle" }, want = { effect = "confirmed", evidence = "it is checked now" } },
  { "a dialog by its window's title, where its application gives it another name",
    given = ui.stubs({ { 0, "window", "" }, { 1, "button", "Ask" }, { 0, "alert", "Information" }, { 1, "button", "No" } },
      { { 0, "window", "" }, { 1, "button", "Ask" } }),
    args  = { element = 'button "No" in dialog "Notes"' }, want = { element = "e4" } },
  { "a check mark in a row that was selected before",
    given = ui.stubs(marks { selected = true }, marks { selected = true, checked = true }), args = { element = "cell" },
    want  = { effect = "confirmed", evidence = "it is checked now", changes = { "~ e3 cell checked" } } },
  { "a check mark in a row that is selected with it",
    given = ui.stubs(marks {}, marks { selected = true, checked = true }), args = { element = "cell" },
    want  = { effect = "confirmed", evidence = "it is checked now" } },
  { "a row that was selected before, and a dialog that it opens",
    given = ui.stubs(marks { selected = true }, marks({ selected = true }, { 0, "dialog", "Mark" })), args = { element = "cell" },
    want  = { effect = "partial" } },
  { "a check box that stays as it was, whatever else changed",
    given = ui.stubs(FORM, form(5, { [3] = "Busy" })), args = { element = 'checkbox "Wrap"' },
    want  = { effect = "partial", evidence = 'its own state is as before, but label "Ready" is "Busy" now' } },
  { "an application that is too slow to be read whole: what is missing has not gone",
    given = ui.with(ui.stubs(FORM), { ["sys.element.tree"] = { ui.tree(FORM), ui.late(ui.tree(FORM), 3),
      ui.late(ui.tree(FORM), 4) } }),
    args  = { element = 'button "Save"' },
    want  = { effect = "unknown", changes = {},
              evidence = "the application answers so slowly that not all of it could be read in time" } },
  { "the value of a container is what it holds, such as a clock",
    given = ui.stubs(page { value = "12:00" }, page { value = "12:01" }), args = { element = 'button "Save"' },
    want  = { effect = "partial", evidence = "group has another value, which may have another cause" } },
  { "text that comes in a page, such as the next tick of a clock",
    given = ui.stubs(page {}, page({}, { 2, "label", "12:01" })), args = { element = 'button "Save"' },
    want  = { effect = "partial", evidence = 'label "12:01" came, which may have another cause' } },
  { "a page that has loaded began to before the click",
    given = ui.stubs(loading(true), loading(false)), args = { element = 'button "Save"' },
    want  = { effect = "partial", evidence = "document has another state, which may have another cause" } },
  { "a page that begins to load",
    given = ui.stubs(loading(false), loading(true)), args = { element = 'button "Save"' },
    want  = { effect = "confirmed", evidence = "document has another state" } },
  { "a dialog in the page that is not announced is named, whatever it hides",
    given = ui.stubs(page({}, { 1, "button", "Other" }),
      page({}, { 1, "dialog", "This page says" }, { 2, "button", "OK" })),
    args  = { element = 'button "Save"' },
    want  = { effect = "partial", evidence = 'dialog "This page says" came, which may have another cause' } },
  { "a menu that was open closes with any click",
    given = ui.stubs(opened(true), opened(false)), args = { element = 'button "Save"' },
    want  = { effect = "none_seen", evidence = "only the menu that was open closed; look before you do it again" } },
  { "the menu of an item that was clicked closes",
    given = ui.stubs(opened(true), opened(false)), args = { element = 'menuitem "New"' },
    want  = { effect = "partial", evidence = "its menu closed, and nothing else changed" } },
  { "what changes by itself proves nothing",
    given = ui.with(ui.stubs(FORM, form(5, { [3] = "12:01" })), { ["sys.element.changes"] = {
      { events = {}, next = 1, missed = 0 }, { events = { { id = 5, kind = "name", number = 1 } }, next = 2, missed = 0 },
      { events = {}, next = 2, missed = 0 }, { events = {}, next = 2, missed = 0 } } }),
    args  = { element = 'button "Save"' },
    want  = { effect = "none_seen", changes = { '~ e5 label "Ready" -> "12:01"' } } },
  { "one that moves as it is clicked: what lies there now may have got the click",
    given = ui.with(ui.stubs(FORM, form(6, { [3] = "Map", bounds = { x = 300, y = 400, width = 80, height = 24 } }),
      (function()
        local rows = form(6, { bounds = { x = 300, y = 400, width = 80, height = 24 } })
        rows[#rows + 1] = { 1, "entry", "Wrong" }
        return rows
      end)()), { ["sys.input.click"] = { sent = 2 }, ["sys.element.get"] = function(ids)
        return { ui.tree(FORM).nodes[ids[1]] }
      end }),
    args  = { element = 'image "Map"' }, want = { effect = "partial", evidence = 'entry "Wrong" came, but it moved: another '
      .. "element may have got the click" } },
  { "one that scrolls into view a moment after it was asked: what it scrolled away proves nothing",
    given = scrolling(true), args = { element = 'image "Map"' },
    want  = { route = "pointer at 140,202", effect = "partial",
              evidence = 'label "Top" went, which may have another cause' } },
  { "one that does not come into view: what lies at its place is not clicked",
    given = scrolling(false), args = { element = 'image "Map"' }, err = 'image "Map" is not shown', code = "NOT_IN_VIEW" },
  { "one that is said to be shown, below the edge of what it scrolls in",
    given = ui.with(ui.stubs { { 0, "window", "Page" }, { 1, "scrollarea", "", bounds = AREA },
      { 2, "image", "Map", bounds = { x = 100, y = 300, width = 80, height = 24 } } }, { ["sys.time.sleep"] = true,
      ["sys.element.act"] = { agreed = false, route = "at-spi ScrollTo" } }),
    args  = { element = 'image "Map"' }, err = "scrolling to it did not bring it there", code = "NOT_IN_VIEW" },
  { "one of which the half is scrolled away is clicked in the other half",
    given = ui.with(ui.stubs { { 0, "window", "Page" }, { 1, "scrollarea", "", bounds = AREA },
      { 2, "image", "Map", bounds = { x = 100, y = 140, width = 80, height = 20 } } }, { ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'image "Map"' }, want = { route = "pointer at 140,145", effect = "none_seen" } },
  { "one that another element of the page lies over",
    given = ui.with(ui.stubs(covered "Page", covered "Done"), { ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'image "Map"' },
    want  = { effect = "partial", evidence = 'window "Page" is "Done" now, but button "Over" lies over it: it may have got the '
              .. "click" } },
  { "an element without an action is clicked with the pointer",
    given = ui.with(ui.stubs(FORM), { ["sys.input.click"] = { pointer = { x = 140, y = 292 }, sent = 2 } }),
    args  = { element = 'image "Map"' }, want = { route = "pointer at 140,292", effect = "none_seen" } },
  { "a tab that agrees to be selected and is not, as browsers' are",
    given = ui.with(ui.stubs { { 0, "window", "Page" }, { 1, "tablist", "", abilities = { select = true } },
      { 2, "tab", "Two", states = { selectable = true } } }, { ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'tab "Two"' }, want = { route = "pointer at 140,202", effect = "none_seen" } },
  { "an item that is selected already is clicked: selecting it would do nothing",
    given = ui.stubs({ { 0, "window", "Notes" }, { 1, "list", "", bounds = FRAME }, { 2, "listitem", "One",
      states = { selectable = true, selected = true } } }), args = { element = 'listitem "One"', method = "auto" },
    want  = { route = "pointer at 140,202", effect = "none_seen", evidence = "it was selected before, and still is" } },
  { "a cell of a spreadsheet is clicked: selecting it leaves the cursor where it was",
    given = ui.with(ui.stubs(sheet(), sheet { selected = true }), { ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'cell "C5"' },
    want  = { route = "pointer at 140,202", effect = "partial",
              evidence = 'cell "C5" has another state, which may have another cause' } },
  { "one that got the cursor",
    given = ui.with(ui.stubs(sheet(), sheet { focused = true }), { ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'cell "C5"' },
    want  = { route = "pointer at 140,202", effect = "confirmed", evidence = "it has the keyboard focus" } },
  { "a field that has the focus already",
    given = ui.with(ui.stubs { { 0, "window", "Notes" },
      { 1, "entry", "Name", states = { editable = true, focused = true } } }, { ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'entry "Name"' },
    want  = { effect = "none_seen", evidence = "it had the keyboard focus before, and still has it" } },
  { "a check box of a browser has an action of its own",
    given = ui.stubs({ { 0, "window", "Page" }, { 1, "checkbox", "Agree", actions = { "check", "showContextMenu" } } },
      { { 0, "window", "Page" }, { 1, "checkbox", "Agree", states = { checked = true } } }),
    args  = { element = 'checkbox "Agree"' }, want = { route = "action check", effect = "confirmed" } },
  { "a button of a window that is not in front is pressed by its action, which leaves the windows as they are",
    given = ui.with(ui.stubs(FORM, DIALOG), { ["sys.window.list"] = behind }),
    args  = { element = 'button "Save"', application = "applications/7" },
    want  = { route = "action click", effect = "confirmed" } },
  { "a button that the pointer cannot reach is pressed by its action",
    given = ui.with(ui.stubs(FORM, DIALOG), { ["sys.window.over"] = { id = 9, title = "Above", kind = "normal", own = false },
      ["sys.window.focus"] = { done = true } }),
    args  = { element = 'button "Save"' }, want = { route = "action click", effect = "confirmed" } },
  { "a button in a page is pressed by its action: browsers open no dialog within it",
    given = ui.stubs(page({}), page({}, { 2, "alert", "Saved" })), args = { element = 'button "Save"' },
    want  = { route = "action click" } },
  { "a button whose name says that a dialog opens is only clicked: its action would keep the application from answering",
    given = ui.with(ui.stubs({ { 0, "window", "Notes" }, { 1, "button", "Open..." } }),
      { ["sys.input.click"] = { pointer = { x = 140, y = 172 }, sent = 2 } }),
    args  = { element = 'button "Open..."' }, want = { route = "pointer at 140,172" } },
  { "an item of a closed menu: the event that its menu opened ends the wait for it",
    given = slow_menu(true), args = { element = 'menuitem "Print..."' }, want = { route = "pointer at 140,202" } },
  { "the same where there are no events",
    given = slow_menu(false), args = { element = 'menuitem "Print..."' }, want = { route = "pointer at 140,202" } },
  { "an item of an open menu that tells a wrong place", shows = { swing(false), FORM },
    args = { element = 'menuitem "Do it"' }, want = { route = "action click" } },
  { "its menu stays open, and is closed then", given = staying(), args = { element = 'menuitem "Do it"' },
    want = { route = "action click",
      evidence = "nothing changed that the application tells of; look before you do it again; its menu stayed open and was "
        .. "closed" } },
  { "its menu stays open behind a dialog", given = staying(true), args = { element = 'menuitem "Do it"' },
    want = { route = "action click", effect = "confirmed",
      evidence = 'dialog "Really?" came; menuitem "Do it" is in a menu that is still open' } },
  { "the same in the heading", shows = { swing(true), FORM }, args = { element = 'menuitem "Do it"' },
    want = { route = "action click" } },
  { "an application that answers only when its dialog is closed, as those of Qt",
    given = ui.with(ui.stubs(FORM, DIALOG), { ["sys.element.act"] = { n = 3, false, "no answer", "timeout" },
      ["sys.window.list"] = opening "Save As" }),
    args  = { element = 'button "Save"', method = "action" },
    want  = { route = "action click, not answered", effect = "confirmed", evidence = 'dialog "Save As" came' } },
  { "a window that opened, of which the application tells nothing",
    given = ui.with(ui.stubs(FORM), { ["sys.window.list"] = opening "Open File" }),
    args  = { element = 'button "Save"', method = "action" },
    want  = { effect = "partial", evidence = 'the window "Open File" opened, which may have another cause' } },
  { "an application that stops answering has opened a window all the same",
    given = ui.with(ui.stubs(FORM), {
      ["sys.element.tree"] = { ui.tree(FORM), { n = 3, false, "process 7 does not respond", "app_hung" },
        { n = 3, false, "process 7 does not respond", "app_hung" } },
      ["sys.window.list"] = opening "Save As" }),
    args  = { element = 'button "Save"', method = "action" },
    want  = { effect = "confirmed", evidence = 'the window "Save As" opened; the application does not tell what is in it '
              .. '(process 7 does not respond), so use create_input there' } },
  { "one that a modal dialog keeps from being used",
    given = ui.with(ui.stubs(FORM), { ["sys.window.list"] = with_modal { parent = 3 } }),
    args  = { element = 'button "Save"' }, code = "DIALOG_IN_FRONT",
    err   = 'dialog "Question" is in front and holds the application: button "Save" cannot be used' },
  { "one in the dialog itself",
    given = ui.with(ui.stubs(FORM), { ["sys.window.list"] = with_modal { id = 3, parent = 5 } }),
    args  = { element = 'button "Save"', method = "action" }, want = { effect = "none_seen" } },
  { "one in a list that the dialog has opened, which is not a window of its own kind",
    given = ui.with(ui.stubs(FORM), { ["sys.window.list"] = with_modal({ parent = 5 }, { id = 5 }) }),
    args  = { element = 'button "Save"' }, want = { effect = "none_seen" } },
  { "one behind a dialog that the application calls modal and the window system does not, among several windows",
    given = ui.with(ui.stubs { FORM[1], FORM[2], { 0, "dialog", "Asking", window = 4, states = { modal = true } } },
      { ["sys.window.list"] = { { pid = 7, started = 70, id = 4, title = "Asking", order = 0, frame = FRAME },
        { pid = 7, started = 70, id = 3, title = "Notes", order = 1, focused = true, frame = FRAME },
        { pid = 7, started = 70, id = 5, title = "", order = 2, frame = FRAME } } }),
    args  = { element = 'button "Save"' }, want = { effect = "none_seen" } },
  { "one behind a dialog of its window that only the application calls modal, as Swing does",
    given = ui.with(ui.stubs { FORM[1], FORM[2], { 0, "dialog", "Asking", window = 4, states = { modal = true } } },
      { ["sys.window.list"] = with_modal { title = "Asking", parent = 3, modal = false } }),
    args  = { element = 'button "Save"' }, code = "DIALOG_IN_FRONT",
    err   = 'dialog "Asking" is in front and holds the application: button "Save" cannot be used' },
  { "one behind a dialog that is not modal",
    given = ui.with(ui.stubs(FORM), { ["sys.window.list"] = with_modal { parent = 3, modal = false } }),
    args  = { element = 'button "Save"' }, want = { effect = "none_seen" } },
  { "an application that a click ended",
    given = ended "Save", args = { element = 'button "Save"' },
    want  = { effect = "partial", evidence = "the application ended" } },
  { "an application that a click was to end",
    given = ended "Quit Notes", args = { element = 'button "Quit Notes"' },
    want  = { effect = "confirmed", evidence = "the application ended" } },
  { "windows that could not be read have not closed",
    given = ui.with(ui.stubs(FORM), {
      ["sys.element.tree"] = { ui.tree(FORM), { n = 3, false, "process 7 does not respond", "app_hung" },
        { n = 3, false, "process 7 does not respond", "app_hung" } },
      ["sys.window.list"] = opening() }),
    args  = { element = 'button "Save"', method = "action" },
    want  = { effect = "unknown", evidence = "afterwards it could not be read: process 7 does not respond" } },
  { "a modal dialog holds its application: what still works is told",
    given = ui.with(ui.stubs(FORM), {
      ["sys.element.tree"] = { ui.tree(FORM), { n = 3, false, "process 7 does not respond", "app_hung" },
        { n = 3, false, "process 7 does not respond", "app_hung" } },
      ["sys.window.list"] = opening("Go To", { modal = true }) }),
    args  = { element = 'button "Save"', method = "action" },
    has   = { 'Confirmed: dialog "Go To" came, and the application has not answered since. Click in it by its text, with '
              .. 'click_element, source "ocr" and its window, or close it with close_window.' } },
  { "text from the screen is clicked in its middle, and proves little",
    given = ui.read({ "Send letter", "Ready" }, { "Send letter", "Ready" }, { "Send letter", "Letter sent" }),
    args  = { element = '"Send letter"' },
    want  = { route = "pointer at 143,135", effect = "partial", changes = { '+ e4 label "Letter sent" ocr 90%',
              '- label "Ready" ocr 90%' } } },
  { "one that has gone meanwhile is not clicked",
    given = ui.read({ "Send letter" }, { "Ready" }), args = { element = '"Send letter"' }, err = "no longer read there",
    code  = "ELEMENT_NOT_FOUND" },
  { "one that another window covers",
    given = ui.with(ui.stubs(FORM), {
      ["sys.window.over"] = { pid = 8, started = 1, id = 9, kind = "normal", title = "Panel", app = "Desk", own = false },
      ["sys.window.focus"] = { done = false } }),
    args  = { element = 'button "Save"', method = "pointer" }, err = 'covered by the window "Panel"', code = "WINDOW_COVERED" },
  { "one that another application's menu covers, which stays above all windows",
    given = ui.with(ui.stubs(FORM), {
      ["sys.window.over"] = { pid = 8, started = 1, id = 9, kind = "popup", title = "", app = "Desk", own = false },
      ["sys.window.focus"] = { done = true } }),
    args  = { element = 'button "Save"', method = "pointer" }, err = "covered by a popup of Desk", code = "WINDOW_COVERED" },
  { "one that is off is not pressed",
    shows = { { { 0, "window", "Notes" }, { 1, "button", "Undo", states = { enabled = false } } } },
    args  = { element = 'button "Undo"' }, err = 'button "Undo" is off', code = "ELEMENT_DISABLED" },
}


return verdicts.joined(CASES,
  verdicts.cases("a button", { rows = verdicts.dialog "button", args = { element = 'button "Target"' }, press = true }),
  verdicts.cases("a check box", { rows = verdicts.dialog("checkbox", { states = { checkable = true } }),
    args = { element = 'checkbox "Target"' }, effects = { ["its mark"] = "confirmed" } }),
  verdicts.cases("a cell that was selected", {
    rows = verdicts.dialog("cell", { states = { selectable = true, selected = true } }), args = { element = 'cell "Target"' },
    effects = { ["its mark"] = "confirmed", ["that it is open"] = "confirmed", ["that it is down"] = "confirmed",
      ["its selection"] = "none_seen" } }),
  verdicts.cases("a radio button that was on", { rows = verdicts.dialog("radio", { states = { checked = true } }),
    args = { element = 'radio "Target"' }, effects = { ["its mark"] = "none_seen" } }))
