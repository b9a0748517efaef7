--- Wait until something is seen on the desktop.

local fail    = require "desktop.fail"
local names   = require "desktop.names"
local s       = require "schema"
local waiting = require "desktop.waiting"
local windows = require "desktop.windows"

local SHOWN = 5
local CALM  = { window = 0.2, gone = 0.2, no_popup = 0.2 }    -- seconds that it has to last


-- --- conditions: what look() finds, and how it is said -----------------------------------

local function managed(w)
  return w.kind ~= "popup" and w.kind ~= "panel"
end


local function first(list, test)
  for _, w in ipairs(list) do
    if test(w) then return w end
  end
end


local function meant(args)
  return function(w) return managed(w) and waiting.is_meant(w, args.window) end
end


--- The popups that count: all, or those of the window's application.
local function popup(list, args)
  local owner = args.window and first(list, meant(args))
  return first(list, function(w)
    return w.kind == "popup" and w.on_screen and (not args.window or owner ~= nil and w.pid == owner.pid)
  end)
end


---@type table<string, fun(list: sys.window.Window[], args: table): any>
local LOOKS = {
  window   = function(list, args) return first(list, meant(args)) end,
  gone     = function(list, args) return not first(list, meant(args)) end,
  focused  = function(list, args)
    return first(list, function(w) return w.focused and meant(args)(w) end)
  end,
  title    = function(list, args)
    return first(list, function(w) return meant(args)(w) and w.title:lower():find(args.text:lower(), 1, true) ~= nil end)
  end,
  popup    = popup,
  no_popup = function(list, args) return not popup(list, args) end,
}

local SEEN = {
  window   = "%s is there.",
  focused  = "%s has the keyboard focus.",
  title    = "%s has that title.",
  popup    = "A popup is open: %s.",
  gone     = "No window matches %s.",
  no_popup = "No popup is open.",
}

local MISSED = {
  window   = "no window matches %s",
  gone     = "a window still matches %s",
  focused  = "no window that matches %s has the keyboard focus",
  title    = "no window that matches %s has a title with %s",
  popup    = "no popup is open",
  no_popup = "a popup is still open",
}


local function summary(list)
  local lines = {}
  for _, w in ipairs(list) do
    if managed(w) and #lines < SHOWN then lines[#lines + 1] = windows.line(windows.facts(w)) end
  end
  return #lines == 0 and "There are no windows." or "Windows now:\n" .. table.concat(lines, "\n")
end


--- What is waited for may be one window for good: then its title may change meanwhile.
local function settled(args)
  local parsed = args.window and names.parse(args.window)
  if parsed and parsed.kind ~= "window" then
    return nil, ("%s does not name a window. Use a resource name from list_windows, or words of a title."):format(args.window),
      "bad_argument"
  end
  return true
end


local function wait_for_windows(args, timeout)
  local ok, err, code = settled(args)
  if not ok then return fail.with(err, code) end
  local waited
  waited, err, code = waiting.for_windows(function(list) return LOOKS[args.condition](list, args) end, timeout,
    CALM[args.condition] or 0)
  if not waited then return fail.with(err, code) end
  local quoted = args.window and windows.quote(args.window)
  if not waited.met then
    local missed = MISSED[args.condition]:format(quoted, args.text and windows.quote(args.text))
    return fail.with(("After %.1f s %s. %s"):format(waited.seconds, missed, summary(waited.windows)), "wait_timeout")
  end
  local facts = type(waited.found) == "table" and windows.facts(waited.found) or nil
  return {
    text = SEEN[args.condition]:format(facts and windows.line(facts) or quoted),
    seconds = waited.seconds, window = facts,
  }
end


local function wait_for_stillness(args, timeout)
  local what, name = {}, "the main display"
  if args.window then
    local shown, err, code = names.look_at_window(args.window)
    if not shown then return fail.with(err, code) end
    what.window, name = shown, "window " .. windows.quote(shown.title)
  end
  local calm = args.seconds or 0.5
  local waited, err, code = waiting.for_stillness(what, calm, timeout)
  if not waited then return fail.with(err, code) end
  if not waited.met then
    return fail.with(("After %.1f s the content of %s still changes; it was the same for the last %.1f s only."):format(
      waited.seconds, name, waited.calm), "wait_timeout")
  end
  return { text = ("The content of %s has not changed for %.1f s."):format(name, waited.calm), seconds = waited.seconds }
end


