--- Start an application, or open files in it, and wait for its window.

local app       = require "sys.app"
local app_names = require "app_names"
local apps      = require "desktop.apps"
local fail      = require "desktop.fail"
local match     = require "desktop.match"
local names     = require "desktop.names"
local quoting   = require "desktop.quoting"
local s         = require "schema"
local waiting   = require "desktop.tools.waiting"


local function text_of(facts, opened)
  local what = ("%s (%s)"):format(facts.application.name, quoting.name(facts.application.display_name))
  if facts.window then
    return ("%s %s: its window is %s."):format(opened.already and "Already running:" or "Opened", what, facts.window)
  end
  return ("%s: %s."):format(opened.ended and "Started and exited" or "Started " .. what,
    opened.note or "no window appeared")
end


--- Installed applications with a similar name.
local function advice(name)
  local near = {}
  for i, found in ipairs(match.rank(app.installed() or {}, name)) do
    if i <= 3 then near[i] = found.app.id ~= "" and ("%s (%s)"):format(quoting.name(found.app.name), quoting.name(found.app.id))
      or quoting.name(found.app.name) end
  end
  if #near == 0 then return ". Call list_applications with installed=true to see what can be opened." end
  return (". Did you mean %s?"):format(table.concat(near, " or "))
end


---@param args {application: string, files?: string[], arguments?: string[], new?: boolean, background?: boolean, wait?: number}
---@param call Call
local function run(args, call)
  local opened, err, code = app.open {
    name = args.application, files = args.files, arguments = args.arguments,
    new = args.new or false, background = args.background or false, wait = args.wait or 15,
  }
  if code == "app_not_found" and not args.application:find "/" then err = err .. advice(args.application) end
  if not opened then return fail.with(err, code) end
  if not opened.ended then
    apps.track(opened.app)
    if not args.application:find "/" then app_names.remember(opened.app, args.application) end
  end
  local facts = {
    application = apps.facts(opened.app),
    window      = opened.window and names.window(opened.window),
    already     = opened.already,
    ended       = opened.ended,
    note        = opened.note,
  }
  return call:result { content = { { type = "text", text = text_of(facts, opened) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Open an application",
  description  = "Start an application, or open files or URLs in it, and wait for its window. If it is already running, its "
              .. "window comes to the front unless you pass new=true. list_applications with installed=true has the IDs.",
  inputSchema  = s.object {
    { "application", s.also_called("name", s.string("Name, ID (org.gnome.Calculator), or path of a program or desktop entry.",
      { minLength = 1, maxLength = 1024 })) },
    { "files", s.array(s.string(nil, { minLength = 1, maxLength = 4096 }), "Paths or URLs to open.",
      { optional = true, maxItems = 100 }) },
    { "arguments", s.rare(s.array(s.string(nil, { maxLength = 4096 }), "Command-line arguments. They reach a new process only: "
      .. "one that runs already may ignore them.", { optional = true, maxItems = 100 })) },
    { "new", s.boolean("Start another instance.", { optional = true }) },
    { "background", s.rare(s.boolean("Keep keyboard focus where it is, if the system allows it.", { optional = true })) },
    waiting.or_seconds("Seconds to wait for its window (default: 15), or an effect.",
      { minimum = 0.1, maximum = 120 }),
  },
  outputSchema = s.object {
    { "application", apps.schema },
    { "window", s.string("Resource name of its window; absent if none appeared.", { optional = true }) },
    { "already", s.boolean "True if it was already running." },
    { "ended", s.boolean "True if the program exited without showing a window." },
    { "note", s.string("If no window appeared: what is known.", { optional = true }) },
    waiting.member,
  },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout      = 150,
  codes        = fail.acting("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "LAUNCH_FAILED"),

  about = { application = "opened", files = "server_path" },
  run = waiting.run(run),

  examples = {
    { "names the window that appeared",
      given = { ["sys.app.open"] = {
        app = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 },
        window = { pid = 7, started = 1, id = 9 }, already = false, ended = false,
      } },
      args  = { application = "Text Editor", files = { "/tmp/a.txt" } },
      has   = { "Opened applications/7 (Text Editor): its window is applications/7/windows/9." },
      want  = { application = { name = "applications/7", tracked = true }, window = "applications/7/windows/9" },
      did   = { "app.open background=false files={/tmp/a.txt} name=\"Text Editor\" new=false wait=15" } },

    { "reports that no window appeared",
      given = { ["sys.app.open"] = {
        app = { pid = 7, started = 1, name = "Daemon", id = "", path = "/usr/bin/daemon", icon = "",
          active = false, hidden = false, windows = 0 },
        already = false, ended = false, note = "it is running and shows no window after 15 s",
      } },
      args  = { application = "daemon" },
      has   = { "Started applications/7 (Daemon): it is running and shows no window after 15 s." } },

    { "suggests a similar name",
      given = {
        ["sys.app.open"] = { n = 3, false, 'no application is named "calculater"', "app_not_found" },
        ["sys.app.installed"] = { { pid = 0, started = 0, name = "Calculator", id = "org.gnome.Calculator", path = "", icon = "",
                                    active = false, hidden = false, windows = 0 } },
      },
      args  = { application = "calculater" },
      err   = 'no application is named "calculater". Did you mean Calculator (org.gnome.Calculator)?',
      code  = "APP_NOT_FOUND" },

    { "lists the matches of an ambiguous name",
      given = { ["sys.app.open"] = {
        n = 3, false, '"calc" matches 2 applications: Calculator (org.gnome.Calculator), LibreOffice Calc', "app_ambiguous",
      } },
      args  = { application = "calc" },
      err   = '"calc" matches 2 applications: Calculator',
      code  = "AMBIGUOUS_APP_IDENTIFIER" },
  },
}
