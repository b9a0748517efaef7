--- Close an application's windows and wait until it exits.

local aftermath = require "elements.act.aftermath"
local app       = require "sys.app"
local apps      = require "desktop.apps"
local fail      = require "desktop.fail"
local names     = require "desktop.names"
local quoting   = require "desktop.quoting"
local s         = require "schema"
local waiting   = require "desktop.tools.waiting"


local function text_of(facts, display_name)
  if facts.done then
    return ("%s (%s) has exited%s."):format(facts.name, quoting.name(display_name),
      facts.forced and "; it had to be forced" or "")
  end
  if facts.forced then return ("Not done: %s."):format(facts.note or "it is still running") end
  local hint = facts.window and (" Answer the dialog (%s), or pass force=true."):format(facts.window)
    or " To force it to exit, pass force=true."
  return ("Not done: %s.%s"):format(facts.note or "it is still running", hint)
end


---@param args {application: string, force?: boolean}
---@param call Call
local function run(args, call)
  local found, err, code = names.find_application(args.application)
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
  -- A dialog that asks a question is a partial effect, and so is a process that was forced while a window stays.
  local partial = outcome.window or outcome.forced
  aftermath.add(facts, { effect = outcome.done and "confirmed" or partial and "partial" or "none_seen",
    evidence = outcome.done and "its process has exited" or outcome.note or "it is still running" })
  return call:result { content = { { type = "text", text = text_of(facts, found.name) } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Quit an application",
  description  = "Quit an application by closing its windows, and wait until it exits. Unsaved work may keep it open: `window` "
              .. "then names the dialog to answer.",
  inputSchema  = s.object {
    apps.parameter,
    { "force", s.boolean("End the process if it stays. Unsaved work is lost.",
      { optional = true }) },
    waiting.parameter,
  },
  outputSchema = s.object {
    { "name", s.string "The application's resource name." },
    { "done", s.boolean "True if its process has exited and its windows are gone." },
    { "forced", s.boolean "True if it was forced to exit." },
    { "note", s.string("If done is false: what is known.", { optional = true }) },
    { "window", s.string("Resource name of the dialog that keeps it open.", { optional = true }) },
    aftermath.members[1], aftermath.members[2], waiting.member,
  },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  codes       = fail.acting("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT",
    "PERMISSION_DENIED_ACCESSIBILITY"),

  about = { application = "application" },
  run = waiting.run(run),

  examples = {
    { "names the dialog that keeps it open",
      given = {
        ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 },
        ["sys.app.quit"] = { done = false, forced = false, window = { pid = 7, started = 1, id = 12 },
          note = 'it is still running and shows "Save changes?"' },
      },
      args  = { application = "applications/7" },
      has   = { 'Not done: it is still running and shows "Save changes?".', "Answer the dialog (applications/7/windows/12)" },
      want  = { done = false, effect = "partial", window = "applications/7/windows/12" },
      did   = { "app.get", "app.quit pid=7 started=1 force=false timeout=20" } },

    { "tells of an application that shares a process",
      given = {
        ["sys.app.list"] = { {
          pid = 7, started = 1, name = "LibreOffice Calc", id = "libreoffice-calc.desktop", path = "/usr/bin/soffice", icon = "",
          active = true, hidden = false, windows = 2 } },
        ["sys.window.list"] = {
          { pid = 7, started = 1, id = 12, title = "Sums", app = "libreoffice-calc" },
          { pid = 7, started = 1, id = 13, title = "Talk", app = "libreoffice-impress" } } },
      args  = { application = "Impress" },
      err   = '"Impress" has windows of its own, and a process that it shares with other applications. Use a window\'s resource '
           .. "name with focus_window or close_window, or applications/7 for all that the process shows:\n"
           .. '  applications/7/windows/13  "Talk" (libreoffice-impress)',
      code  = "APP_NOT_FOUND" },

    { "reports that it has exited",
      given = { ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 }, ["sys.app.quit"] = { done = true, forced = true } },
      args  = { application = "applications/7", force = true },
      has   = { "applications/7 (Text Editor) has exited; it had to be forced." },
      want  = { done = true, forced = true, effect = "confirmed" } },
  },
}