---@param args {condition: string, window?: string, text?: string, seconds?: number, timeout?: number}
---@param call Call
local function run(args, call)
  local condition = args.condition
  if not args.window and (condition == "window" or condition == "gone" or condition == "focused" or condition == "title") then
    return fail.with(("condition %s needs window: words of a title or an application's name."):format(condition), "bad_argument")
  end
  if condition == "title" and not args.text then return fail.with("condition title needs text.", "bad_argument") end
  local result, err, code
  if condition == "still" then
    result, err, code = wait_for_stillness(args, args.timeout)
  else
    result, err, code = wait_for_windows(args, args.timeout)
  end
  if not result then return nil, err, code end
  return call:result {
    content = { { type = "text", text = ("%s Waited %.1f s."):format(result.text, result.seconds) } },
    structuredContent = { condition = condition, waited = result.seconds, window = result.window and result.window.name,
      title = result.window and result.window.title },
  }
end


local function notes(more)
  local w = { pid = 7, started = 70, id = 3, kind = "normal", title = "Notes", app = "Editor", order = 0, workspace = 0,
              focused = false, on_screen = true, frame = { x = 100, y = 50, width = 400, height = 300 },
              content = { x = 100, y = 70, width = 400, height = 280 } }
  for key, value in pairs(more or {}) do w[key] = value end
  return w
end

local MENU = notes { id = 4, kind = "popup", title = "" }

--- Stand-ins for the examples: the windows at each look, a quarter of a second apart; the last ones stay.
local function looks(...)
  local lists, n = { ... }, 0
  return {
    ["sys.window.changed"] = "1", ["sys.time.monotonic"] = function() return n / 4 end,
    ["sys.window.list"] = function()
      n = n + 1
      return lists[math.min(n, #lists)]
    end,
  }
end


---@type Tool
return {
  title        = "Wait for a window or the screen",
  description  = "Wait until something is seen on the desktop, and return as soon as it is. It can be a window that appears, "
              .. "closes, or gets the focus or a title, a popup that opens or closes, or the content of a window or the "
              .. "display that stops changing. Use it instead of repeated screenshots.",
  inputSchema  = s.object {
    { "condition", s.enum({ "window", "gone", "focused", "title", "still", "popup", "no_popup" }, "What to wait for: window "
      .. "appears, gone: closes.") },
    { "window", s.string("Resource name, or a part of a title or application name.", { optional = true, minLength = 1,
      maxLength = 1024 }) },
    { "text", s.string("For title: what the title must contain.", { optional = true, minLength = 1, maxLength = 1024 }) },
    { "seconds", s.number("For still: how long nothing may change. Default: 0.5.", { optional = true, minimum = 0.1,
      maximum = 30 }) },
    { "timeout", s.number("Longest wait in seconds.", { optional = true, minimum = 0, maximum = 55, default = 10 }) },
  },
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
      given = looks({}, { notes() }), args = { condition = "window", window = "notes" },
      want  = { condition = "window", window = "applications/7/windows/3", waited = 0.75 },
      has   = { 'applications/7/windows/3  "Notes" (Editor)', "is there." } },
    { "a window that is not there for a moment, while a window manager takes it in hand",
      given = looks({ notes() }, {}, { notes() }, {}), args = { condition = "gone", window = "editor" },
      want  = { condition = "gone", waited = 1.25 } },
    { "a window that closes", given = looks({ notes() }, {}), args = { condition = "gone", window = "editor" },
      has   = { 'No window matches "editor".' } },
    { "a title that changes",
      given = looks({ notes() }, { notes { title = "Notes - saved" } }),
      args  = { condition = "title", window = "applications/7/windows/3", text = "SAVED" },
      has   = { '"Notes - saved"' } },
    { "a popup that closes", given = looks({ notes(), MENU }, { notes() }), args = { condition = "no_popup" },
      has   = { "No popup is open." } },
    { "what does not come in time",
      given = looks({ notes() }), args = { condition = "focused", window = "Notes", timeout = 3 },
      err   = 'no window that matches "Notes" has the keyboard focus. Windows now:', code = "WAIT_TIMEOUT" },
    { "an application instead of a window", given = {}, args = { condition = "gone", window = "applications/7" },
      err   = "does not name a window", code = "INVALID_ARGUMENT" },
    { "without a window", given = {}, args = { condition = "window" }, err = "needs window", code = "INVALID_ARGUMENT" },
  },
}
