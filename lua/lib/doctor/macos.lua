--- Checks the desktop on a Mac: the responsible program, its permissions, AppleScript, Keynote, the signature.

local app        = require "sys.app"
local desktop    = require "doctor.desktop"
local engine     = require "sys.engine"
local osascript  = require "sys.osascript"
local permission = require "sys.permission"
local process    = require "sys.process"

local M = {}

local PATIENCE = 5  -- seconds that a request may take
local ANSWER = 120  -- seconds that the user has to answer a dialog

local system = {
  ask = permission.ask, check = permission.check, installed = app.installed, list = app.list,
  responsible = permission.responsible,
  run = process.run, script = osascript.run, program = function() return engine.program() end,
}


--- Replaces functions of `system`, for tests.
---@param others table<string, function>  functions by their names in `system`
function M.ask(others) system = others end


local function responsible()
  local pid, path = system.responsible()
  local own = path == system.program()
  local name = path ~= "" and path or "a program"
  return { status = "ok", facts = { pid = pid, path = path, own = own },
    text = own and "this program itself answers for its permissions"
      or ("%s (process %d) answers for this program: permissions are given to it"):format(name, pid),
    next = not own and "`--own-identity` makes this program answer for itself." or nil }
end


--- Splits the message of a denial, whose last sentence says what to do: "... is missing. Allow it ...".
local function denial(err)
  local what, advice = err:match "^(.-)%. (Allow it .*)$"
  return what or err, advice and advice .. "." or "Look at System Settings > Privacy & Security."
end


local function permitted(name, purpose)
  return function()
    local ok, err, code = system.check(name, { timeout = PATIENCE })
    if ok then return { status = "ok", text = "allowed: " .. purpose, facts = { allowed = true } } end
    local text, advice = denial(err)
    return { status = "error", text = ("%s (%s)"):format(text, purpose), next = advice, facts = { allowed = false, code = code } }
  end
end


local function applescript()
  local said, err, code = system.script { text = "return 6 * 7", timeout = 2 * PATIENCE }
  if said == "42" then return { status = "ok", text = "osascript runs" } end
  return { status = "warning", text = err or ("osascript said %q to 6 * 7"):format(said), facts = { code = code },
    next = "The keynote tools need it: run `osascript -e 'return 6 * 7'` in a terminal." }
end


local KEYNOTES = { ["com.apple.Keynote"] = "Keynote 15 and later", ["com.apple.iWork.Keynote"] = "Keynote up to 14" }

local function version_of(path)
  local done = system.run { "/usr/bin/defaults", "read", path .. "/Contents/Info", "CFBundleShortVersionString",
    timeout = PATIENCE }
  return done and done.code == 0 and done.stdout:match "^%s*(%S+)" or nil
end


---@return {id: string, path: string, version?: string}[]
local function keynotes()
  local found = {}
  for _, one in ipairs(system.installed { timeout = PATIENCE } or {}) do
    if KEYNOTES[one.id] then
      local path = one.path:match "^.-%.app" or one.path
      found[#found + 1] = { id = one.id, path = path, version = version_of(path) }
    end
  end
  table.sort(found, function(a, b) return a.id < b.id end)
  return found
end


local function keynote()
  local found, said = keynotes(), {}
  for i, one in ipairs(found) do said[i] = ("%s %s (%s)"):format(one.path, one.version or "of unknown version", one.id) end
  if #found > 0 then return { status = "ok", text = table.concat(said, ", "), facts = { keynotes = found } } end
  return { status = "warning", text = "not installed", facts = { keynotes = found },
    next = "The keynote tools need it: get Keynote from the App Store." }
end


--- Checks the permission to automate the Keynote that runs: macOS reports none for other versions.
local function automation()
  for _, one in ipairs(system.list { timeout = PATIENCE } or {}) do
    if KEYNOTES[one.id] then
      local ok, err, code = system.check("automation", { app = one.id, timeout = PATIENCE })
      if ok then return { status = "ok", text = "allowed for " .. one.id, facts = { app = one.id, allowed = true } } end
      local text, advice = denial(err)
      return { status = "warning", text = text, next = advice, facts = { app = one.id, allowed = false, code = code } }
    end
  end
  return { status = "skipped", text = "not checked: Keynote is not running, and macOS reports only running applications",
    next = "The first script asks for it once. Run one with a user at the screen." }
end


local function signature()
  local program = system.program()
  local done, err = system.run { "/usr/bin/codesign", "--display", "--verbose=2", program, timeout = PATIENCE }
  local said = done and done.stderr .. done.stdout or ""
  local authority = said:match "Authority=([^\n]+)"
  if authority then return { status = "ok", text = "by " .. authority, facts = { authority = authority } } end
  local again = "With a certificate of your own they stay: make sign IDENTITY=\"its name\" (docs/macos.md)."
  if said:find("Signature=adhoc", 1, true) then
    return { status = "ok", text = "ad hoc: what is allowed to Perigee itself is forgotten with each build", next = again,
      facts = { authority = "" } }
  end
  return { status = "warning", text = err or said:match "[^\n]+" or "codesign said nothing", next = again }
end


--- Requests missing permissions, because System Settings lists only programs that have asked. Keynote must run for its
--- permission.
---@param say fun(line: string)
function M.request(say)
  local function ask(name, title, options)
    if system.check(name, options) then return say(title .. ": allowed already") end
    local ok, err = system.ask(name, options)
    say(("%s: %s"):format(title, ok and "allowed now" or "macOS has asked. " .. (select(2, denial(err)))))
  end
  ask("screen", "Screen Recording", { timeout = ANSWER })
  ask("accessibility", "Accessibility", { timeout = ANSWER })
  for _, one in ipairs(system.list { timeout = PATIENCE } or {}) do
    if KEYNOTES[one.id] then return ask("automation", "Automation of " .. one.name, { app = one.id, timeout = ANSWER }) end
  end
  say "Automation of Keynote: open Keynote and run this again; macOS asks only for a running application"
end


M.checks = {
  { id = "responsible", title = "Responsible program", run = responsible },
  { id = "displays", title = "Displays", run = desktop.displays },
  { id = "stop", title = "Input", run = desktop.stop },
  { id = "screen_recording", title = "Screen Recording", run = permitted("screen", "pictures of the screen, titles of windows") },
  { id = "accessibility", title = "Accessibility", run = permitted("accessibility", "windows, mouse, keyboard") },
  { id = "pictures", title = "Pictures of the screen", run = desktop.pictures, needs = "screen_recording" },
  { id = "applications", title = "Applications", run = desktop.applications, needs = "displays" },
  { id = "applescript", title = "AppleScript", run = applescript },
  { id = "keynote", title = "Keynote", run = keynote },
  { id = "automation", title = "Automation of Keynote", run = automation, needs = "keynote" },
  { id = "signature", title = "Signature", run = signature },
}


return M
