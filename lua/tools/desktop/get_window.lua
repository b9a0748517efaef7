--- One window, as it is now.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local names      = require "desktop.names"
local s          = require "schema"
local windows    = require "desktop.windows"


---@param args {window: string}
---@param call Call
local function run(args, call)
  local found, err, code = names.look_at_window(args.window)
  if not found then return fail.with(err, code) end
  local facts = windows.facts(found)
  return call:result { content = { { type = "text", text = windows.line(facts) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Get a window",
  description  = "Get one window's bounds, title and states. For several windows, use list_windows.",
  inputSchema  = s.object { windows.parameter },
  outputSchema = windows.schema,
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed      = false,
  codes       = fail.meanings("AMBIGUOUS_WINDOW_IDENTIFIER", "INVALID_ARGUMENT", "WINDOW_NOT_FOUND"),

  about = { "every", window = "window" },
  run = beginnings.run(run),

  examples = {
    { "reports its facts",
      given = { ["sys.window.get"] = {
        pid = 7, started = 1, id = 9, kind = "dialog", title = "Save changes?", app = "Editor", instance = "editor",
        frame = { x = 10, y = 20, width = 300, height = 120 }, content = { x = 10, y = 40, width = 300, height = 100 },
        workspace = 0, order = 0, focused = true, on_screen = true, modal = true, parent = 8,
      } },
      args  = { window = "applications/7/windows/9" },
      has   = { '"Save changes?" (applications/7/windows/9), Editor, 300x120 at 10,20, dialog, focused, modal' },
      want  = { name = "applications/7/windows/9", application = "applications/7", states = { "modal" },
                parent = "applications/7/windows/8" } },
    { "one that was closed",
      given = { ["sys.window.get"] = { n = 3, false, "there is no window 9", "window_not_found" } },
      args  = { window = "applications/7/windows/9" }, err = "applications/7/windows/9 no longer exists",
      code  = "WINDOW_NOT_FOUND" },
  },
}
