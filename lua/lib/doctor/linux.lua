--- The desktop on Linux: the display server, its window manager, the buses.

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
  if engine.parts().desktop == "fake" then return { status = "skipped", text = "a desktop in memory has none" } end
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


--- Calls a service on the session bus. Returns the text of its reply, or nil and a message.
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
  { id = "stop", title = "Input", run = desktop.stop },
  { id = "pictures", title = "Pictures of the screen", run = desktop.pictures, needs = "displays" },
  { id = "window_manager", title = "Window manager", run = window_manager, needs = "displays" },
  { id = "applications", title = "Applications", run = desktop.applications, needs = "displays" },
  { id = "session_bus", title = "D-Bus session", run = session_bus },
  { id = "accessibility", title = "Accessibility bus", run = accessibility, needs = "session_bus" },
}


return M
