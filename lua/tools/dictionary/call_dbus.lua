--- Calls a method or an action of a program over D-Bus, or reads or sets one of its properties.

local bus_app     = require "dictionary.bus_app"
local bus_call    = require "dictionary.bus_call"
local bus_members = require "dictionary.bus_members"
local fail        = require "desktop.fail"
local json        = require "sys.json"
local s           = require "schema"

local TIMEOUT, TIMEOUT_MAX = 10, 60   -- seconds
local MOST = 100 * 1024               -- bytes of a result


local CODES = fail.meanings("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT", "LAUNCH_FAILED")
CODES.DISABLED = "The action is disabled now: the application lacks what it needs, or a dialog holds it. Nothing was called."
CODES.FAILED = "The application refused the call; the message has its error."
CODES.NO_BUS = "There is no D-Bus of a session here."
CODES.NO_SERVICE = "The application has ended meanwhile."
CODES.NOT_FOUND = "The application has no such method, action or property; the message has the nearest."
CODES.NOT_SUPPORTED = "The application does not know the method any more."


--- Says that a result was left out, and what it was.
local function cut(report)
  local text = report.result ~= nil and json.encode(report.result) or ""
  if #text <= MOST then return report end
  report.result = nil
  report.note = ("the result has %d bytes; at most %d are returned. Ask for less, by arguments of the method"):format(#text, MOST)
  return report
end


--- The error about a name; of an application that does not run little is known.
local function explained(app, err, code)
  if code ~= "not_found" or app.source ~= "desktop" then return err end
  return ("%s It does not run, or takes no calls over D-Bus, so only the actions of its desktop entry are known. Start it with "
    .. "open_application %s, then call again"):format(err:find "%?$" and err or err .. ".", app.id)
end


---@param args {app: string, method: string, args?: any, state?: any, path?: string, timeout?: number}
local function run(args)
  local app, err, code = bus_app.find(args.app)
  if not app then return fail.with(err, code) end
  local suites, member, report
  suites, err, code = bus_app.suites(app)
  if not suites then return fail.with(err, code) end
  member, err, code = bus_members.find(app.id, suites, args.method, args.path)
  if not member then return fail.with(explained(app, err, code), code) end
  report, err, code = bus_call.run(member, { args = args.args, state = args.state, path = args.path,
    timeout = args.timeout or TIMEOUT }, app.pid)
  if not report then return fail.with(err, code) end
  report.app, report.called = app.id, member.label
  if report.seen and #report.seen == 0 then report.seen = nil end
  return cut(report)
end


--- For the examples: a player that runs, and the report of a call of it.
local function player(report)
  local interface = "org.mpris.MediaPlayer2.Player"
  local suites = {
    { name = interface, commands = { { name = "PlayPause", call = { kind = "method", interface = interface } } },
      classes = { { properties = { { name = "PlaybackStatus", call = { kind = "property", interface = interface } } } } } },
    { name = "Window actions", classes = {}, commands = { { name = "fullscreen", call = { kind = "action", of = "win" } } } },
  }
  return { ["dictionary.bus_app.find"] = { id = "mpv", pid = 7 }, ["dictionary.bus_app.suites"] = function() return suites end,
    ["dictionary.bus_call.run"] = report }
end


---@type Tool
return {
  title       = "Call D-Bus",
  description = "Call a method or an action of a running application over D-Bus, or read or set a property. Arguments are "
             .. "checked against the signature first. `effect` says what was seen: an answer without an error proves nothing. "
             .. "search_commands and get_app_capabilities find methods.",
  inputSchema = s.object {
    { "app", s.string("ID, name or bus name: org.xfce.mousepad, org.freedesktop.Notifications.",
      { minLength = 1, maxLength = 255 }) },
    { "method", s.string("Method, action or property: Notify, Player.PlayPause, win.save. In full if several match.",
      { minLength = 1, maxLength = 512 }) },
    { "args", s.any("List, or object by argument names. Bytes: {\"base64\": ...}. A property is set to the one value.",
      { type = { "array", "object" }, optional = true }) },
    { "state", s.any("For an action with a state: the state to set, whatever it was.", { optional = true }) },
    { "path", s.string("Object path, if several objects have the method. Default: the frontmost window's, or the first.",
      { optional = true, maxLength = 1024 }) },
    { "timeout", s.number(("Seconds to wait for the answer (default: %d)."):format(TIMEOUT),
      { optional = true, exclusiveMinimum = 0, maximum = TIMEOUT_MAX }) },
  },
  outputSchema = s.object({
    { "app", s.string "ID of the application." },
    { "called", s.string "Name of the method, action or property in full." },
    { "effect", s.enum({ "read", "changed", "unchanged", "seen", "unknown" }, "read: it only reads. changed, unchanged: by the "
      .. "state or value afterwards. seen: something of the application changed meanwhile. unknown: nothing was seen.") },
    { "result", s.any("What it returned; a list if several values.", { optional = true }) },
    { "before", s.any("State or value before.", { optional = true }) },
    { "after", s.any("State or value after.", { optional = true }) },
    { "seen", s.array(s.string(), "Changes that were seen.", { optional = true }) },
    { "note", s.string("What else to know.", { optional = true }) },
  }),
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = false, openWorldHint = true },
  platforms   = { "linux" },
  listed      = false,
  timeout     = TIMEOUT_MAX + 30,
  from        = "screen",
  codes       = CODES,

  about = { "nothing", app = "application", path = "nothing" },
  run = run,

  examples = {
    { "reads a property",
      given = player { effect = "read", result = "Playing" },
      args  = { app = "mpv", method = "Player.PlaybackStatus" },
      want  = { app = "mpv", called = "org.mpris.MediaPlayer2.Player.PlaybackStatus", effect = "read", result = "Playing" } },
    { "sets the state of an action, whatever it was",
      given = player { effect = "changed", before = false, after = true },
      args  = { app = "mpv", method = "win.fullscreen", state = true },
      want  = { called = "win.fullscreen", effect = "changed", before = false, after = true } },
    { "suggests names",
      given = player {},
      args  = { app = "mpv", method = "PlayPose" },
      err   = 'mpv has no method, action or property called "PlayPose"; did you mean PlayPause', code = "NOT_FOUND" },
  },
}
