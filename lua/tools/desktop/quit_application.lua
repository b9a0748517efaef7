--- Close an application's windows and wait for its end.

local app   = require "sys.app"
local apps  = require "desktop.apps"
local fail  = require "desktop.fail"
local names = require "desktop.names"
local s     = require "schema"


local function text_of(facts, display_name)
  if facts.done then
    return ("%s (%s) has ended%s."):format(facts.name, display_name, facts.forced and "; it had to be forced" or "")
  end
  local hint = facts.window and (" Answer it (%s), or quit with force=true."):format(facts.window)
    or " Quit with force=true to end it."
  return ("Not done: %s.%s"):format(facts.note or "it still runs", hint)
end


---@param args {name: string, force?: boolean}
---@param call Call
local function run(args, call)
  local found, err, code = names.find_application(args.name)
  if not found then return fail.with(err, code) end
  local outcome
  outcome, err, code = app.quit({ pid = found.pid, started = found.started }, { force = args.force or false, timeout = 20 })
  if not outcome then return fail.with(err, code) end
  if outcome.done then apps.forget(found.pid) end
  local facts = {
    name   = names.application(found),
    done   = outcome.done,
    forced = outcome.forced,
    note   = outcome.note,
    window = outcome.window and names.window(outcome.window),
  }
  return call:result { content = { { type = "text", text = text_of(facts, found.name) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Quit an application",
  description  = "Quit an application: close its windows and wait for its end. Unsaved work may keep it open.",
  inputSchema  = s.object {
    apps.name_parameter,
    { "force", s.boolean("End the process when closing its windows was not enough; unsaved work is lost.", { optional = true }) },
  },
  outputSchema = s.object {
    { "name", s.string "The application's resource name." },
    { "done", s.boolean "Its process is gone." },
    { "forced", s.boolean "It had to be ended." },
    { "note", s.string("When not done: what is known.", { optional = true }) },
    { "window", s.string("The window that keeps it: a dialog.", { optional = true }) },
  },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  codes       = fail.told("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT",
    "PERMISSION_DENIED_ACCESSIBILITY"),

  run = run,

  examples = {
    { "names the dialog that keeps it",
      given = {
        ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 },
        ["sys.app.quit"] = { done = false, forced = false, window = { pid = 7, started = 1, id = 12 },
          note = 'it still runs and shows "Save changes?"' },
      },
      args  = { name = "applications/7" },
      has   = { 'Not done: it still runs and shows "Save changes?".', "Answer it (applications/7/windows/12)" },
      want  = { done = false, window = "applications/7/windows/12" },
      did   = { "app.get", "app.quit pid=7 started=1 force=false timeout=20" } },

    { "says that it has ended",
      given = { ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 }, ["sys.app.quit"] = { done = true, forced = true } },
      args  = { name = "applications/7", force = true },
      has   = { "applications/7 (Text Editor) has ended; it had to be forced." },
      want  = { done = true, forced = true } },
  },
}
