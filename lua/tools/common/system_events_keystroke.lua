--- Type text or press a key combination. System Events checks osascript itself for the permission, which the user gave to another
--- program; so this is the engine's own input on every system.

local fail    = require "desktop.fail"
local keys    = require "desktop.input.keys"
local perform = require "desktop.input.perform"
local results = require "desktop.input.results"
local s       = require "schema"
local typing  = require "desktop.input.type"

local MODIFIERS = { command = "cmd", control = "ctrl", option = "alt", shift = "shift" }


---@param args {text: string, using?: string[]}
---@param call Call
local function run(args, call)
  if not args.using or #args.using == 0 then return perform.run(typing, { action = "type", text = args.text }, call) end
  local parts = {}
  for i, name in ipairs(args.using) do parts[i] = MODIFIERS[name] end
  parts[#parts + 1] = args.text == " " and "space" or args.text
  return perform.run(keys, { action = "keys", keys = table.concat(parts, "+") }, call)
end


---@type Tool
return {
  title        = "Send a keystroke",
  description  = "Type text, or press one key with modifiers, in the focused window. The user is asked to approve it. Call "
              .. "focus_window first. create_input does the same and more: clicks, drags, pasting. `settled` is true only if the "
              .. "application confirmed the input.",
  inputSchema  = s.object {
    { "text", s.string('Text to type; \\n presses Return, \\t Tab. With using: one key, such as "c", "F5" or "left".',
      { minLength = 1, maxLength = 100000 }) },
    { "using", s.array(s.enum { "command", "control", "option", "shift" },
      "Modifiers held while the key is pressed. command: Control on Linux; option: Alt.", { optional = true, maxItems = 4 }) },
  },
  outputSchema = results.schema,
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  timeout      = 300,
  common       = "com.apple.systemevents",
  codes        = fail.acting("CLIPBOARD_REFUSED", "DIALOG_IN_FRONT", "FOCUS_LOST", "INTERRUPTED", "INVALID_ARGUMENT", "NO_FOCUS",
    "PASTE_NOT_TAKEN", "PASTE_UNKNOWN", "PERMISSION_DENIED_ACCESSIBILITY", "RESERVED_KEY"),

  about = { "focused" },
  run = run,

  examples = {
    { "presses a key with modifiers",
      given = { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 6, characters = 0, settled = true, route = "xtest" } },
      args  = { text = "s", using = { "command", "shift" } },
      has   = { "Pressed cmd+shift+s. The application confirmed it." },
      want  = { action = "keys", settled = true } },

    { "types text",
      given = { ["desktop.read_back.before"] = {}, ["desktop.read_back.after"] = { arrived = true, seen = "Hi." },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 6, characters = 3, settled = true, route = "xtest" } },
      args  = { text = "Hi." },
      want  = { action = "type", characters = 3, settled = true } },

    { "reports a key that does not exist",
      given = { ["sys.input.send"] = { n = 3, false, 'there is no key "copy"', "unknown_key" } },
      args  = { text = "copy", using = { "command" } },
      err   = 'there is no key "copy"', code = "INVALID_ARGUMENT" },
  },
}
