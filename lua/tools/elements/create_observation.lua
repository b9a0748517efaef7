--- Begins to watch windows, applications or elements. Their events are kept for reading.

local about        = require "observing.about"
local beginnings   = require "desktop.beginnings"
local fail         = require "desktop.fail"
local observations = require "observing.observations"
local s            = require "schema"
local telling      = require "observing.telling"
local tool         = require "elements.tools.shared"


---@param args {what: string, events?: string[], application?: string, window?: string, element?: string, keep: integer,
---  life: number}
---@param call Call
local function run(args, call)
  local wanted, err, code = about.read(args)
  if not wanted then return fail.with(err, code) end
  local observation
  observation, err, code = observations.add(wanted, args.keep, args.life)
  if not observation then return fail.with(err, code) end
  local ok
  ok, err, code = about.begin(observation)
  if not ok then
    observations.remove(observation)
    return fail.with(err, code)
  end
  local text = ("Observing as %s. Read it with get_observation, or subscribe to %s. It ends after %g seconds "
    .. "without a reader."):format(observations.name(observation), observations.uri(observation), observation.life)
  return call:result { content = { { type = "text", text = text } }, structuredContent = telling.about(observation) }
end


---@type Tool
return {
  title        = "Create an observation",
  description  = "Watch windows, applications, notifications or elements, and keep each event until it is read. Read them "
              .. "with get_observation. Watching takes no focus. To wait for one thing, use wait_for. If an application "
              .. "describes no interface, only its windows can be watched.",
  inputSchema  = s.object {
    { "what", s.enum(about.KINDS, "elements: those that match `element`. tree: comes and goes. attributes: names, values, "
      .. "states.") },
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

  about = { "every", application = "application", window = "window", element = "element" },
  run = beginnings.run(run),

  examples = {
    { "of windows, by words that their titles hold",
      given = { ["observing.desk.begin"] = true, ["sys.engine.updated"] = true },
      args  = { what = "windows", window = "Save", events = { "window_opened" } },
      has   = { "Observing as observations/1. Read it with get_observation, or subscribe to perigee://observations/1." },
      want  = { name = "observations/1", running = true, total = 0, window = "save", events = { "window_opened" } } },
    { "an event that it does not tell", args = { what = "tree", events = { "window_opened" } },
      err = "tree does not tell window_opened. It tells element_added, element_removed.", code = "INVALID_ARGUMENT" },
    { "elements without a selector", args = { what = "elements" },
      err = "elements needs element, a selector.", code = "INVALID_ARGUMENT" },
  },
}
