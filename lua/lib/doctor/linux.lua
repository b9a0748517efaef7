--- The desktop on Linux: the display server, its window manager, the buses.

local app     = require "sys.app"
local display = require "sys.display"
local env     = require "sys.env"
local process = require "sys.process"
local screen  = require "sys.screen"
local window  = require "sys.window"

local M = {}

local PATIENCE = 5  -- seconds a question may take


local function displays()
  local list, err, code = display.list { timeout = PATIENCE }
  if not list then
    local wayland = env.get "WAYLAND_DISPLAY" and not env.get "DISPLAY"
    return { status = "error", text = err, facts = { code = code }, next = wayland
      and "This session is Wayland's without X11 beside it: start Xwayland, or log in to an X11 session."
      or "A server that a client starts sees the desktop only if the client hands it DISPLAY." }
  end
  local said, facts = {}, {}
  for i, d in ipairs(list) do
    said[i] = ("%s %gx%g%s"):format(d.name, d.bounds.width, d.bounds.height, d.main and " (main)" or "")
    facts[i] = { name = d.name, width = d.bounds.width, height = d.bounds.height, scale = d.scale, main = d.main }
  end
  local where = env.get("PERIGEE_DESKTOP") == "fake" and " in memory (PERIGEE_DESKTOP is fake)" or ""
  return { status = "ok", text = table.concat(said, ", ") .. where, facts = { displays = facts } }
end


local function pictures()
  local got, err, code = screen.capture { timeout = PATIENCE }
  if not got then return { status = "error", text = err, facts = { code = code } } end
  return { status = "ok", text = ("%dx%d pixels by %s"):format(got.width, got.height, got.route),
    facts = { width = got.width, height = got.height, route = got.route } }
end


--- What xprop prints of the root window, or of one.
local function property(...)
  local spec = { "xprop", "-notype", ... }
  spec.timeout = PATIENCE
  local done = process.run(spec)
  return done and done.code == 0 and done.stdout or nil
end


local function window_manager()
  if env.get("PERIGEE_DESKTOP") == "fake" then return { status = "skipped", text = "a desktop in memory has none" } end
  if not process.exists "xprop" then
    return { status = "skipped", text = "not looked at: xprop is not installed", next = "On Debian: apt-get install x11-utils" }
  end
  local id = (property("-root", "_NET_SUPPORTING_WM_CHECK") or ""):match "# (0x%x+)"
  if not id then
    return { status = "warning", text = "none that can be asked runs on this display",
      next = "Windows cannot be moved or focused without one: start a window manager, for example openbox." }
  end
  local name = (property("-id", id, "_NET_WM_NAME") or ""):match "= \"(.-)\"\n" or "one without a name"
  return { status = "ok", text = name, facts = { name = name } }
end


local function applications()
  local apps, err, code = app.list { timeout = PATIENCE }
  if not apps then return { status = "error", text = err, facts = { code = code } } end
  local windows = window.list { timeout = PATIENCE } or {}
  local installed = app.installed { timeout = PATIENCE } or {}
  return { status = "ok", text = ("%d with %d windows run, %d can be opened by name"):format(#apps, #windows, #installed),
    facts = { running = #apps, windows = #windows, installed = #installed } }
end


--- Asks a service on the session bus; the reply's text, or why there is none.
local function ask(service, path, method)
  local done, err = process.run { "dbus-send", "--session", "--print-reply=literal", "--reply-timeout=3000",
    "--dest=" .. service, path, method, timeout = PATIENCE }
  if not done then return nil, err end
  if done.code == 0 then return (done.stdout:gsub("^%s+", ""):gsub("%s+$", "")) end
  return nil, done.stderr:match "[^\n]+" or "no reply"
end


local function session_bus()
  if not process.exists "dbus-send" then
    return { status = "skipped", text = "not looked at: dbus-send is not installed",
      next = "On Debian: apt-get install dbus-bin" }
  end
  local id, err = ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.GetId")
  if id then
    return { status = "ok", text = env.get("DBUS_SESSION_BUS_ADDRESS", "found without DBUS_SESSION_BUS_ADDRESS") }
  end
  return { status = "warning", text = err,
    next = "Some applications want it, and elements of windows are read through it: start the session with dbus-run-session." }
end


local function accessibility()
  if not process.exists "dbus-send" then return { status = "skipped", text = "not looked at: dbus-send is not installed" } end
  local address, err = ask("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus.GetAddress")
  if address and address ~= "" then return { status = "ok", text = address } end
  return { status = "warning", text = err or "it has no address",
    next = "Elements of windows are read through it. On Debian: apt-get install at-spi2-core" }
end


M.checks = {
  { id = "displays", title = "Displays", run = displays },
  { id = "pictures", title = "Pictures of the screen", run = pictures, needs = "displays" },
  { id = "window_manager", title = "Window manager", run = window_manager, needs = "displays" },
  { id = "applications", title = "Applications", run = applications, needs = "displays" },
  { id = "session_bus", title = "D-Bus session", run = session_bus },
  { id = "accessibility", title = "Accessibility bus", run = accessibility, needs = "session_bus" },
}


return M
