--- Begins to watch windows, applications or elements; what happens is kept to be read.

local desk          = require "observing.desk"
local fail          = require "desktop.fail"
local interfaces    = require "observing.interfaces"
local names         = require "desktop.names"
local notifications = require "observing.notifications"
local nearest       = require "nearest"
local observations  = require "observing.observations"
local s             = require "schema"
local selectors     = require "elements.find.selector"
local target        = require "elements.find.target"
local telling       = require "observing.telling"
local tool          = require "elements.tool"

local KINDS = { "windows", "applications", "elements", "tree", "attributes", "notifications" }
local OF_WINDOWS = { windows = true, applications = true, notifications = true }


-- --- what is watched ------------------------------------------------------------------------------

local function known(what)
  local list = table.move(observations.KINDS[what], 1, #observations.KINDS[what], 1, {})
  return what == "windows" and table.move(observations.POPUPS, 1, #observations.POPUPS, #list + 1, list) or list
end


--- The events that are told, as a set.
local function events_of(args)
  local set, may = {}, known(args.what)
  for _, name in ipairs(args.events or observations.KINDS[args.what]) do set[name] = true end
  for _, name in ipairs(may) do may[name] = true end
  for name in pairs(set) do
    if not may[name] then
      return nil, ("%s does not tell %s%s. It tells %s."):format(args.what, name, nearest.question(name, may, ": "),
        table.concat(may, ", ")), "bad_argument"
    end
  end
  return set
end


--- Windows may be those of an application that does not run yet: then they are known by words.
local function of_windows(about, args)
  local app, err, code
  if args.application then
    app, err, code = names.find_application(args.application)
    if not app then return nil, err, code end
    about.pid, about.started = app.pid, app.started
  end
  local parsed = args.window and names.parse(args.window)
  if not parsed then
    about.words = args.window and args.window:lower()
    return true
  end
  local ref
  ref, err, code = names.find_window(args.window)
  if not ref then return nil, err, code end
  about.pid, about.started, about.window_id = ref.pid, ref.started, ref.id
  return true
end


local function of_elements(about, args)
  local place, err, code = target.place(args)
  if not place then return nil, err, code end
  about.pid, about.started, about.window_id = place.pid, place.started, place.window
  if not args.element then return true end
  about.selector, err, code = selectors.parse(args.element)
  if about.selector and about.selector.ref then
    return nil, ("%s names one element. Pass a selector, for example button \"Save\"."):format(args.element), "bad_argument"
  end
  about.said = args.element
  return about.selector and true, err, code
end


---@return table? about  what observations.add() takes
---@return string? err
---@return string? code
local function about_of(args)
  local events, err, code = events_of(args)
  if not events then return nil, err, code end
  local about = { what = args.what, events = events, script = args.script }
  if args.what == "notifications" and args.application then
    return nil, "notifications does not take application: programs that tell of something need not run as one. Pass window, "
      .. "words of its title or of the program's name.", "bad_argument"
  end
  if OF_WINDOWS[args.what] and args.element then
    return nil, ("%s does not take element. Use elements, tree or attributes."):format(args.what), "bad_argument"
  end
  if args.what == "elements" and not args.element then
    return nil, "elements needs element, a selector. To watch all of an application's interface, use tree or attributes.",
      "bad_argument"
  end
  local ok
  ok, err, code = (OF_WINDOWS[args.what] and of_windows or of_elements)(about, args)
  return ok and about, err, code
end


local function begin(about)
  if about.what == "notifications" then return notifications.begin() end
  if OF_WINDOWS[about.what] then return desk.begin() end
  return interfaces.begin { pid = about.pid, started = about.started }
end


---@param args {what: string, events?: string[], application?: string, window?: string, element?: string, keep: integer,
---  life: number}
---@param call Call
local function run(args, call)
  local about, err, code = about_of(args)
  if not about then return fail.with(err, code) end
  local observation
  observation, err, code = observations.add(about, args.keep, args.life)
  if not observation then return fail.with(err, code) end
  local ok
  ok, err, code = begin(observation)
  if not ok then
    observations.remove(observation)
    return fail.with(err, code)
  end
  local text = ("Observing as %s. Read it with get_observation, or subscribe to %s. It ends after %g seconds "
    .. "without a reader."):format(observations.name(observation), observations.uri(observation), observation.life)
  return call:result { content = { { type = "text", text = text } }, structuredContent = telling.about(observation) }
end


local EDITOR = { pid = 7, started = 70, name = "Editor", id = "editor", path = "", active = true, windows = 1 }


---@type Tool
return {
  title        = "Create an observation",
  description  = "Watch windows, applications, notifications or elements, and keep each event until it is read. Read them "
              .. "with get_observation. Watching takes no focus. To wait for one thing, use wait_for. If an application "
              .. "describes no interface, only its windows can be watched.",
  inputSchema  = s.object {
    { "what", s.enum(KINDS, "elements: those that match `element`. tree: comes and goes. attributes: names, values, states.") },
    { "events", s.array(s.string(), "Only these, for example window_opened. Default: all of `what`, without popups.",
      { optional = true, minItems = 1, maxItems = 10 }) },
    { "application", s.string("Resource name or name. Default: all; of elements the one with keyboard focus.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "window", s.string("Resource name; of windows and notifications also words of a title or application name.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
    { "element", s.string('A selector: button "Save", checkbox, label near "Status:".',
      { optional = true, minLength = 1, maxLength = 1000 }) },
    { "keep", s.integer("Events that are kept; older ones give way and count as missed.",
      { optional = true, minimum = 1, maximum = observations.QUEUE_MAX, default = observations.QUEUE }) },
    { "script", s.rare(s.boolean("End it when the script of run_lua that creates it ends.", { optional = true })) },
    { "life", s.number("Seconds without a reader or subscriber, after which it ends.",
      { optional = true, minimum = 1, maximum = observations.LIFE_MAX, default = observations.LIFE }) },
  },
  outputSchema = telling.schema,
  annotations  = { readOnlyHint = true, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  listed       = false,
  keeps        = true,  -- the observation
  codes        = tool.codes("TOO_MANY_OBSERVATIONS"),

  run = run,

  examples = {
    { "of windows, by words that their titles hold",
      given = { ["observing.desk.begin"] = true, ["sys.engine.updated"] = true },
      args  = { what = "windows", window = "Save", events = { "window_opened" } },
      has   = { "Observing as observations/1. Read it with get_observation, or subscribe to perigee://observations/1." },
      want  = { name = "observations/1", running = true, total = 0, window = "save", events = { "window_opened" } } },
    { "of the elements of an application that match",
      given = { ["observing.interfaces.begin"] = true, ["observing.interfaces.unread"] = function() end,
                ["sys.app.get"] = EDITOR },
      args  = { what = "elements", application = "applications/7", element = 'button "Save"' },
      want  = { what = "elements", application = "applications/7", element = 'button "Save"' } },
    { "an event that it does not tell", args = { what = "tree", events = { "window_opened" } },
      err = "tree does not tell window_opened. It tells element_added, element_removed.", code = "INVALID_ARGUMENT" },
    { "notifications, by words of the program that shows them",
      given = { ["observing.notifications.begin"] = true, ["sys.engine.updated"] = true },
      args  = { what = "notifications", window = "mail" },
      want  = { what = "notifications", window = "mail", events = { "notification" } } },
    { "notifications where a system tells of none",
      given = { ["observing.notifications.begin"] = { n = 3, false, "This system tells no program of notifications.",
                "not_supported" }, ["sys.engine.updated"] = true },
      args  = { what = "notifications" }, err = "tells no program of notifications", code = "NOT_SUPPORTED" },
    { "notifications of an application", args = { what = "notifications", application = "Mail" },
      err = "notifications does not take application", code = "INVALID_ARGUMENT" },
    { "elements without a selector", args = { what = "elements" },
      err = "elements needs element, a selector.", code = "INVALID_ARGUMENT" },
    { "an application that describes nothing",
      given = { ["observing.interfaces.begin"] = { n = 3, false, "it tells nothing of itself", "no_tree" },
                ["sys.app.get"] = EDITOR, ["sys.engine.updated"] = true },
      args  = { what = "tree", application = "applications/7" }, err = "it tells nothing of itself", code = "NO_TREE" },
  },
}
