--- Wait until something is seen on the desktop.

local conditions = require "desktop.conditions"
local elements   = require "testing.interface"
local fail       = require "desktop.fail"
local looks      = require "testing.windows"
local s          = require "schema"
local wait_for   = require "elements.check.wait_for"


---@param args {condition: string, window?: string, element?: string, text?: string, seconds?: number, timeout?: number}
---@param call Call
local function run(args, call)
  local wrong = conditions.wrong(args)
  if wrong then return fail.with(wrong, "bad_argument") end
  local waited, err, code = wait_for.await(args, args.timeout)
  if not waited then return fail.with(err, code) end
  if not waited.met then return fail.with(("After %.1f s %s"):format(waited.seconds, waited.text), "wait_timeout") end
  return call:result {
    content = { { type = "text", text = ("%s Waited %.1f s."):format(waited.text, waited.seconds) } },
    structuredContent = { condition = args.condition, waited = waited.seconds, window = waited.window and waited.window.name,
      title = waited.window and waited.window.title, element = waited.element },
  }
end


local FORM = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "entry", "Name", value = "Ada" },
  { 1, "button", "Print", states = { enabled = false } } }
local DONE = { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 1, "entry", "Name", value = "Eve" }, { 1, "button", "Print" },
  { 1, "label", "Saved" } }


--- Interfaces that follow one another, each at the first event after the one before.
local function told(...)
  local all, at, looked = { ... }, 1, false
  local stubs = elements.stubs(...)
  return elements.with(stubs, {
    ["sys.window.changed"] = "1",
    ["sys.element.text"] = { text = "", length = 0, from = 0, to = 0 },
    ["sys.element.tree"] = function()
      looked = true
      return elements.tree(all[at])
    end,
    ["sys.element.changes"] = function(options)
      local happened = looked and options.since and at < #all
      if happened then at = at + 1 end
      return { events = happened and { { pid = 7, kind = "children", number = at } } or {}, next = at, missed = 0 }
    end })
end


local MENU  = looks.window { id = 4, kind = "popup", title = "" }
local notes = looks.window


