--- Cases of call_dbus beside the examples in its file. tests/desktop/dictionary_dbus_test.py calls real programs.

local json = require "sys.json"

local function of(name, interface, kind, more)
  local call = { kind = kind or "method", interface = interface, path = "/one", paths = { "/one", "/two" } }
  for key, value in pairs(more or {}) do call[key] = value end
  return { name = name, call = call }
end

--- Two interfaces that share a name, plumbing, and actions of the application and of its windows.
local SUITES = {
  { name = "a.b.Files", commands = { of("Open", "a.b.Files"), of("List", "a.b.Files") }, classes = {} },
  { name = "a.b.Views", commands = { of("Open", "a.b.Views") }, classes = {} },
  { name = "Application actions", commands = { of("close", "org.gtk.Actions", "action", { of = "app" }) }, classes = {} },
  { name = "Window actions", commands = { of("close", "org.gtk.Actions", "action", { of = "win" }) }, classes = {} },
  { name = "org.freedesktop.DBus.Peer", hidden = true, commands = { of("Ping", "org.freedesktop.DBus.Peer") }, classes = {} },
}

local function given(report)
  return { ["dictionary.bus_app.find"] = { id = "files", pid = 7 }, ["dictionary.bus_app.suites"] = function() return SUITES end,
    ["dictionary.bus_call.run"] = report or { effect = "unknown" } }
end

--- An application of which only the desktop entry is known.
local function stopped()
  local suites = { { name = "Desktop actions", classes = {}, commands = { of("new-window", nil, "desktop") } } }
  return { ["dictionary.bus_app.find"] = { id = "org.gnome.Evince", source = "desktop" },
    ["dictionary.bus_app.suites"] = function() return suites end }
end


---@type ToolExample[]
return {
  { "a name that means two things", given = given(), args = { app = "files", method = "Open" },
    err = '"Open" means 2 things: a.b.Files.Open, a.b.Views.Open. Use one of these names', code = "INVALID_ARGUMENT" },
  { "the end of an interface's name tells them apart", given = given(), args = { app = "files", method = "Views.Open" },
    want = { called = "a.b.Views.Open", effect = "unknown" } },
  { "actions by their group", given = given(), args = { app = "files", method = "win.close" }, want = { called = "win.close" } },
  { "actions of both groups", given = given(), args = { app = "files", method = "close" },
    err = '"close" means 2 things: app.close, win.close', code = "INVALID_ARGUMENT" },
  { "plumbing is called by its name, and not suggested", given = given(), args = { app = "files", method = "Ping" },
    want = { called = "org.freedesktop.DBus.Peer.Ping" } },
  { "plumbing is not suggested", given = given(), args = { app = "files", method = "Pin" },
    err = 'files has no method, action or property called "Pin". get_app_capabilities lists them', code = "NOT_FOUND" },
  { "an object that has it", given = given(), args = { app = "files", method = "List", path = "/two" },
    want = { called = "a.b.Files.List" } },
  { "an object that has it not", given = given(), args = { app = "files", method = "List", path = "/three" },
    err = "files has no List at /three. It is at /one, /two", code = "INVALID_ARGUMENT" },
  { "an application that does not run has only desktop actions", args = { app = "org.gnome.Evince", method = "go-next-page" },
    given = stopped(), code = "NOT_FOUND",
    err = 'called "go-next-page". get_app_capabilities lists them. It does not run, or takes no calls over D-Bus, so only the '
      .. "actions of its desktop entry are known. Start it with open_application org.gnome.Evince, then call again" },
  { "and the nearest of these", args = { app = "org.gnome.Evince", method = "new-windw" }, given = stopped(), code = "NOT_FOUND",
    err = 'called "new-windw"; did you mean new-window? It does not run, ' },
  { "a large result is left out", given = given { effect = "read", result = ("x"):rep(110000) },
    args = { app = "files", method = "List" },
    want = { effect = "read", result = nil,
      note = "the result has 110002 bytes; at most 102400 are returned. Ask for less, by arguments of the method" } },
  { "nothing that was seen is left out", given = given { effect = "unknown", seen = json.array {} },
    args = { app = "files", method = "List" }, want = { app = "files", called = "a.b.Files.List", effect = "unknown" } },
  { "a program that refuses", given = given { n = 3, false, "not today (org.example.No)", "failed" },
    args = { app = "files", method = "List" }, err = "not today (org.example.No)", code = "FAILED" },
}
