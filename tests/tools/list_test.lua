--- Cases of list beside the examples in its file.

local APPS = {
  { pid = 42, started = 1, name = "Text Editor", id = "org.gnome.TextEditor", path = "", active = true },
  { pid = 43, started = 1, name = "xterm", id = "", path = "/usr/bin/xterm", active = false },
}
local FRAME = { x = 10, y = 20.5, width = 800, height = 600 }


local WINDOWS = {
  { pid = 42, started = 1, id = 501, title = "Hidden.txt", app = "Text Editor", on_screen = false, frame = FRAME },
  { pid = 42, started = 1, id = 502, title = "Letter", app = "Text Editor", on_screen = true, frame = FRAME },
}
local GIVEN = { ["sys.app.list"] = APPS, ["sys.window.list"] = WINDOWS, ["sys.engine.status"] = { version = "1" } }


---@type ToolExample[]
return {
  { "lists the running applications, of several",
    given = GIVEN, args = {},
    want  = { application_list = {
      { app_name = "Text Editor", bundle_id = "org.gnome.TextEditor", pid = 42, is_active = true, window_count = 1 },
      { app_name = "xterm", bundle_id = "", pid = 43, is_active = false, window_count = 0 } } },
    has   = { "Found 2 running applications.\nText Editor (org.gnome.TextEditor): PID 42, 1 window, active\n",
      "\nxterm: PID 43, 0 windows\n\n--- Peekaboo MCP Server Status ---" } },
  { "lists an application's windows, of several",
    given = GIVEN, args = { item_type = "application_windows", app = "editor" },
    want  = { window_list = { { window_title = "Letter", window_index = 0 } },
      target_application_info = { app_name = "Text Editor", bundle_id = "org.gnome.TextEditor", pid = 42 } },
    has   = { "Found 1 window of Text Editor (PID 42).\n0: \"Letter\"" } },
  { "lists the windows with all details",
    given = GIVEN,
    args  = { item_type = "application_windows", app = "42", include_window_details = { "off_screen", "bounds", "ids" } },
    want  = { window_list = {
      { window_title = "Letter", window_id = 502, window_index = 0, is_on_screen = true,
        bounds = { x = 10, y = 20.5, w = 800, h = 600 } },
      { window_title = "Hidden.txt", window_id = 501, window_index = 1, is_on_screen = false } } },
    has   = { "0: \"Letter\", id 502, 800 x 600 at 10, 20.5\n",
      "1: \"Hidden.txt\", id 501, 800 x 600 at 10, 20.5, not on the screen" } },
  { "returns the server's status",
    given = GIVEN, args = { item_type = "server_status" },
    has   = { "--- Peekaboo MCP Server Status ---\nName: Perigee\nVersion: 1\n" },
    did   = { "engine.status" } },
  { "refuses other arguments for the status",
    args  = { item_type = "server_status", app = "x" },
    code  = "INVALID_ARGUMENT", err = "'app' and 'include_window_details' not applicable for 'server_status'." },
  { "reports that there is no display",
    given = { ["sys.app.list"] = { n = 3, false, "there is no display: DISPLAY is not set", "no_display" },
              ["sys.engine.launcher"] = "cursor-vscode" }, args = {},
    code  = "NO_DISPLAY", err = "DISPLAY is not set. Cursor did not pass DISPLAY on. Run `perigee install cursor`" },
}