---@type Tool
return {
  title        = "Wait for a window, an element or the screen",
  description  = "Wait until something is seen on the desktop, and return as soon as it is. It can be a window that appears, "
              .. "closes, or gets the focus or a title, an element that appears, goes, is enabled or holds a value, text, a "
              .. "popup, or a screen that stops changing. Use it instead of repeated looks.",
  inputSchema  = s.object(conditions.PARAMETERS),
  outputSchema = s.object {
    { "condition", s.string() },
    { "waited", s.number "Seconds." },
    { "window", s.string("Resource name of the window that was seen.", { optional = true }) },
    { "title", s.string("Its title.", { optional = true }) },
    { "element", s.string("Ref of the element that was seen.", { optional = true }) },
  },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  keeps        = true,  -- the refs
  codes        = fail.meanings("ELEMENT_NOT_FOUND", "INVALID_ARGUMENT", "NOT_SUPPORTED", "NO_ACCESSIBILITY", "WAIT_TIMEOUT",
    "WINDOW_NOT_FOUND"),

  run = run,

  examples = {
    { "a window that appears",
      given = looks.stubs({}, { notes() }), args = { condition = "window", window = "notes" },
      want  = { condition = "window", window = "applications/7/windows/3", waited = 0.75 },
      has   = { 'The window is there: applications/7/windows/3  "Notes" (Editor)' } },
    { "a window that is not there for a moment, while a window manager takes it in hand",
      given = looks.stubs({ notes() }, {}, { notes() }, {}), args = { condition = "gone", window = "editor" },
      want  = { condition = "gone", waited = 1.25 } },
    { "a window that closes", given = looks.stubs({ notes() }, {}), args = { condition = "gone", window = "editor" },
      has   = { 'No window matches "editor".' } },
    { "a title that changes",
      given = looks.stubs({ notes() }, { notes { title = "Notes - saved" } }),
      args  = { condition = "title", window = "applications/7/windows/3", text = "SAVED" },
      has   = { '"Notes - saved"' } },
    { "a popup that closes", given = looks.stubs({ notes(), MENU }, { notes() }), args = { condition = "no_popup" },
      has   = { "No popup is open." } },
    { "stillness: a picture is taken only when something was drawn, and at the end",
      given = looks.drawing({ true, false }, { true, false }), args = { condition = "still" },
      has   = { "The content of the main display has not changed for 0.5 s. Waited 0.5 s." },
      did   = { "time.monotonic", "time.monotonic", "screen.capture", "time.monotonic", "screen.drawn", "screen.capture",
                "time.monotonic", "screen.drawn", "screen.capture", "time.monotonic" } },
    { "stillness where drawing is not reported",
      given = looks.drawing({ { nil, "no reports", "not_supported" } }, { false }), args = { condition = "still" },
      has   = { "has not changed for 0.5 s. (This desktop does not report drawing" } },
    { "what does not come in time",
      given = looks.stubs({ notes() }), args = { condition = "focused", window = "Notes", timeout = 3 },
      err   = 'no window that matches "Notes" has the keyboard focus. Windows now:', code = "WAIT_TIMEOUT" },
    { "an element that appears", given = told(FORM, FORM, DONE), args = { condition = "element", element = 'label "Saved"' },
      has   = { 'The element is there: e5 label "Saved", in window "Notes".' },
      want  = { condition = "element", element = "e5" } },
    { "one that goes", given = told(DONE, FORM), args = { condition = "element_gone", element = 'label "Saved"' },
      has   = { 'It is gone: no element matches label "Saved".' }, want = { condition = "element_gone" } },
    { "gone, of an element, as verify has it", given = told(DONE, FORM), args = { condition = "gone", element = 'label "Saved"' },
      want = { condition = "element_gone" } },
    { "text, wherever it is shown", given = told(FORM, DONE), args = { condition = "text", text = "saved" },
      has   = { 'The text is there: e5 label "Saved"' } },
    { "one that takes input again", given = told(FORM, DONE), args = { condition = "enabled", element = 'button "Print"' },
      has   = { 'e4 button "Print" is enabled.' } },
    { "a value", given = told(FORM, DONE), args = { condition = "value", element = "entry", value = "Eve" },
      has   = { 'e3 entry "Name" holds "Eve".' } },
    { "an element that does not come: the nearest are named",
      given = told(FORM), args = { condition = "element", element = 'button "Prnt"', timeout = 0 },
      err   = 'no element matches button "Prnt". The nearest are:\n  e4 button "Print" off, in window "Notes"\n  e2 button',
      code  = "WAIT_TIMEOUT" },
    { "an application that does not answer",
      given = elements.with(told(FORM), { ["sys.element.tree"] = { n = 3, false, "process 7 does not respond", "app_hung" } }),
      args  = { condition = "element_gone", element = 'button "Save"', timeout = 0 },
      err   = "it is not known: process 7 does not respond", code = "WAIT_TIMEOUT" },
    { "a desktop without elements ends the wait",
      given = elements.with(told(FORM), { ["sys.element.tree"] = { n = 3, false, "no accessibility bus", "no_accessibility" } }),
      args  = { condition = "element", element = "button" }, err = "no accessibility bus", code = "NO_ACCESSIBILITY" },
    { "a value without an element", given = {}, args = { condition = "value", value = "1" }, err = "needs element",
      code  = "INVALID_ARGUMENT" },
    { "an element where a window is waited for", given = {}, args = { condition = "window", window = "x", element = "button" },
      err   = "condition window does not take element", code = "INVALID_ARGUMENT" },
    { "an application instead of a window", given = {}, args = { condition = "gone", window = "applications/7" },
      err   = "does not name a window", code = "INVALID_ARGUMENT" },
    { "without a window", given = {}, args = { condition = "window" }, err = "needs window", code = "INVALID_ARGUMENT" },
  },
}
