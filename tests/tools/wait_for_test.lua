--- Cases of wait_for beside the examples in its file.

local screen = require "testing.windows"
local ui     = require "testing.interface"

local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "entry", "Name", value = "Ada" },
  { 1, "button", "Print", states = { enabled = false } } }
local DONE = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "entry", "Name", value = "Eve" }, { 1, "button", "Print" },
  { 1, "label", "Saved" } }


--- Interfaces that follow one another, each at the first event after the one before.
local function told(...)
  local all, at, looked = { ... }, 1, false
  local stubs = ui.stubs(...)
  return ui.with(stubs, {
    ["sys.window.changed"] = "1",
    ["sys.element.text"] = { text = "", length = 0, from = 0, to = 0 },
    ["sys.element.tree"] = function()
      looked = true
      return ui.tree(all[at])
    end,
    ["sys.element.changes"] = function(options)
      local happened = looked and options.since and at < #all
      if happened then at = at + 1 end
      return { events = happened and { { pid = 7, kind = "children", number = at } } or {}, next = at, missed = 0 }
    end })
end


local MENU  = screen.window { id = 4, kind = "popup", title = "" }


local notes = screen.window


---@type ToolExample[]
return {
  { "a window that appears, at a later look",
    given = screen.stubs({}, { notes() }), args = { condition = "window", window = "notes" },
    want  = { condition = "window", window = "applications/7/windows/3", waited = 0.75 },
    has   = { 'The window is there: "Notes" (applications/7/windows/3), Editor' } },
  { "text, wherever it is shown, at a later look", given = told(FORM, DONE), args = { condition = "text", text = "saved" },
    has   = { 'The text is there: e5 label "Saved"' } },
  { "a window that is not there for a moment, while a window manager takes it in hand",
    given = screen.stubs({ notes() }, {}, { notes() }, {}), args = { condition = "gone", window = "editor" },
    want  = { condition = "gone", waited = 1.25 } },
  { "a window that closes", given = screen.stubs({ notes() }, {}), args = { condition = "gone", window = "editor" },
    has   = { 'No window matches "editor".' } },
  { "a title that changes",
    given = screen.stubs({ notes() }, { notes { title = "Notes - saved" } }),
    args  = { condition = "title", window = "applications/7/windows/3", text = "SAVED" },
    has   = { '"Notes - saved"' } },
  { "a popup that closes", given = screen.stubs({ notes(), MENU }, { notes() }), args = { condition = "no_popup" },
    has   = { "No popup is open." } },
  { "stillness: a picture is taken only when something was drawn, and at the end",
    given = screen.drawing({ true, false }, { true, false }), args = { condition = "still" },
    has   = { "The content of the main display has not changed for 0.5 s. Waited 0.5 s." },
    did   = { "time.monotonic", "time.monotonic", "screen.capture", "time.monotonic", "screen.drawn", "screen.capture",
              "time.monotonic", "screen.drawn", "screen.capture", "time.monotonic" } },
  { "stillness where drawing is not reported",
    given = screen.drawing({ { nil, "no reports", "not_supported" } }, { false }), args = { condition = "still" },
    has   = { "has not changed for 0.5 s. (This desktop does not report drawing" } },
  { "what does not come in time",
    given = screen.stubs({ notes() }), args = { condition = "focused", window = "Notes", timeout = 3 },
    err   = 'no window that matches "Notes" has the keyboard focus. Windows now:', code = "WAIT_TIMEOUT" },
  { "an element that appears", given = told(FORM, FORM, DONE), args = { condition = "element", element = 'label "Saved"' },
    has   = { 'The element is there: e5 label "Saved", in window "Notes".' },
    want  = { condition = "element", element = "e5" } },
  { "one that goes", given = told(DONE, FORM), args = { condition = "element_gone", element = 'label "Saved"' },
    has   = { 'It is gone: no element matches label "Saved".' }, want = { condition = "element_gone" } },
  { "gone, of an element, as verify has it", given = told(DONE, FORM), args = { condition = "gone", element = 'label "Saved"' },
    want = { condition = "element_gone" } },
  { "one that takes input again", given = told(FORM, DONE), args = { condition = "enabled", element = 'button "Print"' },
    has   = { 'e4 button "Print" is enabled.' } },
  { "a value", given = told(FORM, DONE), args = { condition = "value", element = "entry", value = "Eve" },
    has   = { 'e3 entry "Name" holds "Eve".' } },
  { "an element that does not come: the nearest are named",
    given = told(FORM), args = { condition = "element", element = 'button "Prnt"', timeout = 0 },
    err   = 'no element matches button "Prnt". The nearest are:\n  e4 button "Print" off, in window "Notes"\n  e2 button',
    code  = "WAIT_TIMEOUT" },
  { "an element that does not come while a dialog is in front",
    given = ui.with(told(FORM), { ["sys.window.list"] = function()
      return { screen.window { id = 3, pid = 7, title = "Notes", order = 1 },
        screen.window { id = 5, pid = 7, title = "Save changes?", kind = "dialog", parent = 3, order = 0, focused = true } }
    end }),
    args  = { condition = "element", element = 'button "Prnt"', application = "applications/7", timeout = 0 },
    err   = '\nDialog "Save changes?" is in front. If it holds the application up, answer it with handle_dialog.',
    code  = "WAIT_TIMEOUT" },
  { "an application that does not answer",
    given = ui.with(told(FORM), { ["sys.element.tree"] = { n = 3, false, "process 7 does not respond", "app_hung" } }),
    args  = { condition = "element_gone", element = 'button "Save"', timeout = 0 },
    err   = "it is not known: process 7 does not respond", code = "WAIT_TIMEOUT" },
  { "a desktop without elements ends the wait",
    given = ui.with(told(FORM), { ["sys.element.tree"] = { n = 3, false, "no accessibility bus", "no_accessibility" } }),
    args  = { condition = "element", element = "button" }, err = "no accessibility bus", code = "NO_ACCESSIBILITY" },
  { "an element where a window is waited for", given = {}, args = { condition = "window", window = "x", element = "button" },
    err   = "condition window does not take element", code = "INVALID_ARGUMENT" },
  { "an application instead of a window", given = {}, args = { condition = "gone", window = "applications/7" },
    err   = "does not name a window", code = "INVALID_ARGUMENT" },
  { "a value without an element", given = {}, args = { condition = "value", value = "1" }, err = "needs element",
    code  = "INVALID_ARGUMENT" },
}
