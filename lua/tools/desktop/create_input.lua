--- Mouse and keyboard, one action a call.

local fail     = require "desktop.fail"
local input    = require "sys.input"
local inputs   = require "desktop.inputs"
local pictures = require "desktop.pictures"
local s        = require "schema"
local windows  = require "desktop.windows"

local ACTIONS = { "click", "double_click", "triple_click", "right_click", "middle_click", "press", "release", "move", "drag",
  "scroll", "keys", "hold", "key_down", "key_up", "type", "paste" }


--- A place of the arguments as a point of the desktop.
---@return {x: number, y: number, note?: string}? point
---@return string? err
---@return string? code
local function point(args, x, y)
  if not args.image_id then return { x = x, y = y } end
  return pictures.point(args.image_id, x, y)
end


---@return table? path
---@return string? err
---@return string? code
local function path_of(args)
  local given = args.path or { { x = args.x, y = args.y }, { x = args.to_x, y = args.to_y } }
  local path = {}
  for i, place in ipairs(given) do
    local at, err, code = point(args, place.x, place.y)
    if not at then return nil, err, code end
    path[i] = { x = at.x, y = at.y }
  end
  return path
end


--- What sys.input.send() takes.
---@return table? spec
---@return string? note_or_err
---@return string? code
local function spec_of(args)
  local spec, note = {}, nil
  for key, value in pairs(inputs.ACTIONS[args.action]) do spec[key] = value end
  spec.count, spec.duration, spec.modifiers = spec.count or args.count, args.duration, args.modifiers
  spec.button = spec.button or args.button
  spec.chord, spec.text = args.keys, args.text
  if args.action == "type" and args.method == "type" then spec.paste = false end
  if args.action == "type" and args.method == "paste" then spec.kind = "paste" end
  if spec.kind == "drag" then
    local err, code
    spec.path, err, code = path_of(args)
    if not spec.path then return nil, err, code end
  elseif args.x then
    local at, err, code = point(args, args.x, args.y)
    if not at then return nil, err, code end
    spec.x, spec.y, note = at.x, at.y, at.note
  end
  if spec.kind == "scroll" then
    spec.lines_x = inputs.notches(args.scroll_x, args.scroll_unit or "lines")
    spec.lines_y = inputs.notches(args.scroll_y, args.scroll_unit or "lines")
  end
  return spec, note
end


--- What is known, and how.
local function evidence(args, outcome)
  if outcome.settled then return "the application in front answered after it had taken it" end
  if args.text then
    return "sent; the application in front does not say when it has taken its keys, or has not yet: look before you rely on it"
  end
  return "sent to the display; what it did shows in a picture or in the list of windows"
end


local function place(at)
  return ("%s,%s"):format(windows.number(at.x), windows.number(at.y))
end


