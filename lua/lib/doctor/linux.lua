--- The desktop on Linux: the display server, its window manager, the buses.

local dbus    = require "sys.dbus"
local desktop = require "doctor.desktop"
local engine  = require "sys.engine"
local env     = require "sys.env"
local process = require "sys.process"

local M = {}

local PATIENCE = 5  -- seconds that a request may take


local function is_wayland() return env.get "WAYLAND_DISPLAY" ~= nil or env.get "XDG_SESSION_TYPE" == "wayland" end


local function displays()
  local wayland = is_wayland() and not env.get "DISPLAY"
  local finding = desktop.displays(wayland
    and "This session is Wayland's without X11 beside it: start Xwayland, or log in to an X11 session."
    or "Run this in a terminal of the desktop session. For a server that a client starts: perigee install CLIENT")
  local found = engine.status().display
  if finding.status == "ok" and found and found.from then
    finding.text = ("%s (DISPLAY is not set: %s, the display of %s)"):format(finding.text, found.name, found.from)
  end
  if finding.status == "ok" and is_wayland() then
    finding.status = "warning"
    finding.text = finding.text .. "; the session is Wayland's"
    finding.next = "On its Xwayland only windows of X11 programs are seen and controlled, and screenshots of the desktop are "
      .. "black. Log in to an X11 session for the others."
  end
  return finding
end


--- Returns the output of xprop for the root window, or for one window.
local function property(...)
  local spec = { "xprop", "-notype", ... }
  spec.timeout = PATIENCE
  local done = process.run(spec)
  return done and done.code == 0 and done.stdout or nil
end


local function window_manager()
  if engine.desktop() == "fake" then return { status = "skipped", text = "a desktop in memory has none" } end
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


--- Calls a method on the session bus as the engine does: it starts no bus and no service. Returns its first result, or nil, a
--- message and a code or the D-Bus name of the error.
local function ask(service, path, interface, method, argument)
  local answers, err, code = dbus.calls("session", { { to = service, path = path, interface = interface, member = method,
    signature = argument and "s" or nil, args = argument and { argument } or nil } }, { timeout = PATIENCE })
  if not answers then return nil, err, code end
  local answer = answers[1]
  if answer.error then return nil, answer.text, answer.error end
  return answer.values[1]
end


local function ask_bus(method, argument)
  return ask("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", method, argument)
end


local function session_bus()
  local id, err = ask_bus "GetId"
  if id then
    local address = env.get "DBUS_SESSION_BUS_ADDRESS"
    if not address or address:find "^autolaunch:" then address = ("unix:path=%s/bus"):format(env.get "XDG_RUNTIME_DIR") end
    local from = engine.status().bus_from
    if from then address = ("%s (the environment names none: it is that of %s)"):format(address, from) end
    return { status = "ok", text = address }
  end
  return { status = "warning", text = err,
    next = "Some applications want it, and elements of windows are read through it: start the session with dbus-run-session." }
end


local function is_startable(service)
  for _, name in ipairs(ask_bus "ListActivatableNames" or {}) do
    if name == service then return true end
  end
  return false
end


--- Returns the address that the display has of its accessibility bus, if one answers there: the engine takes it where the
--- session has none.
local function bus_of_display()
  if engine.desktop() == "fake" or not process.exists "xprop" then return nil end
  local address = (property("-root", "AT_SPI_BUS") or ""):match '= "(unix:[^;"]+)'
  local answers = address and dbus.calls(address, { { to = "org.freedesktop.DBus", path = "/org/freedesktop/DBus",
    interface = "org.freedesktop.DBus", member = "GetId" } }, { timeout = PATIENCE })
  return answers and address or nil
end


local function accessibility()
  local address, err, code = ask("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress")
  if address and address ~= "" then return { status = "ok", text = address } end
  if not ask_bus("NameHasOwner", "org.a11y.Bus") and is_startable "org.a11y.Bus" then
    return { status = "ok", text = "it starts when elements are read for the first time" }
  end
  address = bus_of_display()
  if address then return { status = "ok", text = address .. " (that of the display)" } end
  if code == "no_bus" then return { status = "skipped", text = 'not looked at: see "D-Bus session" above' } end
  return { status = "warning", text = err or "it has no address",
    next = "Elements of windows are read through it. On Debian: apt-get install at-spi2-core" }
end


M.checks = {
  { id = "displays", title = "Displays", run = displays },
  { id = "stop", title = "Input", run = desktop.stop },
  { id = "pictures", title = "Pictures of the screen", run = desktop.pictures, needs = "displays" },
  { id = "window_manager", title = "Window manager", run = window_manager, needs = "displays" },
  { id = "applications", title = "Applications", run = desktop.applications, needs = "displays" },
  { id = "session_bus", title = "D-Bus session", run = session_bus },
  { id = "accessibility", title = "Accessibility bus", run = accessibility },
}


return M
