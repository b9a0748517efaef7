--- Wait until something is seen on the desktop.

local conditions = require "desktop.conditions"
local fail       = require "desktop.fail"
local looks      = require "desktop.looks"
local s          = require "schema"
local waiting    = require "desktop.waiting"


---@param args {condition: string, window?: string, text?: string, seconds?: number, timeout?: number}
---@param call Call
local function run(args, call)
  local wrong = conditions.wrong(args)
  if wrong then return fail.with(wrong, "bad_argument") end
  local waited, err, code = waiting.await(args, args.timeout)
  if not waited then return fail.with(err, code) end
  if not waited.met then return fail.with(("After %.1f s %s"):format(waited.seconds, waited.text), "wait_timeout") end
  return call:result {
    content = { { type = "text", text = ("%s Waited %.1f s."):format(waited.text, waited.seconds) } },
    structuredContent = { condition = args.condition, waited = waited.seconds, window = waited.window and waited.window.name,
      title = waited.window and waited.window.title },
  }
end


local MENU  = looks.window { id = 4, kind = "popup", title = "" }
local notes = looks.window


---@type Tool
return {
  title        = "Wait for a window or the screen",
  description  = "Wait until something is seen on the desktop, and return as soon as it is. It can be a window that appears, "
              .. "closes, or gets the focus or a title, a popup that opens or closes, or the content of a window or the "
              .. "display that stops changing. Use it instead of repeated screenshots.",
  inputSchema  = s.object(conditions.PARAMETERS),
  outputSchema = s.object {
    { "condition", s.string() },
    { "waited", s.number "Seconds." },
    { "window", s.string("Resource name of the window that was seen.", { optional = true }) },
    { "title", s.string("Its title.", { optional = true }) },
  },
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  codes        = fail.meanings("INVALID_ARGUMENT", "WAIT_TIMEOUT", "WINDOW_NOT_FOUND"),

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
    { "an application instead of a window", given = {}, args = { condition = "gone", window = "applications/7" },
      err   = "does not name a window", code = "INVALID_ARGUMENT" },
    { "without a window", given = {}, args = { condition = "window" }, err = "needs window", code = "INVALID_ARGUMENT" },
  },
}
