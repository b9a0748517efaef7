--- Mouse and keyboard, one action per call.

local aftermath    = require "elements.act.aftermath"
local click        = require "desktop.input.click"
local double_click = require "desktop.input.double_click"
local drag         = require "desktop.input.drag"
local fail         = require "desktop.fail"
local hold         = require "desktop.input.hold"
local key_down     = require "desktop.input.key_down"
local key_up       = require "desktop.input.key_up"
local keys         = require "desktop.input.keys"
local middle_click = require "desktop.input.middle_click"
local move         = require "desktop.input.move"
local paste        = require "desktop.input.paste"
local perform      = require "desktop.input.perform"
local press        = require "desktop.input.press"
local release      = require "desktop.input.release"
local results      = require "desktop.input.results"
local right_click  = require "desktop.input.right_click"
local s            = require "schema"
local scroll       = require "desktop.input.scroll"
local triple_click = require "desktop.input.triple_click"
local typing       = require "desktop.input.type"
local waiting      = require "desktop.tools.waiting"

local ACTIONS = { click, double_click, triple_click, right_click, middle_click, press, release, move, drag, scroll,
  keys, hold, key_down, key_up, typing, paste }
local NAMES, BY_NAME = {}, {}
for i, action in ipairs(ACTIONS) do NAMES[i], BY_NAME[action.name] = action.name, action end


local function coordinate(description, optional)
  return s.number(description, { optional = optional, minimum = -1000000, maximum = 1000000 })
end


---@type Tool
return {
  title        = "Create mouse or keyboard input",
  description  = "Send one mouse or keyboard action. Keys and text go to the focused window: call focus_window first, and pass "
              .. "window. For elements, use click_element and write_element_value. `settled` is true only if the application "
              .. "confirmed the input.",
  inputSchema  = s.object {
    { "action", s.enum(NAMES, "press and key_down last until release and key_up; hold presses keys for `duration`.") },
    { "window", s.string("Nothing is sent if another one would get it.", { optional = true, minLength = 1, maxLength = 1024 }) },
    { "x", coordinate("Desktop points. Default: the pointer's.", true) },
    { "y", coordinate(nil, true) },
    { "image_id", s.string("Of a screenshot: coordinates are its pixels.",
      { optional = true, maxLength = 100 }) },
    { "to_x", coordinate("End of a drag.", true) },
    { "to_y", coordinate(nil, true) },
    { "path", s.rare(s.array(s.object { { "x", coordinate "X coordinate." }, { "y", coordinate "Y coordinate." } },
      "All points of a drag, in place of x, y, to_x and to_y.", { optional = true, minItems = 2, maxItems = 1000 })) },
    { "button", s.enum({ "left", "middle", "right", "back", "forward" }, "Default: left.", { optional = true }) },
    { "modifiers", s.array(s.enum({ "shift", "ctrl", "alt", "meta", "cmd" }, nil),
      "Held during a pointer action.", { optional = true, maxItems = 4 }) },
    { "scroll_x", s.number("Notches right; negative: left.",
      { optional = true, minimum = -50000, maximum = 50000 }) },
    { "scroll_y", s.number("Notches down; negative: up.",
      { optional = true, minimum = -50000, maximum = 50000 }) },
    { "scroll_unit", s.rare(s.enum({ "lines", "pixels" }, "Unit of scroll_x and scroll_y: wheel notches (default), or pixels "
      .. "rounded to whole notches.", { optional = true })) },
    { "keys", s.string("As \"ctrl+shift+t\", \"F5\", \"enter\". cmd: Command on a Mac, otherwise Control.",
      { optional = true, minLength = 1, maxLength = 100 }) },
    { "count", s.integer("Repetitions.", { optional = true, minimum = 1, maximum = 100 }) },
    { "text", s.string("To type or paste. Typed, \\n presses Return, \\t Tab.",
      { optional = true, minLength = 1, maxLength = 1000000 }) },
    { "method", s.rare(s.enum({ "auto", "type", "paste" }, "auto (default) types, or pastes what cannot be typed exactly and "
      .. "restores the clipboard.", { optional = true })) },
    { "secret", s.boolean("For passwords: the log keeps only the length.",
      { optional = true }) },
    { "duration", s.number("Seconds of a move, drag, click or hold.",
      { optional = true, minimum = 0, maximum = 60 }) },
    aftermath.parameter,
    waiting.parameter,
  },
  outputSchema = results.schema,
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution    = { taskSupport = "optional" },
  timeout      = 300,
  codes        = fail.meanings("CLIPBOARD_REFUSED", "DIALOG_IN_FRONT", "FOCUS_LOST", "HELD", "IMAGE_NOT_FOUND", "INPUT_STOPPED",
    "INTERRUPTED", "INVALID_ARGUMENT", "NO_FOCUS", "PASTE_INSTEAD", "PASTE_NOT_TAKEN", "PASTE_UNKNOWN",
    "PERMISSION_DENIED_ACCESSIBILITY", "PICTURE_OUTDATED", "RESERVED_KEY", "WINDOW_COVERED", "WINDOW_MINIMIZED",
    "WINDOW_NOT_FOUND"),

  about = { "input", window = "window" },
  run = waiting.run(function(args, call) return perform.run(BY_NAME[args.action], args, call) end),

  examples = {
    { "a click at a point",
      given = { ["sys.input.send"] = { pointer = { x = 100, y = 50.5 }, sent = 3, characters = 0, settled = false,
                                       route = "xtest" } },
      args  = { action = "click", x = 100, y = 50.5 },
      has   = { "Clicked at 100,50.5." },
      want  = { sent = 3, settled = false, route = "xtest" },
      did   = { "input.send kind=click x=100 y=50.5" } },
    { "a key combination",
      given = { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 6, characters = 0, settled = true, route = "xtest" } },
      args  = { action = "keys", keys = "ctrl+shift+t" },
      want  = { settled = true },
      has   = { "Pressed ctrl+shift+t. The application confirmed it." } },
    { "text that the field cut",
      given = { ["desktop.read_back.before"] = {}, ["desktop.read_back.after"] = { arrived = false, seen = "a lo" },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 26, characters = 13, settled = true,
                                       route = "xtest" } },
      args  = { action = "type", text = "a longer text" },
      want  = { settled = false, code = "TEXT_DIFFERS", seen = "a lo" },
      has   = { "Typed 13 characters.\nTEXT_DIFFERS: The field holds \"a lo\" where the text was entered; do not enter" } },
    { "refuses arguments of another action",
      args  = { action = "click", text = "hello" },
      err   = "click does not accept text. It accepts count, duration, x, y, image_id, button, modifiers.",
      code  = "INVALID_ARGUMENT" },
  },
}
