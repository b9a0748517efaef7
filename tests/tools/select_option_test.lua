--- Cases of select_option beside the examples in its file.

local ui       = require "testing.interface"
local verdicts = require "testing.verdicts"


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
  return ui.live(draw, function(what)
    if what == "Font" then open = true elseif what == "English" or what == "Deutsch" then language = what
    else font, open = what, false end
  end)
end


--- A box as Qt 6 has it: its list selects in itself and says so, and the box follows the pointer only.
local function unfollowed()
  local chosen, selected, open = "North", "North", false
  local function draw()
    local rows = { { 0, "window", "Notes" },
      { 1, "combobox", "Tabs", value = chosen, actions = { "press" }, states = { expandable = true, expanded = open } },
      { 2, "list", "", states = { shown = open }, bounds = { x = 100, y = 180, width = 80, height = 120 } } }
    for _, name in ipairs { "North", "West" } do
      rows[#rows + 1] = { 3, "listitem", name, states = { shown = open, selectable = true, selected = name == selected } }
    end
    return rows
  end
  local stubs = ui.live(draw, function(what)
    if what == "Tabs" then open = true else selected = what end
  end)
  local by_pointer = stubs["sys.input.click"]
  stubs["sys.input.click"] = function(x, y)
    local sent = by_pointer(x, y)
    chosen, open = selected, false
    return sent
  end
  stubs["sys.element.changes"] = function(query)
    local told = query.since and { { number = 2, kind = "selection", pid = 7, at = 0, detail = "" } } or {}
    return { events = told, next = 2, missed = 0 }
  end
  return stubs
end


--- A box of a page whose options have these actions, in a closed list.
local function page(...)
  local chosen, actions = "S", { ... }
  return ui.live(function()
    local rows = { { 0, "window", "Page" }, { 1, "document", "Page" },
      { 2, "combobox", "Size", value = chosen, actions = { "open" }, states = { expandable = true } } }
    for _, name in ipairs { "S", "L" } do
      rows[#rows + 1] = { 3, "menuitem", name, states = { shown = false }, actions = actions }
    end
    return rows
  end, function(what) chosen = what end)
end


--- Lists that keep several selected, as one name does twice; `stirs` tells of a change whatever is done, and shows none.
---@param stirs? boolean
local function several(stirs)
  local selected, presses = { Green = true }, 0
  local function draw()
    local rows = { { 0, "window", "Notes" }, { 1, "list", "Colors" } }
    for _, name in ipairs { "Green", "Blue", "Red", "Red" } do
      rows[#rows + 1] = { 2, "listitem", name, states = { selectable = true, selected = selected[name] } }
    end
    rows[#rows + 1] = { 2, "listitem", "Black", states = { selectable = true, enabled = false } }
    rows[#rows + 1] = { 1, "label", "Presses", value = ("%d"):format(presses) }
    return rows
  end
  local stubs = ui.live(draw, function(what)
    presses = presses + 1
    if presses > 1 then error("a second press of " .. what) end
    if not stirs then selected[what] = true end
  end)
  stubs["sys.element.changes"] = function(query)
    local told = query.since and stirs and { { number = 2, kind = "name", pid = 7, at = 0, detail = "" } } or {}
    return { events = told, next = 2, missed = 0 }
  end
  return stubs
end


--- A box as Swing has it: labels in a list, whose action selects in the list alone. Return takes that over.
local function swing()
  local chosen, selected, open = "Red", "Red", false
  local function draw()
    local rows = { { 0, "window", "Form" },
      { 1, "combobox", "Color", value = chosen, actions = { "togglePopup" }, states = { expandable = true, expanded = open } },
      { 2, "list", "", states = { shown = open } } }
    for _, name in ipairs { "Red", "Green", "Green dark" } do
      rows[#rows + 1] = { 3, "label", name, actions = { "click" },
        states = { shown = open, selectable = true, selected = name == selected } }
    end
    return rows
  end
  return ui.live(draw, function(what)
    if what == "Color" then open = true
    elseif what == "key return" then chosen, open = selected, false
    elseif what == "key escape" then selected, open = chosen, false
    elseif open then selected = what end
  end)
end


--- A box as GTK 4 has it: a button that shows the option, and a list in a popup of its own, which takes keys. `deaf`: the rows
--- tell no text.
---@param names string[]
---@param deaf? boolean
local function gtk4(names, deaf)
  local chosen, at, open = 1, 1, false
  local function draw()
    local rows = { { 0, "window", "Form" }, { 1, "combobox", "Color:", value = "Color:" },
      { 2, "button", "", states = { pressed = open } }, { 3, "label", deaf and "" or names[chosen] } }
    if open then rows[#rows + 1] = { 2, "list", "GtkListView" } end
    for i, name in ipairs(open and names or {}) do
      rows[#rows + 1] = { 3, "listitem", "", states = { focused = i == at } }
      rows[#rows + 1] = { 4, "label", deaf and "" or name }
    end
    return rows
  end
  local stubs = ui.live(draw, function() at, open = chosen, true end)
  stubs["sys.input.keys"] = function(keys, options)
    local by = options and options.count or 1
    local to = { home = 1, ["end"] = #names, down = math.min(at + by, #names), up = math.max(at - by, 1) }
    if not open then error(("%s pressed in a closed list"):format(keys)) end
    at, open = to[keys] or at, to[keys] ~= nil
    chosen = keys == "return" and at or chosen
    return { sent = 2 }
  end
  local windows = stubs["sys.window.list"]
  stubs["sys.window.list"] = function(query)
    local list = windows(query)
    if open and query and query.all_kinds then
      list[2] = { pid = 7, id = 99, title = "", app = "Editor", kind = "popup", on_screen = true,
        frame = { x = 90, y = 200, width = 100, height = 90 } }
    end
    return list
  end
  stubs["sys.window.over"] = function() return open and { own = true } or false end
  return stubs
end


local function many(count)
  local names = {}
  for i = 1, count do names[i] = ("item %d"):format(i) end
  return names
end


---@type ToolExample[]
local CASES = {
  { "a label in the list of a box of Swing", given = swing(), args = { element = 'combobox "Color"', option = "Green" },
    want = { effect = "confirmed", route = "keys", value = "Green" } },
  { "one that is not there, in Swing", given = swing(), args = { element = 'combobox "Color"', option = "Green d" },
    err = 'combobox "Color" has no option "Green d". Nearest: "Green", "Green dark"', code = "INVALID_ARGUMENT" },
  { "a box of Swing in the background", given = swing(), args = { element = "combobox", option = "Green", background = true },
    err = 'combobox "Color" cannot be opened in the background', code = "NEEDS_FRONT" },
  { "a list of GTK 4, which is told only while it is open", given = gtk4 { "Red", "Green", "Green dark" },
    args = { element = 'combobox "Color"', option = "Green" },
    want = { effect = "confirmed", route = "keys", value = "Green" } },
  { "a long one", given = gtk4(many(150)), args = { element = "combobox", option = "item 137" },
    want = { effect = "confirmed", route = "keys", value = "item 137" } },
  { "what is chosen already, in GTK 4", given = gtk4 { "Red", "Green" }, args = { element = "combobox", option = "Red" },
    want = { effect = "none_seen", route = "nothing to do" } },
  { "one that is not there, in GTK 4", given = gtk4 { "Red", "Green" }, args = { element = "combobox", option = "Blue" },
    err = 'combobox "Color:" has no option "Blue". There are "Red", "Green"', code = "INVALID_ARGUMENT" },
  { "two of the same name, in GTK 4", given = gtk4 { "Red", "Green", "Red" }, args = { element = "combobox", option = "Red" },
    err = 'has 2 options "Red". Open it with click_element', code = "ELEMENT_AMBIGUOUS" },
  { "a list of GTK 4 that tells no text", given = gtk4({ "Red" }, true), args = { element = "combobox", option = "Red" },
    err = "opened a list that does not tell the text of its options", code = "NOT_SUPPORTED" },
  { "a box of GTK 4 in the background", given = gtk4 { "Red" },
    args = { element = "combobox", option = "Red", background = true },
    err = "its options are told only while it is open", code = "NEEDS_FRONT" },
  { "an option of a page of Chromium, in the background", given = page("select", "showContextMenu"),
    args = { element = "combobox", option = "L", background = true },
    want = { effect = "confirmed", value = "L", route = "action select" } },
  { "an option of a page of Firefox, which would not be told of it, in the background", given = page "select",
    args = { element = "combobox", option = "L", background = true }, code = "NEEDS_FRONT",
    err = 'combobox "Size" cannot be opened in the background: its list takes keys or the pointer.' },
  { "a list that selects in itself while its box does not follow is opened and clicked", given = unfollowed(),
    args = { element = 'combobox "Tabs"', option = "West" },
    want = { effect = "confirmed", value = "West", route = "pointer at 140,262" } },
  { "of a list, in a form that keeps what is pressed",
    given = form(), args = { element = 'list "Languages"', option = "Deutsch" },
    want = { effect = "confirmed", route = "selection", changes = { '~ e8 listitem "Deutsch" selected' } } },
  { "what is chosen already, in a form that keeps what is pressed",
    given = form(), args = { element = 'combobox "Font"', option = "Serif" },
    want = { effect = "none_seen", route = "nothing to do", evidence = "it was chosen before, and still is" } },
  { "one that is not there, in a form that keeps what is pressed",
    given = form(), args = { element = 'combobox "Font"', option = "Mono" },
    err = 'combobox "Font" has no option "Mono". Nearest: "Monospace"', code = "INVALID_ARGUMENT" },
  { "of a combo box", given = form(), args = { element = 'combobox "Font"', option = "monospace" },
    has  = { 'Chose "Monospace" of e2 combobox "Font" by action click. Confirmed: "Monospace" is chosen now.' },
    want = { effect = "confirmed", value = "Monospace" } },
  { "options without an action are clicked in the open list", given = form(true),
    args = { element = 'combobox "Font"', option = "Sans" }, want = { effect = "confirmed", route = "pointer at 140,232" } },
  { "one of several that are selected", given = several(), args = { element = 'list "Colors"', option = "Blue" },
    want = { effect = "confirmed", evidence = '"Blue" is chosen now; also chosen: "Green"', value = "Blue" } },
  { "what had some effect is not done again", given = several(true), args = { element = 'list "Colors"', option = "Blue" },
    want = { effect = "none_seen", route = "selection", evidence = '"Green" is chosen' } },
  { "one that is off", given = several(), args = { element = 'list "Colors"', option = "Black" },
    err = 'listitem "Black" of list "Colors" is off: it cannot be chosen now.', code = "ELEMENT_DISABLED" },
  { "two of the same name", given = several(), args = { element = 'list "Colors"', option = "Red" },
    err = 'list "Colors" has 2 options "Red": e5, e6. Click one by its ref with click_element.', code = "ELEMENT_AMBIGUOUS" },
  { "what has no options", given = form(), args = { element = 'button "Apply"', option = "Yes" },
    err = 'button "Apply" tells of no options. Pass a combo box', code = "NOT_SUPPORTED" },
}


return verdicts.joined(CASES, verdicts.cases("an option that is not taken",
  { rows = verdicts.dialog("combobox", { value = "Red", actions = { "press" }, states = { expandable = true } },
      { 2, "listitem", "Red", actions = { "click" } }, { 2, "listitem", "Blue", actions = { "click" } }),
    args = { element = 'combobox "Target"', option = "Blue" } }))
