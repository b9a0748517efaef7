--- Cases of drag_element beside the examples in its file.

local ui = require "testing.interface"

local ROWS = { { 0, "window", "Files" }, { 1, "listitem", "a.txt", states = { selectable = true } },
  { 1, "listitem", "Folder", states = { selectable = true } }, { 1, "slider", "Volume", value = "3" } }


--- The files, with other members of one row.
local function files(row, more)
  local rows = {}
  for i, each in ipairs(ROWS) do
    rows[i] = {}
    for key, value in pairs(each) do rows[i][key] = value end
    for key, value in pairs(i == row and more or {}) do rows[i][key] = value end
  end
  return rows
end


local SELECTED = files(2, { states = { selectable = true, selected = true } })
local GONE = { ROWS[1], { 1, "listitem", "Folder", id = 3 }, { 1, "slider", "Volume", value = "3", id = 4 } }


--- The files, for a drag whose way is checked.
local function way()
  local stubs = ui.shown { ROWS, GONE }
  local drag = stubs["sys.input.drag"]
  return ui.with(stubs, { ["sys.input.drag"] = function(path, options)
    local steps = {}
    for i, point in ipairs(path) do steps[i] = point.y end
    assert(table.concat(steps, " ") == "172 175 178 181 184 190 391 394 397 400", table.concat(steps, " "))
    assert(options.modifiers[1] == "ctrl" and options.duration > 0)
    return drag()
  end })
end


---@type ToolExample[]
return {
  { "the way begins and ends in short steps",
    given = way(), args = { element = '"a.txt"', to = "140,400", modifiers = { "ctrl" } },
    want  = { element = "e2", effect = "confirmed", route = "pointer from 140,172 to 140,400" } },
  { "the value of what was dragged counts",
    shows = { ROWS, files(4, { value = "8" }) }, args = { element = "slider", to = "190,202" },
    want  = { effect = "confirmed", changes = { '~ e4 slider "Volume" ="8"' } } },
  { "a selection alone is no effect, also of two that change it",
    shows = { files(3, { states = { selectable = true, selected = true } }), SELECTED },
    args  = { element = '"a.txt"', to = '"Folder"' }, want = { effect = "none_seen" } },
  { "nothing changed",
    shows = { ROWS }, args = { element = '"a.txt"', to = '"Folder"' },
    want  = { effect = "none_seen", evidence = "nothing changed that the application tells of; look before you do it again" } },
  { "another window lies over the start once the target is in front",
    given = ui.with(ui.shown { ROWS, GONE }, {
      ["sys.window.over"] = { title = "Mail", kind = "normal", app = "Mail", own = false } }),
    args  = { element = '"a.txt"', to = '"Folder"' }, err = "is covered by the window \"Mail\"", code = "WINDOW_COVERED" },
  { "a point of no window",
    shows = { ROWS }, args = { element = '"a.txt"', to = "5000,5000" }, err = "No window is at 5000,5000.",
    code = "INVALID_ARGUMENT" },
  { "a target that is not there",
    shows = { ROWS }, args = { element = '"a.txt"', to = '"Trash"' }, err = 'No element matches "Trash"',
    code = "ELEMENT_NOT_FOUND" },
  { "input that fails",
    given = ui.with(ui.shown { ROWS }, { ["sys.input.drag"] = { n = 3, false, "input is stopped", "stopped" } }),
    args  = { element = '"a.txt"', to = '"Folder"' }, err = "input is stopped", code = "INPUT_STOPPED" },
}
