--- perigee service install, uninstall and status: the file that starts services with the user's session, and its state in
--- systemd or launchd. Only what these were seen to report is reported.

local env     = require "sys.env"
local fs      = require "sys.fs"
local json    = require "sys.json"
local process = require "sys.process"
local session = require "clients.session"
local unit    = require "services.unit"

local M = {}

local UNIT, LABEL = "perigee.service", "io.perigee.services"
local COPY = ".before-perigee"
local SECONDS = 30   -- time limit of systemctl or launchctl

---@class services.install.Manager  systemd or launchd
---@field path string            the path of the file
---@field text string            the text for the file
---@field there? string          why the manager cannot be asked; nil if it can
---@field by_hand string         the command with which the user can do the rest
---@field enable fun(): true?, string?   enables and starts it
---@field disable fun(): true?, string?
---@field look fun(): boolean, boolean   returns whether it is enabled, and whether it runs


--- Runs a program. Returns true if it succeeded, and its output.
local function run(...)
  local done, err = process.run { timeout = SECONDS, ... }
  if not done then return false, err end
  local said = (done.stdout .. done.stderr):match "^%s*(.-)%s*$"
  return done.code == 0, said ~= "" and said or ("it exited with status %s"):format(done.code)
end


--- Runs commands one after the other. err is that of the first that fails.
local function run_all(commands)
  for _, command in ipairs(commands) do
    local ok, said = run(table.unpack(command))
    if not ok then return nil, ("%s: %s"):format(table.concat(command, " "), said) end
  end
  return true
end


