--- The subject of an observation: read from the arguments of create_observation, and watched.

local desk          = require "observing.desk"
local interfaces    = require "observing.interfaces"
local names         = require "desktop.names"
local nearest       = require "nearest"
local notifications = require "observing.notifications"
local observations  = require "observing.observations"
local selectors     = require "elements.find.selector"
local target        = require "elements.find.target"

local M = {}

M.KINDS = { "windows", "applications", "elements", "tree", "attributes", "notifications" }


local OF_WINDOWS = { windows = true, applications = true, notifications = true }


local function known(what)
  local list = table.move(observations.KINDS[what], 1, #observations.KINDS[what], 1, {})
  return what == "windows" and table.move(observations.POPUPS, 1, #observations.POPUPS, #list + 1, list) or list
end


--- The set of events that the observation reports.
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


--- Reads a subject about windows. These may belong to an application that does not run yet: then words identify them.
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
  local selector, place, err, code
  if args.element then
    selector, err, code = selectors.parse(args.element)
    if not selector then return nil, err, code end
    if selector.ref then
      return nil, ("%s names one element. Pass a selector, for example button \"Save\"."):format(args.element), "bad_argument"
    end
  end
  place, err, code = target.place(args, selector)
  if not place then return nil, err, code end
  about.pid, about.started, about.window_id = place.pid, place.started, place.window
  about.selector, about.said = selector, args.element
  return true
end


--- Reads the arguments of create_observation.
---@param args table
---@return table? about  the argument of observations.add()
---@return string? err
---@return string? code
function M.read(args)
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


--- Begins to watch the subject.
function M.begin(about)
  if about.what == "notifications" then return notifications.begin() end
  if OF_WINDOWS[about.what] then return desk.begin() end
  return interfaces.begin { pid = about.pid, started = about.started }
end


return M
