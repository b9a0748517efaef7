--- Start an application, or open files in it, and wait for its window.

local app   = require "sys.app"
local apps  = require "desktop.apps"
local fail  = require "desktop.fail"
local match = require "desktop.match"
local names = require "desktop.names"
local s     = require "schema"


local function text_of(facts, opened)
  local what = ("%s (%s)"):format(facts.application.name, facts.application.display_name)
  if facts.window then
    return ("%s %s: its window is %s."):format(opened.already and "Already ran:" or "Opened", what, facts.window)
  end
  return ("%s: %s."):format(opened.ended and "Started and ended" or "Started " .. what,
    opened.note or "no window came")
end


--- Those that the name may have meant.
local function advice(name)
  local near = {}
  for i, found in ipairs(match.rank(app.installed() or {}, name)) do
    if i <= 3 then near[i] = found.app.id ~= "" and ("%s (%s)"):format(found.app.name, found.app.id) or found.app.name end
  end
  if #near == 0 then return ". list_applications with installed=true has those that can be opened." end
  return (". Did you mean %s?"):format(table.concat(near, " or "))
end


---@param args {name: string, files?: string[], arguments?: string[], new?: boolean, background?: boolean, wait?: number}
---@param call Call
local function run(args, call)
  local opened, err, code = app.open {
    name = args.name, files = args.files, arguments = args.arguments,
    new = args.new or false, background = args.background or false, wait = args.wait or 15,
  }
  if code == "app_not_found" and not args.name:find "/" then err = err .. advice(args.name) end
  if not opened then return fail.with(err, code) end
  if not opened.ended then apps.track(opened.app) end
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
  description  = "Start an application, or open files or URLs in it, and wait until its window is there.",
  inputSchema  = s.object {
    { "name", s.string("Its name, desktop id (org.gnome.Calculator), or the path of a program or desktop entry.",
      { minLength = 1, maxLength = 1024 }) },
    { "files", s.array(s.string(nil, { minLength = 1, maxLength = 4096 }), "Paths or URLs to open in it.",
      { optional = true, maxItems = 100 }) },
    { "arguments", s.array(s.string(nil, { maxLength = 4096 }), "For a program's path only.",
      { optional = true, maxItems = 100 }) },
    { "new", s.boolean("A new instance, also when one runs.", { optional = true }) },
    { "background", s.boolean("Leave the focus where it is, where the system can.", { optional = true }) },
    { "wait", s.number("Seconds to wait for a window.", { optional = true, minimum = 0.1, maximum = 120, default = 15 }) },
  },
  outputSchema = s.object {
    { "application", apps.schema },
    { "window", s.string("Its window's resource name; absent when none came.", { optional = true }) },
    { "already", s.boolean "It ran before." },
    { "ended", s.boolean "What was started has ended without showing a window." },
    { "note", s.string("When no window came: what is known.", { optional = true }) },
  },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout      = 150,
  codes        = fail.told("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "LAUNCH_FAILED"),

  run = run,

  examples = {
    { "names the window that came",
      given = { ["sys.app.open"] = {
        app = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 },
        window = { pid = 7, started = 1, id = 9 }, already = false, ended = false,
      } },
      args  = { name = "Text Editor", files = { "/tmp/a.txt" } },
      has   = { "Opened applications/7 (Text Editor): its window is applications/7/windows/9." },
      want  = { application = { name = "applications/7", tracked = true }, window = "applications/7/windows/9" },
      did   = { "app.open background=false files={/tmp/a.txt} name=\"Text Editor\" new=false wait=15" } },

    { "says that no window came",
      given = { ["sys.app.open"] = {
        app = { pid = 7, started = 1, name = "Daemon", id = "", path = "/usr/bin/daemon", icon = "",
          active = false, hidden = false, windows = 0 },
        already = false, ended = false, note = "it runs and shows no window after 15 s",
      } },
      args  = { name = "daemon" },
      has   = { "Started applications/7 (Daemon): it runs and shows no window after 15 s." } },

    { "guesses what was meant",
      given = {
        ["sys.app.open"] = { n = 3, false, 'no application is called "calculater"', "app_not_found" },
        ["sys.app.installed"] = { { pid = 0, started = 0, name = "Calculator", id = "org.gnome.Calculator", path = "", icon = "",
                                    active = false, hidden = false, windows = 0 } },
      },
      args  = { name = "calculater" },
      err   = 'no application is called "calculater". Did you mean Calculator (org.gnome.Calculator)?',
      code  = "APP_NOT_FOUND" },

    { "lists what a name may mean",
      given = { ["sys.app.open"] = {
        n = 3, false, '"calc" may mean: Calculator (org.gnome.Calculator), LibreOffice Calc', "app_ambiguous",
      } },
      args  = { name = "calc" },
      err   = '"calc" may mean: Calculator',
      code  = "AMBIGUOUS_APP_IDENTIFIER" },
  },
}
