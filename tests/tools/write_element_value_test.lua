--- Cases of write_element_value beside the examples in its file.

local ui       = require "testing.interface"
local verdicts = require "testing.verdicts"

local FORM = { { 0, "window", "Notes" }, { 1, "entry", "Name", value = "Ada", states = { editable = true } },
  { 1, "slider", "Zoom", number = 100, value = "100", least = 50, most = 200, step = 10 }, { 1, "button", "Save" },
  { 1, "password", "Password", abilities = { write = true }, states = { editable = true } } }
local WRITTEN = { FORM[1], { 1, "entry", "Name", value = "Eve", states = { editable = true } }, FORM[3], FORM[4], FORM[5] }
local ZOOMED = { FORM[1], FORM[2],
  { 1, "slider", "Zoom", number = 120, value = "120", least = 50, most = 200, step = 10 }, FORM[4] }


--- A page with a field of several lines that takes only input of a user.
local PAGE = { { 0, "window", "Page" }, { 1, "entry", "Area", states = { editable = true, multiline = true, focused = true } } }


--- A box that is mixed: of three states, of which a press gives the next, or mixed for good.
---@param for_good? boolean
local function mixed(for_good)
  local state = { mixed = true }
  return ui.live(function()
    return { { 0, "window", "Notes" }, { 1, "checkbox", "All", states = { checkable = true, mixed = state.mixed or nil,
      checked = state.checked or nil } } }
  end, function() state = { checked = not state.checked, mixed = for_good } end)
end


--- A cell of a sheet. `shut`: it cannot be edited.
---@param shut? boolean
local function sheet(shut)
  local text, cursor, edited, pasted = "", false, false, ""
  local function draw()
    local rows = { { 0, "window", "Sheet" }, { 1, "cell", "B4", value = text, number = 0,
      abilities = { count = true, read = true }, states = { editable = true, focused = cursor and not edited } } }
    if edited then rows[3] = { 1, "paragraph", "", states = { focused = true } } end
    return rows
  end
  local stubs = ui.live(draw, function(what)
    if what == "B4" then cursor = true end
    if what == "key f2" then edited = cursor and not shut end
    if what == "key return" then text, edited = pasted, false end
  end)
  stubs["sys.input.paste"] = function(new)
    if not edited then error "pasted into a cell that is not edited" end
    pasted = new
    return { sent = 4 }
  end
  return stubs
end


--- A cell of Qt, whose text is its name. Its editor is not listed, and tells only of its focus. `shut`: it cannot be edited.
---@param shut? boolean
local function cell_of_qt(shut)
  local text, cursor, edited, pasted = "old", false, false, ""
  local stubs = ui.live(function()
    return { { 0, "window", "Table" }, { 1, "cell", text, actions = { "Toggle" }, abilities = { act = true, focus = true },
      states = { focusable = true, selectable = true, focused = cursor } } }
  end, function(what)
    if what == "old" then cursor = true end
    if what == "key f2" then edited = cursor and not shut end
    if what == "key return" then text, edited = pasted, false end
  end)
  return ui.with(stubs, {
    ["sys.element.changes"] = function(query)
      local focused = query.since and edited and { kind = "focus", detail = "focused on", pid = 7, number = 2, at = 0 }
      return { events = focused and { focused } or {}, next = 2, missed = 0 }
    end,
    ["sys.input.paste"] = function(new)
      if not edited then error "pasted into a cell that is not edited" end
      pasted = new
      return { sent = 4 }
    end })
end


