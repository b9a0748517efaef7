--- Mouse and keyboard, one action per call.

local waiting    = require "desktop.tools.waiting"
local aftermath = require "elements.act.aftermath"
local effects   = require "desktop.effects"
local fail      = require "desktop.fail"
local interface = require "testing.interface"
local inputs    = require "desktop.inputs"
local looks     = require "testing.windows"
local pictures  = require "desktop.pictures"
local s         = require "schema"
local sending   = require "desktop.sending"
local windows   = require "desktop.windows"

local ACTIONS = { "click", "double_click", "triple_click", "right_click", "middle_click", "press", "release", "move", "drag",
  "scroll", "keys", "hold", "key_down", "key_up", "type", "paste" }


--- A position in the arguments as a point of the desktop.
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
  if args.action == "type" and args.method == "paste" then spec.kind, spec.typed = "paste", true end
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


--- What an active input method means for what was sent: text goes round it where that may be.
---@return string? name  of one that may have changed it
---@return string? note
local function past_method(args, outcome)
  if not outcome.method or args.method == "paste" then return nil end
  if not outcome.route:find "^paste" then
    return outcome.method, ("the input method %s is active and may have changed what was typed"):format(outcome.method)
  end
  return nil, ("the input method %s is active and would change typed text, so the text was pasted"):format(outcome.method)
end


--- What has the keys of text, and what to do about it.
---@param outcome sys.input.Outcome
local function taken_by(outcome)
  local check = "check whether the text arrived before you enter it again"
  if not outcome.still_open then return ("%s may have taken the keys; %s"):format(outcome.open, check) end
  local what = outcome.open:find "^a " and "is open and takes the keys"
    or "holds the keyboard or the pointer, as an open menu does"
  return ("%s %s; close it with escape first, then %s"):format(outcome.open, what, check)
end


--- Why a text that might have been read back was not.
---@param compared read_back.Compared
local function unread(compared)
  if compared.read_only then return "the focused field is read-only, as its application tells" end
  if compared.nowhere then
    return "the application tells that no text field had the keyboard focus; take a screenshot to check"
  elseif compared.keys then
    return "Return or Tab in the text left the field or emptied it, so not all could be read back; take a screenshot to check"
  elseif compared.lost then
    return "the field lost the keyboard focus, so the text could not be read back; take a screenshot to check"
  end
  return "the application did not tell in time what its field holds; take a screenshot to check"
end


--- Why `settled` is true or false.
local function evidence(args, outcome, changed_by, compared)
  if compared and compared.arrived and (outcome.settled or not compared.keys) then
    return compared.keys and "all but Return and Tab was read back from the field" or "the text was read back from the field"
  end
  if outcome.open then return taken_by(outcome) end
  if compared and compared.arrived == false then
    return ("the field holds %s where the text was entered; do not enter it again, but correct what differs")
      :format(windows.quote(compared.seen))
  end
  if outcome.got_it and not outcome.settled then
    return ("%s held the keyboard and got the input in place of the focused window; take a screenshot to check")
      :format(outcome.got_it)
  end
  if changed_by then
    return ("the input method %s is active and may have changed the text; take a screenshot to check"):format(changed_by)
  end
  if compared then return unread(compared) end
  if outcome.settled and args.text then
    return "the frontmost application responded after it had processed the input; its text was not read back"
  end
  if outcome.settled then return "the frontmost application responded after it had processed the input" end
  if outcome.route:find "^paste" then
    return "an application read the text, but has not confirmed that it inserted it; take a screenshot to check"
  elseif args.text then
    return "sent, but the frontmost application has not confirmed it; take a screenshot to check"
  end
  return "sent to the display; take a screenshot or list the windows to check its effect"
end


local function place(at)
  return ("%s,%s"):format(windows.number(at.x), windows.number(at.y))
end


