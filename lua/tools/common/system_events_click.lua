--- Click an element or a point. System Events checks osascript itself for the permission, which the user gave to another program;
--- so this is the engine's own input on every system.

local actions = require "elements.act.actions"
local click   = require "desktop.input.click"
local fail    = require "desktop.fail"
local perform = require "desktop.input.perform"
local s       = require "schema"
local tool    = require "elements.tools.shared"


---@param args {element?: string, application?: string, window?: string, x?: number, y?: number}
---@param call Call
local function run(args, call)
  if (args.element == nil) == (args.x == nil) then
    return fail.with("Pass either element, or x and y.", "bad_argument")
  end
  if not args.element then
    if args.application or args.window then
      return fail.with("application and window belong to element. A point needs neither.", "bad_argument")
    end
    return perform.run(click, { action = "click", x = args.x, y = args.y }, call)
  end
  if args.y then return fail.with("Pass either element, or x and y.", "bad_argument") end
  local report, err, code = actions.click { element = args.element, application = args.application, window = args.window,
    source = "auto" }
  if not report then return fail.with(err, code) end
  return tool.answer(call, "Clicked", report.found.node, report)
end


local function coordinate(description)
  return s.number(description, { optional = true, minimum = -1000000, maximum = 1000000 })
end


---@type Tool
return {
  title        = "Click",
  description  = "Click an element of an application, or a point of the desktop. The user is asked to approve it. click_element "
              .. "and create_input do the same and more. For an element, effect is confirmed only if a change was read back.",
  inputSchema  = s.object {
    { "element", s.string('A ref (e12), or a selector: button "Save", entry near "Name:".', { optional = true, minLength = 1,
      maxLength = 1000 }) },
    tool.application, tool.window,
    { "x", coordinate "In place of element: desktop points from the left of the main display." },
    { "y", coordinate "Desktop points from its top." },
  },
  annotations  = tool.acting,
  timeout      = 120,
  keeps        = true,  -- the refs
  common       = "com.apple.systemevents",
  codes        = tool.acting_codes,

  about = { "input", element = "element", application = "application", window = "window" },
  run = run,

  examples = {
    { "clicks an element, and reads back what came of it",
      shows = { { { 0, "window", "Notes" }, { 1, "button", "Save" } },
                { { 0, "window", "Notes" }, { 1, "button", "Save" }, { 0, "dialog", "Save As" } } },
      args  = { element = 'button "Save"' },
      has   = { 'Clicked e2 button "Save" by pointer at 140,172. Confirmed: dialog "Save As" came.' },
      want  = { element = "e2", effect = "confirmed" } },

    { "clicks a point",
      given = { ["sys.input.send"] = { pointer = { x = 100, y = 50 }, sent = 3, characters = 0, settled = false,
                  route = "xtest" } },
      args  = { x = 100, y = 50 },
      has   = { "Clicked at 100,50." },
      did   = { "input.send kind=click x=100 y=50" } },

    { "does not guess which of two is meant",
      args  = { element = 'button "Save"', x = 1, y = 2 },
      err   = "Pass either element, or x and y.", code = "INVALID_ARGUMENT" },
  },
}
