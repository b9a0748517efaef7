--- Wait until something is seen on the desktop.

local conditions = require "desktop.conditions"
local fail       = require "desktop.fail"
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


---@type Tool
return {
  title        = "Wait for a window, an element or the screen",
  description  = "Wait until a condition of a window, an element, text, popups or the screen is seen. still: the screen stops "
              .. "changing. Use it instead of repeated looks.",
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

  about = { "every", window = "window", element = "element", application = "application" },
  run = run,

  examples = {
    { "a window that appears",
      given = { ["sys.window.changed"] = "1", ["sys.window.list"] = function()
        return { { pid = 7, started = 70, id = 3, kind = "normal", title = "Notes", app = "Editor", on_screen = true,
          frame = { x = 100, y = 50, width = 400, height = 300 } } }
      end },
      args  = { condition = "window", window = "notes" },
      want  = { condition = "window", window = "applications/7/windows/3" },
      has   = { 'The window is there: "Notes" (applications/7/windows/3), Editor' } },
    { "text, wherever it is shown", shows = { { { 0, "window", "Notes" }, { 1, "label", "Saved" } } },
      args  = { condition = "text", text = "saved" }, has = { 'The text is there: e2 label "Saved"' } },
    { "without a window", given = {}, args = { condition = "window" }, err = "needs window", code = "INVALID_ARGUMENT" },
  },
}