local function scroll_text(spec)
  local parts = {}
  local function add(notches, back, forth)
    local count = math.abs(notches)
    if count == 0 then return end
    parts[#parts + 1] = ("%d notch%s %s"):format(count, count == 1 and "" or "es", notches < 0 and back or forth)
  end
  add(spec.lines_y, "up", "down")
  add(spec.lines_x, "left", "right")
  return "Scrolled " .. table.concat(parts, ", ")
end


local DONE = {
  click = "Clicked", double_click = "Double-clicked", triple_click = "Triple-clicked", right_click = "Right-clicked",
  middle_click = "Middle-clicked", press = "Pressed the button", release = "Released the button", move = "Moved to",
  drag = "Dragged to", keys = "Pressed", hold = "Held", key_down = "Holding down", key_up = "Released", type = "Typed",
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
  ["restored"] = "The previous clipboard content was restored.",
  ["was empty"] = "The clipboard was empty and is empty again.",
  ["partly restored"] = "Part of the previous clipboard content was restored.",
  ["not restored"] = "The previous clipboard content is lost: its owner did not respond, or something else was copied.",
}


--- What was sent of an action that failed, for the end of its error.
---@param so_far sys.input.Outcome
local function before_that(args, so_far)
  if so_far.characters > 0 then
    return (". %d of %d characters were entered before that."):format(so_far.characters, utf8.len(args.text) or 0)
  end
  if so_far.sent == 0 then return "" end
  return (". %d event%s sent before that."):format(so_far.sent, so_far.sent == 1 and " was" or "s were")
end


--- Where the pointer is to act; nil: keys, or where it is.
local function point_of(spec)
  local last = spec.path and spec.path[#spec.path]
  return last or spec.x and { x = spec.x, y = spec.y } or nil
end


--- The application is looked at before. Nothing is told of secret text, and a move is for nothing that could be seen.
local function look_before(args, spec, wanted)
  if args.secret or args.action == "move" and not wanted then return nil end
  return aftermath.begin_input(point_of(spec), wanted)
end


--- What came of it: text that was read back is the best evidence.
---@return elements.Effect?
local function effect_of(compared, seen)
  if not compared or compared.arrived == nil or compared.keys then return seen end
  local changes = seen and seen.changes
  if compared.arrived then return { effect = "confirmed", evidence = "the text was read back", changes = changes } end
  return { effect = "partial", evidence = "the field holds " .. windows.quote(compared.seen), changes = changes }
end


--- Without a look at the field it is only known that the application has taken all keys, not what it made of them.
local function confirmed(args, compared)
  if not args.text or compared then return " The application confirmed it." end
  return " The application processed it; what its field holds was not read back."
end


---@param args table
---@param call Call
local function run(args, call)
  local wanted = args.diff
  args.diff = nil
  local wrong = inputs.misfit(args)
  if wrong then return fail.with(wrong, "bad_argument") end
  local spec, note, why = spec_of(args)
  if not spec then return fail.with(note, why) end
  local before = look_before(args, spec, wanted)
  local compared, outcome, err, code, so_far = sending.send(args, spec)
  if not outcome then
    if so_far then err = err .. before_that(args, so_far) end
    inputs.remember(args, { error = code, characters = so_far and so_far.characters, sent = so_far and so_far.sent or 0,
                            settled = false, route = so_far and so_far.route })
    return fail.with(err, code)
  end
  local changed_by, round = past_method(args, outcome)
  note = note or round
  local late = effects.untold(outcome.late)
  local settled = outcome.settled and not changed_by
  if compared then settled = compared.arrived == true and (settled or not compared.keys) end
  local open = not settled and outcome.still_open and outcome.open or nil
  local facts = {
    action = args.action, pointer = outcome.pointer, sent = outcome.sent, settled = settled,
    evidence = evidence(args, outcome, changed_by, compared), route = outcome.route, clipboard = outcome.clipboard,
    note = note, code = compared and compared.arrived == false and "TEXT_DIFFERS" or nil, seen = compared and compared.seen,
    characters = args.text and outcome.characters or nil, held_by = outcome.holder or open,
    effects = effects.facts(outcome.effects), late_effects = effects.facts(late),
    notches = spec.kind == "scroll" and { x = spec.lines_x, y = spec.lines_y } or nil,
  }
  local seen = aftermath.finish(before)
  local effect = effect_of(compared, seen)
  aftermath.add(facts, effect)
  facts.name = inputs.remember(args, facts)
  local lines = { done_text(args, spec, outcome) .. (facts.settled and confirmed(args, compared) or "") }
  if args.action == "scroll" and args.scroll_unit == "pixels" then
    lines[#lines + 1] = ("A notch is about %d pixels in browsers; other applications may scroll by another amount.")
      :format(inputs.NOTCH_PIXELS)
  end
  if (args.text or outcome.got_it) and not facts.settled then
    lines[#lines + 1] = (facts.code and facts.code .. ": " or "") .. facts.evidence:gsub("^%l", string.upper) .. "."
  end
  if outcome.holder and not open then
    lines[#lines + 1] = ("Now %s holds the pointer or the keyboard and gets the next input. Choose in it, or press escape.")
      :format(outcome.holder)
  elseif outcome.released then
    lines[#lines + 1] = "The menu or popup that was open has closed."
  end
  lines[#lines + 1] = effects.line("Since the last input", late)
  lines[#lines + 1] = effects.line("Seen at once", outcome.effects)
  if seen then lines[#lines + 1] = aftermath.text(effect) end
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


local POINT = s.object({ { "x", s.number() }, { "y", s.number() } }, "Pointer position after the action, in points.")


--- For `given`: what sending answers, and the windows at each look.
local function sent_while(outcome, ...)
  local given = looks.stubs(...)
  given["sys.input.send"] = outcome
  return given
end


---@type Tool
return {
  title        = "Create mouse or keyboard input",
  description  = "Send one mouse or keyboard action: click, drag, scroll, press keys, type or paste. Keys and text go to the "
              .. "focused window: call focus_window or click first. x and y are desktop points, or screenshot pixels if you "
              .. "pass image_id. To move or close windows, use the window tools. `settled` is true only if the application "
              .. "confirmed the input; after a click, take a screenshot to check.",
  inputSchema  = s.object {
    { "action", s.enum(ACTIONS, "What to do. press and key_down last until release and key_up; hold presses keys for "
      .. "`duration`.") },
    { "x", coordinate("X coordinate. Default: the current pointer position.", true) },
    { "y", coordinate("Y coordinate. Default: the current pointer position.", true) },
    { "image_id", s.string("A screenshot's image_id: all coordinates are then pixels in it.",
      { optional = true, maxLength = 100 }) },
    { "to_x", coordinate("X coordinate of the end of a drag.", true) },
    { "to_y", coordinate("Y coordinate of the end of a drag.", true) },
    { "path", s.rare(s.array(s.object { { "x", coordinate "X coordinate." }, { "y", coordinate "Y coordinate." } },
      "All points of a drag, in place of x, y, to_x and to_y.", { optional = true, minItems = 2, maxItems = 1000 })) },
    { "button", s.enum({ "left", "middle", "right", "back", "forward" }, "Mouse button. Default: left.", { optional = true }) },
    { "modifiers", s.array(s.enum({ "shift", "ctrl", "alt", "meta", "cmd" }, "A modifier key."),
      "Modifier keys to hold during a pointer action.", { optional = true, maxItems = 4 }) },
    { "scroll_x", s.number("Wheel notches to the right; negative: left.",
      { optional = true, minimum = -50000, maximum = 50000 }) },
    { "scroll_y", s.number("Wheel notches down; negative: up.",
      { optional = true, minimum = -50000, maximum = 50000 }) },
    { "scroll_unit", s.rare(s.enum({ "lines", "pixels" }, "Unit of scroll_x and scroll_y: wheel notches (default), or pixels "
      .. "rounded to whole notches.", { optional = true })) },
    { "keys", s.string("A key combination: \"ctrl+shift+t\", \"F5\", \"enter\". \"cmd\" is Command on a Mac, otherwise Control.",
      { optional = true, minLength = 1, maxLength = 100 }) },
    { "count", s.integer("Number of repetitions.", { optional = true, minimum = 1, maximum = 100 }) },
    { "text", s.string("Text to type or paste. Typed, \\n presses Return and \\t Tab; pasted, they are characters.",
      { optional = true, minLength = 1, maxLength = 1000000 }) },
    { "method", s.rare(s.enum({ "auto", "type", "paste" }, "auto (default) types, or pastes what cannot be typed exactly and "
      .. "restores the clipboard.", { optional = true })) },
    { "secret", s.boolean("Set to true for passwords: the input log keeps only the text's length.",
      { optional = true }) },
    { "duration", s.number("Duration of a move, drag, click or hold, in seconds. Default: 0; of a drag 0.1.",
      { optional = true, minimum = 0, maximum = 60 }) },
    aftermath.parameter,
    waiting.parameter,
  },
  outputSchema = s.object {
    { "name", s.string "Resource name: inputs/N." },
    { "action", s.string "The action that was sent." },
    { "pointer", POINT },
    { "sent", s.integer "Number of events sent to the display." },
    { "settled", s.boolean("True if the frontmost application confirmed that it processed the input, and, where its "
      .. "field can be read (see evidence), the text is there exactly.") },
    { "evidence", s.string "Why settled is true or false." },
    { "route", s.string "How the input was sent: \"xtest\", \"paste ctrl+v\", ..." },
    { "characters", s.integer("For text: number of characters typed or pasted.", { optional = true }) },
    { "notches", s.object({ { "x", s.integer "Notches to the right." }, { "y", s.integer "Notches down." } },
      "For a scroll: wheel notches that were sent.", { optional = true }) },
    { "held_by", s.string("The open menu or popup that gets the next input, or what else holds the pointer or the keyboard.",
      { optional = true }) },
    { "code", s.enum({ "TEXT_DIFFERS" }, "For text: the field holds other text than was entered.", { optional = true }) },
    { "seen", s.string("What the field holds in its place, up to 200 characters.", { optional = true }) },
    effects.member,
    effects.late_member,
    aftermath.members[1], aftermath.members[2], aftermath.members[3],
    { "clipboard", s.enum({ "restored", "partly restored", "not restored", "was empty" },
      "After pasting: what happened to the previous clipboard content.", { optional = true }) },
    { "note", s.string("Additional information.", { optional = true }) },
    waiting.member,
  },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  execution    = { taskSupport = "optional" },
  timeout      = 300,
  codes        = fail.meanings("CLIPBOARD_REFUSED", "FOCUS_LOST", "HELD", "IMAGE_NOT_FOUND", "INPUT_STOPPED", "INTERRUPTED",
    "INVALID_ARGUMENT", "NO_FOCUS", "PASTE_INSTEAD", "PASTE_NOT_TAKEN", "PASTE_UNKNOWN", "PERMISSION_DENIED_ACCESSIBILITY",
    "PICTURE_OUTDATED", "RESERVED_KEY", "WINDOW_COVERED", "WINDOW_MINIMIZED", "WINDOW_NOT_FOUND"),

  run = waiting.run(run),

  examples = {
    { "a key whose popup comes and goes at once, and is waited for",
      given = sent_while({ pointer = { x = 0, y = 0 }, sent = 2, characters = 0, settled = false, route = "xtest" },
        {}, { looks.window { id = 4, kind = "popup", title = "" } }, {}),
      args  = { action = "keys", keys = "F10", wait = { condition = "popup" } },
      has   = { "Pressed F10.\nThen waited 0.0 s: A popup is open:", "That was so for a moment, and is over." },
      want  = { waited = { condition = "popup", met = true, window = "applications/7/windows/4" } } },

    { "a key that opens a window, and what it is called",
      given = { ["sys.input.send"] = {
        pointer = { x = 0, y = 0 }, sent = 2, characters = 0, settled = true, route = "xtest",
        effects = { { what = "opened", pid = 7, started = 1, id = 9, kind = "dialog", title = "Open File", app = "Editor" },
                    { what = "titled", pid = 7, started = 1, id = 3, kind = "normal", title = "*Notes", app = "Editor" },
                    { what = "focused", pid = 7, started = 1, id = 9, kind = "dialog", title = "Open File", app = "Editor" } },
      } },
      args  = { action = "keys", keys = "ctrl+o" },
      has   = { 'Seen at once: "Open File" (Editor, applications/7/windows/9) opened and has the focus; '
             .. 'the title of applications/7/windows/3 is now "*Notes".' },
      want  = { effects = { { what = "opened", window = "applications/7/windows/9", title = "Open File", kind = "dialog" },
                            { what = "titled", window = "applications/7/windows/3" },
                            { what = "focused", window = "applications/7/windows/9" } } } },

    { "a key after a window has come late, and what that was",
      given = { ["sys.input.send"] = {
        pointer = { x = 0, y = 0 }, sent = 2, characters = 0, settled = true, route = "xtest",
        late = { { what = "focused", pid = 7, started = 1, id = 19, kind = "dialog", title = "Save?", app = "Editor" },
                 { what = "opened", pid = 7, started = 1, id = 19, kind = "dialog", title = "Save?", app = "Editor" },
                 { what = "opened", pid = 7, started = 1, id = 20, kind = "popup", title = "", app = "Editor" } },
      } },
      args  = { action = "keys", keys = "enter" },
      has   = { 'Since the last input: "Save?" (Editor, applications/7/windows/19) opened and has the focus.' },
      want  = { late_effects = { { what = "focused", window = "applications/7/windows/19" },
                                 { what = "opened", title = "Save?", kind = "dialog" } } } },

    { "a click at a point",
      given = { ["sys.input.send"] = { pointer = { x = 100, y = 50.5 }, sent = 3, characters = 0, settled = false,
                                       route = "xtest" } },
      args  = { action = "click", x = 100, y = 50.5 },
      has   = { "Clicked at 100,50.5." },
      want  = { sent = 3, settled = false, route = "xtest" },
      did   = { "input.send kind=click x=100 y=50.5" } },

    { "a double click in a screenshot",
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
      has   = { "Scrolled 4 notches down, at 5,5.", "about 53 pixels" },
      want  = { notches = { x = 0, y = 4 } } },

    { "a key combination",
      given = { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 6, characters = 0, settled = true, route = "xtest" } },
      args  = { action = "keys", keys = "ctrl+shift+t" },
      want  = { settled = true },
      has   = { "Pressed ctrl+shift+t. The application confirmed it." } },

    { "what came of it, where the application's elements are looked at",
      given = interface.with(interface.stubs({ { 0, "window", "Notes" }, { 1, "text", "" } },
        { { 0, "window", "Notes" }, { 1, "text", "" }, { 0, "dialog", "Open", id = 8 }, { 1, "button", "Cancel", id = 9 } }),
        { ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 0, settled = true, route = "xtest" } }),
      args  = { action = "keys", keys = "ctrl+o", diff = true },
      has   = { 'Confirmed: dialog "Open" came.\n+ e3 dialog "Open"\n+  e4 button "Cancel"' },
      want  = { effect = "confirmed", effect_evidence = 'dialog "Open" came' } },

    { "text that had to be pasted",
      given = { ["desktop.read_back.before"] = false,
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true,
                                       route = "paste shift+insert, primary", clipboard = "restored" } },
      args  = { action = "type", text = "世界" },
      has   = { "Pasted 2 characters. The application processed it; what its field holds was not read back.",
                "The previous clipboard content was restored." },
      want  = { route = "paste shift+insert, primary", characters = 2 } },

    { "text past an active input method",
      given = { ["desktop.read_back.before"] = false,
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true,
                                       route = "paste ctrl+v", clipboard = "was empty", method = "libpinyin" } },
      args  = { action = "type", text = "hi" },
      has   = { "Pasted 2 characters. The application processed it; what its field holds was not read back.",
                "Note: the input method libpinyin is active" },
      did   = { "desktop.read_back.before", "input.send kind=text text=hi" } },

    { "text that an input method may have changed",
      given = { ["desktop.read_back.before"] = false,
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = false,
                                       route = "xtest", method = "libpinyin" } },
      args  = { action = "type", text = "hi", method = "type" },
      want  = { settled = false },
      has   = { "The input method libpinyin is active and may have changed the text; take a screenshot to check." } },

    { "text that was read back from the field",
      given = { ["desktop.read_back.before"] = {}, ["desktop.read_back.after"] = { arrived = true },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = false,
                                       route = "xtest" } },
      args  = { action = "type", text = "hi" },
      want  = { settled = true, evidence = "the text was read back from the field" },
      has   = { "Typed 2 characters. The application confirmed it." } },

    { "text that the field cut",
      given = { ["desktop.read_back.before"] = {}, ["desktop.read_back.after"] = { arrived = false, seen = "a lo" },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 26, characters = 13, settled = true,
                                       route = "xtest" } },
      args  = { action = "type", text = "a longer text" },
      want  = { settled = false, code = "TEXT_DIFFERS", seen = "a lo" },
      has   = { "Typed 13 characters.\nTEXT_DIFFERS: The field holds \"a lo\" where the text was entered; do not enter" } },

    { "text in a field that did not tell in time",
      given = { ["desktop.read_back.before"] = {}, ["desktop.read_back.after"] = { late = true },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true,
                                       route = "xtest" } },
      args  = { action = "type", text = "hi" },
      want  = { settled = false },
      has   = { "The application did not tell in time what its field holds; take a screenshot to check." } },

    { "text for an application whose panel has the keyboard focus",
      given = { ["desktop.sending.send"] = { n = 2, { nowhere = true },
                  { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true, route = "xtest" } } },
      args  = { action = "type", text = "hi" },
      want  = { settled = false },
      has   = { "The application tells that no text field had the keyboard focus; take a screenshot to check." } },

    { "text for a field that takes none",
      given = { ["desktop.sending.send"] = { n = 2, { read_only = true },
                  { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true, route = "xtest" } } },
      args  = { action = "type", text = "hi" },
      want  = { settled = false },
      has   = { "The focused field is read-only, as its application tells." } },

    { "reports who has the focus now",
      given = { ["desktop.read_back.before"] = false,
                ["sys.input.send"] = { n = 4, false, '"a" (Notes) lost the keyboard focus to "b" (Mail)', "focus_lost", {
        pointer = { x = 0, y = 0 }, sent = 64, characters = 32, settled = false, route = "xtest" } } },
      args  = { action = "type", text = ("x"):rep(40) },
      err   = '"a" (Notes) lost the keyboard focus to "b" (Mail). 32 of 40 characters were entered before that.',
      code  = "FOCUS_LOST" },

    { "a password is not read back",
      given = { ["desktop.read_back.before"] = {}, ["desktop.read_back.after"] = { arrived = false, seen = "" },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = true,
                                       route = "xtest" } },
      args  = { action = "type", text = "hi", secret = true },
      want  = { settled = true } },

    { "text that an open menu got",
      given = { ["desktop.read_back.before"] = false,
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = false, route = "xtest",
                                       got_it = "a menu of Mousepad", holder = "a menu of Mousepad",
                                       open = "a menu of Mousepad", still_open = true } },
      args  = { action = "type", text = "hi" },
      want  = { settled = false, held_by = "a menu of Mousepad" },
      has   = { "Typed 2 characters.\nA menu of Mousepad is open and takes the keys; close it with escape first" } },

    { "text in a field beside an open list of suggestions",
      given = { ["desktop.read_back.before"] = { start = 0, facts = { caret = 0 } },
                ["desktop.read_back.after"] = { arrived = true },
                ["desktop.read_back.changes_length"] = true,
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = false, route = "xtest",
                                       open = "a menu of Mousepad", still_open = true } },
      args  = { action = "type", text = "hi" },
      want  = { settled = true, evidence = "the text was read back from the field" },
      has   = { "Typed 2 characters. The application confirmed it." } },

    { "text under a menu, whose field holds something else",
      given = { ["desktop.read_back.before"] = { start = 0, facts = { caret = 0 } },
                ["desktop.read_back.after"] = { arrived = false, seen = "" },
                ["sys.input.send"] = { pointer = { x = 5, y = 5 }, sent = 4, characters = 2, settled = false, route = "xtest",
                                       open = "a popup of Firefox", still_open = false } },
      args  = { action = "type", text = "hi" },
      want  = { settled = false },
      has   = { "Typed 2 characters.\nA popup of Firefox may have taken the keys; check whether the text arrived" } },

    { "on a Mac, without the permission",
      given = { ["sys.input.send"] = { n = 3, false, "macOS does not allow this: the permission Accessibility is missing.",
                                       "permission_denied_access" } },
      args  = { action = "click", x = 5, y = 5 },
      err   = "the permission Accessibility is missing", code = "PERMISSION_DENIED_ACCESSIBILITY" },

    { "reports how much of the text was entered",
      given = { ["desktop.read_back.before"] = false,
                ["sys.input.send"] = { n = 4, false, "input was stopped by the user", "stopped", {
        pointer = { x = 0, y = 0 }, sent = 20, characters = 10, settled = false, route = "xtest" } } },
      args  = { action = "type", text = "a longer text" },
      err   = "input was stopped by the user. 10 of 13 characters were entered before that.",
      code  = "INPUT_STOPPED" },

    { "reports how much of a drag was sent",
      given = { ["sys.input.send"] = { n = 4, false, "input was stopped by the user", "stopped", {
        pointer = { x = 30, y = 40 }, sent = 20, characters = 0, settled = false, route = "xtest" } } },
      args  = { action = "drag", x = 10, y = 20, to_x = 300, to_y = 200 },
      err   = "input was stopped by the user. 20 events were sent before that.",
      code  = "INPUT_STOPPED" },

    { "refuses to scroll too far at once",
      args  = { action = "scroll", scroll_y = 5000 },
      err   = "One call scrolls by at most 1000 notches. Split the scroll into several calls.",
      code  = "INVALID_ARGUMENT" },

    { "refuses arguments of another action",
      args  = { action = "click", text = "hello" },
      err   = "click does not accept text. It accepts count, duration, x, y, image_id, button, modifiers.",
      code  = "INVALID_ARGUMENT" },
  },
}