local function scroll_text(spec)
  local parts = {}
  local function add(notches, back, forth)
    if notches ~= 0 then parts[#parts + 1] = ("%d %s"):format(math.abs(notches), notches < 0 and back or forth) end
  end
  add(spec.lines_y, "up", "down")
  add(spec.lines_x, "left", "right")
  return "Turned the wheel by notches: " .. table.concat(parts, ", ")
end


local DONE = {
  click = "Clicked", double_click = "Double-clicked", triple_click = "Triple-clicked", right_click = "Right-clicked",
  middle_click = "Middle-clicked", press = "Pressed the button", release = "Released the button", move = "Moved to",
  drag = "Dragged to", keys = "Pressed", hold = "Held", key_down = "Holding down", key_up = "Let go of", type = "Typed",
  paste = "Pasted",
}


local function done_text(args, spec, outcome)
  if args.action == "scroll" then return ("%s, at %s."):format(scroll_text(spec), place(outcome.pointer)) end
  local done = outcome.route:find "^paste" and "Pasted" or DONE[args.action]
  if args.text then return ("%s %d characters."):format(done, outcome.characters) end
  if args.keys then return ("%s %s."):format(done, args.keys) end
  return ("%s %s."):format(done:find " to$" and done or done .. " at", place(outcome.pointer))
end


local CLIPBOARD = {
  ["restored"] = "The clipboard is as it was before.",
  ["was empty"] = "The clipboard was empty and is so again.",
  ["partly restored"] = "Of what was on the clipboard, a part is there again.",
  ["not restored"] = "What was on the clipboard is gone: its owner did not answer, or somebody copied meanwhile.",
}


---@param args table
---@param call Call
local function run(args, call)
  local wrong = inputs.misfit(args)
  if wrong then return fail.with(wrong, "bad_argument") end
  local spec, note, why = spec_of(args)
  if not spec then return fail.with(note, why) end
  local outcome, err, code, so_far = input.send(spec)
  if not outcome then
    if so_far and so_far.characters > 0 then
      err = ("%s. %d of %d characters arrived before that."):format(err, so_far.characters, utf8.len(args.text) or 0)
    end
    inputs.remember(args, { error = code, characters = so_far and so_far.characters, sent = so_far and so_far.sent or 0,
                            settled = false, route = so_far and so_far.route })
    return fail.with(err, code)
  end
  local facts = {
    action = args.action, pointer = outcome.pointer, sent = outcome.sent, settled = outcome.settled,
    evidence = evidence(args, outcome), route = outcome.route, clipboard = outcome.clipboard, note = note,
    characters = args.text and outcome.characters or nil,
    notches = spec.kind == "scroll" and { x = spec.lines_x, y = spec.lines_y } or nil,
  }
  facts.name = inputs.remember(args, facts)
  local lines = { done_text(args, spec, outcome) .. (outcome.settled and " Taken by the application." or "") }
  if args.action == "scroll" and args.scroll_unit == "pixels" then
    lines[#lines + 1] = ("A notch is about %d pixels in browsers; every application has its own idea of it.")
      :format(inputs.NOTCH_PIXELS)
  end
  if args.text and not outcome.settled then lines[#lines + 1] = facts.evidence .. "." end
  if outcome.clipboard then lines[#lines + 1] = CLIPBOARD[outcome.clipboard] end
  if note then lines[#lines + 1] = "Note: " .. note .. "." end
  return call:result {
    content = { { type = "text", text = table.concat(lines, "\n") } },
    structuredContent = facts,
  }
end


local function coordinate(description, optional)
  return s.number(description, { optional = optional, minimum = -1000000, maximum = 1000000 })
end


local POINT = s.object({ { "x", s.number "In points." }, { "y", s.number "In points." } }, "Where the pointer is afterwards.")


---@type Tool
return {
  title        = "Mouse and keyboard",
  description  = "Click, drag, scroll, press keys or type, as a person would. Coordinates are points of the desktop, or pixels "
              .. "of a screenshot when image_id names it. The keyboard goes to the window in front: focus_window or click first. "
              .. "Any Unicode text is typed exactly in any keyboard layout. The result says whether the application has taken "
              .. "it; a click is only known to be sent.",
  inputSchema  = s.object {
    { "action", s.enum(ACTIONS, "What to do. keys presses a chord; hold keeps it down for `duration`; press, release, "
      .. "key_down and key_up leave things as they are until the opposite comes.") },
    { "x", coordinate("From the left. Left out: where the pointer is.", true) },
    { "y", coordinate("From the top.", true) },
    { "image_id", s.string("Of a screenshot: x, y, to_x, to_y and path are pixels in it.",
      { optional = true, maxLength = 100 }) },
    { "to_x", coordinate("Where a drag ends.", true) },
    { "to_y", coordinate("Where a drag ends.", true) },
    { "path", s.array(s.object { { "x", coordinate "From the left." }, { "y", coordinate "From the top." } },
      "Of a drag, instead of x, y, to_x and to_y: all points on its way.", { optional = true, minItems = 2, maxItems = 1000 }) },
    { "button", s.enum({ "left", "middle", "right", "back", "forward" }, "Default: left.", { optional = true }) },
    { "modifiers", s.array(s.enum({ "shift", "ctrl", "alt", "meta", "cmd" }, "A key."), "Held during a pointer action.",
      { optional = true, maxItems = 4 }) },
    { "scroll_x", s.number("How far to the right; negative: left.", { optional = true, minimum = -50000, maximum = 50000 }) },
    { "scroll_y", s.number("How far down; negative: up.", { optional = true, minimum = -50000, maximum = 50000 }) },
    { "scroll_unit", s.enum({ "lines", "pixels" }, "lines: notches of the wheel. pixels are turned into whole notches; the "
      .. "result says how many.", { optional = true, default = "lines" }) },
    { "keys", s.string("A chord: \"ctrl+shift+t\", \"cmd+c\" (Command on a Mac, Control elsewhere), \"F5\", \"enter\".",
      { optional = true, minLength = 1, maxLength = 100 }) },
    { "count", s.integer("How many times.", { optional = true, minimum = 1, maximum = 100 }) },
    { "text", s.string("To type or paste; \\n is Return, \\t is Tab.", { optional = true, minLength = 1, maxLength = 1000000 }) },
    { "method", s.enum({ "auto", "type", "paste" }, "How to type: auto pastes what cannot be typed exactly, and puts back what "
      .. "was on the clipboard.", { optional = true, default = "auto" }) },
    { "secret", s.boolean("list_inputs keeps nothing of the text but its length.", { optional = true, default = false }) },
    { "duration", s.number("Seconds that a move, drag, click or hold takes.", { optional = true, minimum = 0, maximum = 60 }) },
  },
  outputSchema = s.object {
    { "name", s.string "Resource name: inputs/N." },
    { "action", s.string "What was done." },
    { "pointer", POINT },
    { "sent", s.integer "Events that reached the display." },
    { "settled", s.boolean "The application in front has taken it: it answered afterwards." },
    { "evidence", s.string "How that is known." },
    { "route", s.string "How it was done: \"xtest\", \"paste ctrl+v\", ..." },
    { "characters", s.integer("Of a text: typed or pasted.", { optional = true }) },
    { "notches", s.object({ { "x", s.integer "To the right." }, { "y", s.integer "Down." } },
      "Of a scroll: what was sent.", { optional = true }) },
    { "clipboard", s.enum({ "restored", "partly restored", "not restored", "was empty" },
      "After pasting: what became of what was there.", { optional = true }) },
    { "note", s.string("What else is to be known.", { optional = true }) },
  },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution    = { taskSupport = "optional" },
  timeout      = 300,
  codes        = fail.told("IMAGE_NOT_FOUND", "INPUT_STOPPED", "INTERRUPTED", "INVALID_ARGUMENT", "NO_FOCUS", "PASTE_INSTEAD",
    "PASTE_NOT_TAKEN", "PERMISSION_DENIED_ACCESSIBILITY", "PICTURE_OUTDATED", "RESERVED_KEY", "WINDOW_COVERED",
    "WINDOW_MINIMIZED", "WINDOW_NOT_FOUND"),

  run = run,

  examples = {
    { "a click at a point",
      given = { ["sys.input.send"] = { pointer = { x = 100, y = 50.5 }, sent = 3, characters = 0, settled = false,
                                       route = "xtest" } },
      args  = { action = "click", x = 100, y = 50.5 },
      has   = { "Clicked at 100,50.5." },
      want  = { sent = 3, settled = false, route = "xtest" },
      did   = { "input.send kind=click x=100 y=50.5" } },

    { "a double click in a picture",
      given = {
        ["desktop.pictures.point"] = { x = 640, y = 400 },
        ["sys.input.send"] = { pointer = { x = 640, y = 400 }, sent = 5, characters = 0, settled = false, route = "xtest" },
      },
      args  = { action = "double_click", x = 320, y = 200, image_id = "image-1" },
      has   = { "Double-clicked at 640,400." },
      did   = { "desktop.pictures.point image-1 320 200", "input.send count=2 kind=click x=640 y=400" } },

    { "a drag in half a second",
      given = { ["sys.input.send"] = { pointer = { x = 300, y = 200 }, sent = 64, characters = 0, settled = false,
                                       route = "xtest" } },
      args  = { action = "drag", x = 10, y = 20, to_x = 300, to_y = 200, duration = 0.5 },
      has   = { "Dragged to 300,200." },
      did   = { "input.send duration=0.5 kind=drag path={{x=10 y=20} {x=300 y=200}}" } },

    { "pixels become notches of the wheel, and the result says so",
      given = { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 9, characters = 0, settled = false, route = "xtest" } },
      args  = { action = "scroll", x = 5, y = 5, scroll_y = 200, scroll_unit = "pixels" },
      has   = { "Turned the wheel by notches: 4 down, at 5,5.", "about 53 pixels" },
      want  = { notches = { x = 0, y = 4 } } },

    { "a chord",
      given = { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 6, characters = 0, settled = true, route = "xtest" } },
      args  = { action = "keys", keys = "ctrl+shift+t" },
      want  = { settled = true },
      has   = { "Pressed ctrl+shift+t. Taken by the application." } },

    { "text that had to be pasted",
      given = { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true,
                                       route = "paste shift+insert, primary", clipboard = "restored" } },
      args  = { action = "type", text = "世界" },
      has   = { "Pasted 2 characters. Taken by the application.", "The clipboard is as it was before." },
      want  = { route = "paste shift+insert, primary", characters = 2 } },

    { "on a Mac, without the permission",
      given = { ["sys.input.send"] = { n = 3, false, "macOS does not allow this: the permission Accessibility is missing.",
                                       "permission_denied_access" } },
      args  = { action = "click", x = 5, y = 5 },
      err   = "the permission Accessibility is missing", code = "PERMISSION_DENIED_ACCESSIBILITY" },

    { "says how far a text came",
      given = { ["sys.input.send"] = { n = 4, false, "input was stopped by the user", "stopped", {
        pointer = { x = 0, y = 0 }, sent = 20, characters = 10, settled = false, route = "xtest" } } },
      args  = { action = "type", text = "a longer text" },
      err   = "input was stopped by the user. 10 of 13 characters arrived before that.",
      code  = "INPUT_STOPPED" },

    { "refuses more than a wheel can turn at once",
      args  = { action = "scroll", scroll_y = 5000 },
      err   = "One call turns the wheel by at most 1000 notches: scroll in several.",
      code  = "INVALID_ARGUMENT" },

    { "refuses what does not belong together",
      args  = { action = "click", text = "hello" },
      err   = "click does not take text. It takes count, duration, x, y, image_id, button, modifiers.",
      code  = "INVALID_ARGUMENT" },
  },
}