--- Returns the words of the command that the file runs.
local function words_of(args, io)
  local words = { "service", "run" }
  if args.no_user_root then words[#words + 1] = "--no-user-root" end
  for _, root in ipairs(args.root or {}) do
    local path, err, code = io:grant(root, "read")
    if not path then return nil, err, code end
    words[#words + 1] = "--root=" .. path
  end
  for _, folder in ipairs(args.grant or {}) do
    local path, err, code = io:grant(folder, "read")
    if not path then return nil, err, code end
    words[#words + 1] = "--grant=" .. path
  end
  return words
end


--- Returns the environment variables that move the user's directories.
local function places()
  local found = {}
  for _, name in ipairs { "PERIGEE_HOME", "PERIGEE_LUA", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME" } do
    found[name] = env.get(name)
  end
  return found
end


-- --- systemd ------------------------------------------------------------------------------

local function systemctl(...) return { "systemctl", "--user", "--no-pager", ... } end


local function systemd(words, io)
  local program = session.program(io.program)
  if program:find "[\"'\\%c]" then
    return nil, ("systemd starts no program whose path has quotes or backslashes: %s. Move it"):format(program), "bad_path"
  end
  local config = (env.get("XDG_CONFIG_HOME", "")):match "^/.*" or (env.get "HOME" or "~") .. "/.config"
  local reachable, known = run(table.unpack(systemctl "show-environment"))
  local graphical = not reachable or (run(table.unpack(systemctl("is-active", "graphical-session.target"))))
  local variables = places()
  if not (reachable and ("\n" .. known):find "\nDISPLAY=") then
    local found = session.variables()
    variables.DISPLAY, variables.XAUTHORITY = found.DISPLAY, found.XAUTHORITY
  end
  local text, err, code = unit.systemd { program = program, words = words, env = variables,
    target = graphical and "graphical-session.target" or "default.target" }
  if not text then return nil, err, code end
  return {
    path = ("%s/systemd/user/%s"):format(config, UNIT),
    text = text,
    there = not reachable and ("systemd's user manager cannot be asked (%s)"):format(known:match "^[^\n]*") or nil,
    by_hand = "systemctl --user enable --now " .. UNIT,
    enable = function()
      return run_all { systemctl "daemon-reload", systemctl("enable", UNIT), systemctl("restart", UNIT) }
    end,
    disable = function() return run_all { systemctl("disable", "--now", UNIT) } end,
    forget = function() return run_all { systemctl "daemon-reload" } end,
    look = function()
      return (run(table.unpack(systemctl("is-enabled", UNIT)))), (run(table.unpack(systemctl("is-active", UNIT))))
    end,
  }
end


-- --- launchd ------------------------------------------------------------------------------

local function launchd(words, io)
  local home = env.get "HOME" or "~"
  local path = ("%s/Library/LaunchAgents/%s.plist"):format(home, LABEL)
  local known, uid = run("id", "-u")
  local domain = "gui/" .. uid
  local reachable, why = run("launchctl", "print", domain)
  local function loaded() return (run("launchctl", "print", domain .. "/" .. LABEL)) end
  local function leave() return not loaded() or run_all { { "launchctl", "bootout", domain .. "/" .. LABEL } } end
  local text, err, code = unit.launchd { program = session.program(io.program), words = words, env = places(), label = LABEL,
    log = home .. "/Library/Logs/perigee-services.log" }
  if not text then return nil, err, code end
  return {
    path = path,
    text = text,
    there = not (known and reachable) and ("launchd cannot be asked (%s)"):format(why:match "^[^\n]*") or nil,
    by_hand = ('launchctl bootstrap gui/$(id -u) "%s"'):format(path),
    enable = function()
      local ok, said = leave()
      if not ok then return nil, said end
      return run_all { { "launchctl", "bootstrap", domain, path } }
    end,
    disable = leave,
    forget = function() return true end,
    look = function()
      local ok, said = run("launchctl", "print", domain .. "/" .. LABEL)
      return ok, ok and said:find "state = running" ~= nil
    end,
  }
end


---@return services.install.Manager? manager
---@return string? err
---@return string? code
local function manager_of(args, io)
  if not env.get "HOME" then return nil, "HOME is not set. Set it to your home directory", "usage" end
  local words, err, code = words_of(args, io)
  if not words then return nil, err, code end
  return (env.platform == "macos" and launchd or systemd)(words, io)
end


-- --- the file -----------------------------------------------------------------------------

---@return "ours"|"changed"|"foreign"|"absent"|nil state
---@return string? err  or the text
---@return string? code
local function look_at(path, io)
  local text, err, code = io:read(path)
  if text then return unit.state(text), text end
  if code == "not_found" then return "absent" end
  return nil, err, code
end


local WHOSE = { changed = "was changed since Perigee wrote it", foreign = "was not written by Perigee" }

local function refuse(path, state, verb)
  return nil, ("%s %s, so it was left as it is. Use --force to %s it; a copy is kept as %s%s"):format(path, WHOSE[state], verb,
    path:match "[^/]*$", COPY), "changed"
end


--- Makes the directory writable, and keeps a copy of a file that is not ours.
local function prepare(path, state, io)
  local granted, err, code = io:grant(path:match "^(.*)/", "write")
  if not granted then return nil, err, code end
  local file = ("%s/%s"):format(granted, path:match "[^/]*$")
  if state == "changed" or state == "foreign" then
    local ok
    ok, err, code = fs.copy(file, file .. COPY, { replace = true })
    if not ok then return nil, "cannot keep a copy: " .. err, code end
  end
  return file
end


-- --- messages -----------------------------------------------------------------------------

local ORDER = { "file", "state", "written", "removed", "enabled", "active", "note" }

local function yes(is)
  if is == nil then return "not known" end
  return is and "yes" or "no"
end


local function report(result, args, io)
  if args.json then return io:json(json.object(result, ORDER)) end
  io:print(("%-9s%s"):format("file", result.file .. (result.about and (" (%s)"):format(result.about) or "")))
  io:print(("%-9s%s"):format("enabled", yes(result.enabled)))
  io:print(("%-9s%s"):format("runs", yes(result.active)))
  if result.note then io:print(result.note) end
end


--- Adds the present state in the manager.
local function see(result, manager)
  if manager.there then
    result.note = result.note or manager.there
  else
    result.enabled, result.active = manager.look()
  end
  return result
end


--- Runs `perigee service install`.
---@param args table
---@param io perigee.IO
function M.install(args, io)
  local manager, err, code = manager_of(args, io)
  if not manager then return nil, err, code end
  local path = manager.path
  if args.dry_run then return io:write(manager.text) end
  local state, text
  state, text, code = look_at(path, io)
  if not state then return nil, text, code end
  if WHOSE[state] and not args.force then return refuse(path, state, "replace") end
  local result = { file = path, state = "ours", written = text ~= manager.text }
  result.about = result.written and "written" or "as it was"
  if result.written then
    local ok
    ok, err, code = prepare(path, state, io)
    if ok then ok, err, code = io:save(path, manager.text) end
    if not ok then return nil, err, code end
  end
  if args.no_enable then
    result.note = "To start it with your session: " .. manager.by_hand
  elseif manager.there then
    result.note = ("It is not enabled: %s. In your session, run: %s"):format(manager.there, manager.by_hand)
  else
    local ok
    ok, err = manager.enable()
    if not ok then return nil, ("%s was written, but could not be enabled: %s"):format(path, err), "not_enabled" end
  end
  report(see(result, manager), args, io)
  if args.no_enable or manager.there or result.enabled and result.active then return 0 end
  return nil, ("it was enabled, but does not run as it should. See: %s"):format(env.platform == "macos"
    and "~/Library/Logs/perigee-services.log" or "systemctl --user status " .. UNIT), "not_enabled"
end


--- Runs `perigee service uninstall`.
---@param args table
---@param io perigee.IO
function M.uninstall(args, io)
  local manager, err, code = manager_of(args, io)
  if not manager then return nil, err, code end
  local path = manager.path
  local state, text
  state, text, code = look_at(path, io)
  if not state then return nil, text, code end
  if state == "absent" then
    local result = { file = path, state = "absent", removed = false, about = "does not exist: nothing was removed" }
    report(see(result, manager), args, io)
    return 0
  end
  if WHOSE[state] and not args.force then return refuse(path, state, "remove") end
  if not manager.there then
    local ok
    ok, err = manager.disable()
    if not ok then return nil, ("it could not be ended, so %s was left: %s"):format(path, err), "not_disabled" end
  end
  local file
  file, err, code = prepare(path, state, io)
  if file then file, err, code = fs.remove(file) end
  if not file then return nil, err, code end
  local result = { file = path, state = "absent", removed = true, about = "removed" }
  if manager.there then
    result.note = manager.there .. ". If it runs, it does so until your session ends."
  else
    manager.forget()
  end
  report(see(result, manager), args, io)
  return 0
end


local STATES = { ours = "as Perigee wrote it", changed = WHOSE.changed, foreign = WHOSE.foreign, absent = "does not exist" }

--- Runs `perigee service status`.
---@param args table
---@param io perigee.IO
function M.status(args, io)
  local manager, err, code = manager_of(args, io)
  if not manager then return nil, err, code end
  local state, text
  state, text, code = look_at(manager.path, io)
  if not state then return nil, text, code end
  report(see({ file = manager.path, state = state, about = STATES[state] }, manager), args, io)
  return 0
end


return M
