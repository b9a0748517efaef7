--- Bring an application's frontmost window to the front.

local aftermath = require "elements.act.aftermath"
local app       = require "sys.app"
local apps      = require "desktop.apps"
local fail      = require "desktop.fail"
local names     = require "desktop.names"
local quoting   = require "desktop.quoting"
local s         = require "schema"
local waiting   = require "desktop.tools.waiting"


---@param args {application: string}
---@param call Call
local function run(args, call)
  local found, err, code = names.find_application(args.application)
  if not found then return fail.with(err, code) end
  local outcome
  outcome, err, code = app.activate(found)
  if not outcome then return fail.with(err, code) end
  apps.track(found)
  local facts = {
    name   = names.application(found),
    done   = outcome.done,
    note   = outcome.note,
    window = outcome.window and names.window(outcome.window),
  }
  aftermath.add(facts, { effect = outcome.done and "confirmed" or "none_seen",
    evidence = outcome.done and facts.window .. " has keyboard focus" or outcome.note
      or "none of its windows got keyboard focus" })
  local text = outcome.done
    and ("Activated %s (%s): %s has keyboard focus."):format(facts.name, quoting.name(found.name), facts.window)
    or ("Not done: %s."):format(outcome.note or "none of its windows got keyboard focus")
  return call:result { content = { { type = "text", text = text } }, structuredContent = facts }
end


---@type Tool
return {
  title        = "Activate an application",
  description  = "Bring a running application to the front and focus its frontmost window. To start one, use "
              .. "open_application. To focus a specific window, use focus_window.",
  inputSchema  = s.object { apps.parameter, waiting.parameter },
  outputSchema = s.object {
    { "name", s.string "The application's resource name." },
    { "done", s.boolean "True if one of its windows has keyboard focus." },
    { "note", s.string("If done is false: what happened instead.", { optional = true }) },
    { "window", s.string("Resource name of the focused window.", { optional = true }) },
    aftermath.members[1], aftermath.members[2], waiting.member,
  },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  listed      = false,
  codes       = fail.acting("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT",
    "PERMISSION_DENIED_ACCESSIBILITY"),

  about = { application = "application" },
  run = waiting.run(run),

  examples = {
    { "names the window that got keyboard focus",
      given = {
        ["sys.app.get"] = {
          pid = 7, started = 1, name = "Text Editor", id = "org.perigee.TextEditor", path = "/usr/bin/edit", icon = "",
          active = true, hidden = false, windows = 2 },
        ["sys.app.activate"] = { done = true, forced = false, window = { pid = 7, started = 1, id = 9 } },
      },
      args  = { application = "applications/7" },
      has   = { "Activated applications/7 (Text Editor): applications/7/windows/9 has keyboard focus." },
      want  = { done = true, effect = "confirmed", window = "applications/7/windows/9" } },

    { "lists the matches of an ambiguous name",
      given = { ["sys.app.list"] = {
        { pid = 7, started = 1, name = "Terminal", id = "term", path = "", icon = "",
          active = true, hidden = false, windows = 1 },
        { pid = 8, started = 1, name = "Terminal", id = "term", path = "", icon = "",
          active = false, hidden = false, windows = 1 },
      } },
      args  = { application = "terminal" },
      err   = '"terminal" matches 2 applications. Use one of these resource names:\n  applications/7  Terminal',
      code  = "AMBIGUOUS_APP_IDENTIFIER" },
  },
}