--- sys.element.text answers these, one after the other.
local function texts(...)
  local list = {}
  for i, text in ipairs { ... } do list[i] = { text = text, length = #text, from = 0, to = #text } end
  return list
end


--- A box whose text is in a field of its own, which is not told.
local function box(name)
  return { 1, "combobox", name, abilities = { read = true, write = true }, states = { editable = true, focused = true } }
end


local function date(value)
  return { 1, "spin", "Date", value = value, abilities = { read = true, write = true },
    states = { editable = true, focused = true } }
end


--- The parts of a date of a page in this order: its limits as Chromium tells them, and "0" while it is empty.
local PARTS = { Day = { 1, 31 }, Month = { 1, 12 }, Year = { 1, 275760 } }

local function page_date(names, more)
  local rows = { { 0, "window", "Page" }, { 1, "entry", "Arrival", native = "date editor" } }
  for _, name in ipairs(names) do
    local limits = PARTS[name] or {}
    rows[#rows + 1] = { 2, "spin", name, number = 0, value = "0", least = limits[1] or 0, most = limits[2] or 0,
      abilities = { count = true, read = true, focus = true }, states = { focusable = true } }
    for key, value in pairs(more or {}) do rows[#rows][key] = value end
  end
  return rows
end


--- The same, alive: what is typed goes to the part with the focus, and Tab leaves it. `late`: as in a browser that is busy, a
--- full part gives the focus to the next one, and a part that is asked for while it has the focus gets it once more after that.
local function live_date(names, late)
  local rows, focus, asked, owed = page_date(names), nil, nil, nil
  local stubs = ui.live(function()
    for i, row in ipairs(rows) do
      if i > 2 then row.states = { focusable = true, focused = i == focus } end
    end
    return rows
  end, function(what) if what == "key tab" then focus = nil end end)
  return ui.with(stubs, {
    ["sys.element.act"] = function(id)
      asked = late and focus == id and id or nil
      focus = id
      return { agreed = true, route = "at-spi" }
    end,
    ["sys.input.type"] = function(text)
      focus, owed, asked = owed or focus, asked, nil
      rows[focus].value, rows[focus].number = text, tonumber(text)
      if late and #text == 2 then focus = focus + 1 end
      return { sent = 2 * #text }
    end })
end


--- A field of a page of Chromium, which takes only what is typed.
local function typed(role, value, more, left)
  local states = { editable = true, focusable = true, focused = not left, multiline = more }
  return { { 0, "window", "Page" }, { 1, "document", "Page", native = "document web" },
    { 2, role, "Town", value = value, abilities = { read = true }, states = states } }
end


--- A slider that takes no number. `by`: "actions" or "keys" that move it, by the size of a step.
---@param by string
---@param size integer
local function stepping(by, size)
  local at = 50
  local stubs = ui.live(function()
    return { { 0, "window", "Form" }, { 1, "slider", "Level", value = ("%d"):format(at), number = at, least = 0, most = 1000,
      actions = { "increment", "decrement" }, states = { focusable = true, focused = true } } }
  end, function() end)
  stubs["sys.element.act"] = function(_, change)
    if by == "actions" and change.verb == "do" then at = at + (change.name == "increment" and size or -size) end
    return { agreed = true, route = "at-spi" }
  end
  stubs["sys.input.keys"] = function(keys, options)
    local far = ({ up = size, down = -size, pageup = 10 * size, pagedown = -10 * size })[keys] or 0
    if by == "keys" then at = math.max(0, math.min(1000, at + far * (options and options.count or 1))) end
    return { sent = 2 }
  end
  return stubs
end


--- A number of Swing: it takes nothing itself, and what is typed into its field when that is left.
local function spin_of_swing()
  local held, text, focus = "5", "5", "none"
  local stubs = ui.live(function()
    return { { 0, "window", "Form" }, { 1, "spin", "Count", value = held, number = tonumber(held), least = 0, most = 100,
      abilities = { count = true, focus = true, read = true }, actions = { "increment", "decrement" },
      states = { focusable = true } },
      { 2, "group", "" }, { 3, "entry", "", value = text, states = { editable = true, focusable = true,
        focused = focus == "entry" } }, { 1, "entry", "Next", states = { focused = focus == "next" } } }
  end, function() end)
  stubs["sys.element.act"] = function(id, change)
    if change.verb == "focus" then focus = id == 4 and "entry" or "none" end
    return { agreed = true, route = "at-spi" }
  end
  stubs["sys.input.type"] = function(new)
    text = focus == "entry" and new or text
    return { sent = 2 }
  end
  stubs["sys.input.keys"] = function(keys)
    if keys == "tab" then held, focus = text, "next" end
    return { sent = 2 }
  end
  return stubs
end


---@type ToolExample[]
local CASES = {
  { "a slider that takes only steps", given = stepping("actions", 1), args = { element = "slider", value = "120" },
    want = { effect = "confirmed", route = "steps", value = "120" } },
  { "the same in the background", given = stepping("actions", 1),
    args = { element = "slider", value = "20", background = true }, want = { effect = "confirmed", route = "steps" } },
  { "a slider that takes only keys, far away", given = stepping("keys", 1), args = { element = "slider", value = "987" },
    want = { effect = "confirmed", route = "keys", value = "987" } },
  { "its keys in the background", given = stepping("keys", 1), code = "NEEDS_FRONT",
    args = { element = "slider", value = "20", background = true },
    err = 'slider "Level" cannot be set in the background: it takes no number, and its keys take the focus' },
  { "a slider whose steps do not meet the number", given = stepping("keys", 10), args = { element = "slider", value = "73" },
    want = { effect = "partial", value = "70", evidence = 'it holds something else: "70"; it moves by steps of 10' } },
  { "a scroll bar that tells no range", code = "NOT_SUPPORTED",
    given = ui.stubs { { 0, "window", "Form" }, { 1, "scrollbar", "Bar", number = 0, least = 0, most = 0,
      abilities = { count = true }, states = { focusable = true } } }, args = { element = 'scrollbar "Bar"', value = "40" },
    err = 'scrollbar "Bar" took no number, and tells neither its value nor its range.' },
  { "a number that its field takes when it is left", given = spin_of_swing(), args = { element = "spin", value = "42" },
    want = { effect = "confirmed", route = "keys, then tab", value = "42" } },
  { "a field of a page is left, which hears of the value only then", shows = { typed("entry", ""), typed("entry", "Oslo") },
    args = { element = 'entry "Town"', value = "Oslo" }, want = { effect = "confirmed", route = "keys, then tab" } },
  { "a field of a page with suggestions is typed into and left",
    shows = { typed("combobox", ""), typed("combobox", "Oslo"), typed("combobox", "Oslo"), typed("combobox", "Oslo", nil, true) },
    args = { element = 'combobox "Town"', value = "Oslo" }, want = { effect = "confirmed", route = "keys, then tab" } },
  { "a field of lines in a page is not left, because Tab may be text there",
    shows = { typed("entry", "", true), typed("entry", "Oslo", true) }, args = { element = 'entry "Town"', value = "Oslo" },
    want = { effect = "confirmed", route = "keys",
      evidence = "the value was read back; it may be not taken over until the field is left" } },
  { "text, read back exactly, among other fields",
    given = ui.with(ui.stubs(FORM, WRITTEN), { ["sys.element.text"] = texts("Ada", "Eve", "Eve", "Eve") }),
    args  = { element = 'entry "Name"', value = "Eve" },
    has   = { 'Wrote to e2 entry "Name" by text. Confirmed: the value was read back.\n~ e2 entry "Name" ="Eve"' },
    want  = { effect = "confirmed", route = "text", value = "Eve" } },
  { "a field that cuts what it is given, among other fields",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = texts("Ada", "Ev", "Ev", "Ev") }),
    args  = { element = 'entry "Name"', value = "Eve" },
    want  = { effect = "partial", evidence = 'it holds something else: "Ev"', value = "Ev" } },
  { "a field that agrees and takes nothing gets keys",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = texts("Ada", "Ada", "Eve", "Eve"),
      ["sys.input.click"] = { sent = 2 }, ["sys.input.keys"] = { sent = 4 }, ["sys.input.type"] = { sent = 6 } }),
    args  = { element = 'entry "Name"', value = "Eve" }, want = { effect = "confirmed", route = "keys" } },
  { "a line end in a field of one line, where it would be the Return key",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = texts("Ada") }),
    args  = { element = 'entry "Name"', value = "Eve\n" },
    err   = 'entry "Name" holds one line, and the value has a line end.', code = "INVALID_ARGUMENT" },
  { "line ends and tabs are pasted and not typed, as keys they would leave the field",
    given = ui.with(ui.stubs(PAGE), { ["sys.element.text"] = texts("", "", "a\tb\nc", "a\tb\nc"),
      ["sys.input.keys"] = { sent = 4 }, ["sys.input.paste"] = { sent = 4 } }),
    args  = { element = 'entry "Area"', value = "a\tb\nc" }, want = { effect = "confirmed", route = "paste" } },
  { "keys are not sent to another field that has the focus",
    given = ui.with(ui.stubs { PAGE[1], { 1, "entry", "Area", states = { editable = true, focusable = true } } },
      { ["sys.element.text"] = { text = "", length = 0, from = 0, to = 0 }, ["sys.input.click"] = { sent = 2 } }),
    args  = { element = 'entry "Area"', value = "abc" },
    err   = 'entry "Area" was clicked and did not get the keyboard focus, so nothing was typed.', code = "ELEMENT_REFUSED" },
  { "what it holds already is not written again",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = texts("Eve", "Eve", "Eve") }),
    args  = { element = 'entry "Name"', value = "Eve" }, want = { effect = "confirmed", route = "nothing to do" } },
  { "characters that are not shown are known by their number",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = { n = 1, { text = "Eve", length = 4, from = 0, to = 4 } } }),
    args  = { element = 'entry "Name"', value = "Ev\u{202E}e" },
    want  = { effect = "confirmed", evidence = "the value was read back; of one character that is not shown the number" } },
  { "a field that drops characters that are not shown",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = { n = 1, { text = "Eve", length = 3, from = 0, to = 3 } } }),
    args  = { element = 'entry "Name"', value = "Ev\u{202E}e" }, want = { effect = "partial",
      evidence = "what is shown of it was read back, but not one character that is not shown" } },
  { "a number of seven digits", given = ui.stubs({ FORM[1], { 1, "spin", "Count", number = 1, value = "1",
      abilities = { count = true } } }, { FORM[1], { 1, "spin", "Count", number = 2000000, value = "2000000",
      abilities = { count = true } } }),
    args = { element = "spin", value = "2000000" }, want = { effect = "confirmed", route = "number", value = "2000000" } },
  { "a number that is shown in another way", given = ui.stubs({ FORM[1], { 1, "spin", "Share", number = 10, value = "10 %",
      abilities = { count = true } } }, { FORM[1], { 1, "spin", "Share", number = 20, value = "20 %",
      abilities = { count = true } } }),
    args = { element = "spin", value = "20" }, want = { effect = "confirmed", value = "20 %" } },
  { "a box that tells no text, and has the value as its name", shows = { { FORM[1], box "" }, { FORM[1], box "Oslo" } },
    args = { element = "combobox", value = "Oslo" }, want = { effect = "confirmed", evidence = "the value was read back" } },
  { "a box that tells no text, and has another value as its name", shows = { { FORM[1], box "" }, { FORM[1], box "Rome" } },
    args = { element = "combobox", value = "Oslo" },
    want = { effect = "partial", evidence = 'it holds something else: "Rome"' } },
  { "a date whose text is told as it was, while the interface shows another",
    given = ui.with(ui.stubs({ FORM[1], date "1" }, { FORM[1], date "2" }), { ["sys.element.text"] =
      { n = 1, { text = "1", length = 1, from = 0, to = 1 } }, ["sys.input.keys"] = { sent = 4 },
      ["sys.input.type"] = { sent = 6 } }),
    args = { element = "spin", value = "2" },
    want = { effect = "partial", evidence = 'it holds what it held before: "1", but spin "Date" has another value' } },
  { "a mixed box is off only after a second press", given = mixed(), args = { element = "checkbox", value = "false" },
    want = { effect = "confirmed", evidence = "it is not checked now" } },
  { "a box that stays mixed is neither on nor off", given = mixed(true), args = { element = "checkbox", value = "true" },
    want = { effect = "partial", evidence = "it is still mixed, neither on nor off" } },
  { "text for a cell of a sheet", given = sheet(), args = { element = 'cell "B4"', value = "hello" },
    want = { effect = "confirmed", route = "keys", value = "hello" } },
  { "line ends for a cell, where they would be other cells", given = sheet(), args = { element = 'cell "B4"', value = "a\nb" },
    err = 'cell "B4" takes text of one line without tabs.', code = "INVALID_ARGUMENT" },
  { "a cell that cannot be edited gets no text", given = sheet(true), args = { element = 'cell "B4"', value = "hello" },
    err = 'cell "B4" cannot be edited, so nothing was written.', code = "ELEMENT_REFUSED" },
  { "a cell of Qt that is edited where it is", given = cell_of_qt(), args = { element = "cell", value = "new" },
    want = { effect = "confirmed", route = "keys", value = "new" } },
  { "a cell of Qt that cannot be edited gets no text", given = cell_of_qt(true), args = { element = "cell", value = "new" },
    err = 'cell "old" cannot be edited, so nothing was written.', code = "ELEMENT_REFUSED" },
  { "a number", given = ui.stubs(FORM, ZOOMED), args = { element = 'slider "Zoom"', value = "120" },
    want = { effect = "confirmed", route = "number", value = "120" } },
  { "a slider of a web page, whose text is empty",
    given = ui.with(ui.stubs({ { 0, "window", "Page" }, { 1, "slider", "Level", number = 2, value = "2",
      abilities = { count = true, read = true } } }, { { 0, "window", "Page" }, { 1, "slider", "Level", number = 7, value = "7",
      abilities = { count = true, read = true } } }), { ["sys.element.text"] = { text = "", length = 0, from = 0, to = 0 } }),
    args  = { element = "slider", value = "7" }, want = { effect = "confirmed", value = "7" } },
  { "a number that a web page agrees to and does not take is typed",
    given = ui.with(ui.stubs { { 0, "window", "Page" }, { 1, "spin", "Guess", value = "", number = 0,
      abilities = { count = true, focus = true }, states = { editable = true, focused = true } } },
      { ["sys.input.keys"] = { sent = 4 }, ["sys.input.type"] = { sent = 6 } }),
    args  = { element = "spin", value = "7" }, want = { effect = "none_seen", route = "keys" } },
  { "a date of a page whose day comes first", given = live_date { "Day", "Month", "Year" },
    args = { element = "entry", value = "2026-02-03" },
    want = { effect = "confirmed", route = "keys, then tab", value = "2026-02-03" }, has = { '~ e3 spin "Day" =03' } },
  { "a date of a page whose year comes first", given = live_date { "Year", "Month", "Day" },
    args = { element = "entry", value = "2026-02-03" }, want = { effect = "confirmed", value = "2026-02-03" } },
  { "a date of a page that goes on to the next part by itself, late", given = live_date({ "Day", "Month", "Year" }, true),
    args = { element = "entry", value = "2026-02-03" }, want = { effect = "confirmed", value = "2026-02-03" } },
  { "a day that there is not", given = live_date { "Day", "Month", "Year" }, args = { element = "entry", value = "2026-02-30" },
    err = 'entry "Arrival" takes a value such as 2026-02-03, and "2026-02-30" is none.', code = "INVALID_ARGUMENT" },
  { "a time for a date of a page", given = live_date { "Day", "Month", "Year" }, args = { element = "entry", value = "13:45" },
    err = 'entry "Arrival" takes a value such as 2026-02-03, and "13:45" is none.', code = "INVALID_ARGUMENT" },
  { "a date of a page that allows few years",
    given = ui.stubs(page_date({ "Day", "Month", "Year" }, { least = 1, most = 20 })),
    args = { element = "entry", value = "2026-02-03" }, err = 'spin "Year" of entry "Arrival" holds 1 to 20.',
    code = "INVALID_ARGUMENT" },
  { "a date of a page whose parts are not told apart", given = ui.stubs(page_date { "Tag", "Monat", "Jahr" }),
    args = { element = "entry", value = "2026-02-03" }, code = "NOT_SUPPORTED",
    err = 'entry "Arrival" does not tell which of its parts is the day, the month and so on. Write each: spin "Tag", ' },
  { "a color entry of a page",
    given = ui.stubs { { 0, "window", "Page" }, { 1, "button", "Paint", abilities = { write = true } } },
    args = { element = "button", value = "#12ab34" }, code = "NOT_SUPPORTED",
    err = 'button "Paint" takes no value. Pass a field, a number, a check box or a combo box. If it opens a choice of colors' },
  { "a password cannot be read back",
    given = ui.with(ui.stubs(FORM), { ["sys.element.text"] = { n = 3, false, "no text", "not_supported" } }),
    args  = { element = "password", value = "secret" },
    want = { effect = "unknown", evidence = "the element does not tell what it holds" } },
  { "a password that is agreed to and not taken is typed",
    given = ui.with(ui.stubs { { 0, "window", "Page" }, { 1, "password", "Secret", states = { editable = true,
      focused = true }, abilities = { write = true, focus = true } } }, { ["sys.input.keys"] = { sent = 4 },
      ["sys.input.type"] = { sent = 6 }, ["sys.element.text"] = { text = "", length = 0, from = 0, to = 0 } }),
    args  = { element = "password", value = "secret" }, want = { effect = "unknown", route = "keys" } },
}


return verdicts.joined(CASES,
  verdicts.cases("a field that does not take the value", { rows = verdicts.dialog("entry", { value = "old",
    states = { editable = true, focused = true } }), args = { element = 'entry "Target"', value = "new" } }),
  verdicts.cases("a number that is not taken", { rows = verdicts.dialog("spin", { value = "1", number = 1,
    abilities = { count = true }, states = { editable = true, focused = true } }),
    args = { element = 'spin "Target"', value = "7" } }),
  verdicts.cases("a box that tells no text of its own", { rows = verdicts.dialog("combobox", { value = "",
    abilities = { read = true, write = true, focus = true }, states = { editable = true, focused = true } }),
    args = { element = 'combobox "Target"', value = "new" } }),
  verdicts.cases("a check box that is set", { rows = verdicts.dialog("checkbox", { states = { checkable = true } }),
    args = { element = 'checkbox "Target"', value = "true" }, effects = { ["its mark"] = "confirmed" } }))
