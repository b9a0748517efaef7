--- Cases of image beside the examples in its file.

local DISPLAYS = {
  { id = 7, name = "LEFT", bounds = { x = 0, y = 0, width = 800, height = 600 }, main = true, scale = 1 },
  { id = 9, name = "RIGHT", bounds = { x = 800, y = 0, width = 800, height = 600 }, main = false, scale = 1 },
}
local APPS = {
  { pid = 42, started = 1, name = "Text Editor", id = "org.gnome.TextEditor", path = "/usr/bin/editor", active = true },
  { pid = 43, started = 1, name = "Terminal", id = "xterm", path = "/usr/bin/xterm", active = false },
  { pid = 44, started = 1, name = "Terminal", id = "xterm", path = "/usr/bin/xterm", active = false },
}


local WINDOWS = {
  { pid = 42, started = 1, id = 501, title = "Hidden.txt", app = "Text Editor", on_screen = false },
  { pid = 42, started = 1, id = 502, title = "Letter/to Ann", app = "Text Editor", on_screen = true },
  { pid = 42, started = 1, id = 503, title = "", app = "Text Editor", on_screen = true },
}
local PNG = { bytes = "picture", size = 7, mime_type = "image/png", width = 8, height = 6, route = "shm" }


--- The world of the examples, and what one of them adds.
local function given(more)
  local all = {
    ["sys.engine.status"] = { version = "1" },
    ["sys.display.list"] = DISPLAYS,
    ["sys.app.list"] = APPS,
    ["sys.window.list"] = WINDOWS,
    ["sys.screen.capture"] = function(what)
      return { bytes = what.bytes and "picture" or nil, size = 7, mime_type = "image/" .. what.format, width = 8, height = 6,
        route = "shm" }
    end,
    ["sys.picture_file.look"] = function(path) return { path = path, kind = path == "/shots" and "folder" or "free" } end,
    ["sys.picture_file.temporary"] = function(info, extension) return "/tmp/perigee_1_" .. info .. "." .. extension end,
    ["sys.time.iso"] = "2026-01-02T03:04:05.678Z",
  }
  for key, value in pairs(more or {}) do all[key] = value end
  return all
end


---@type ToolExample[]
return {
  { "captures an application's frontmost window into the given file, of several applications",
    given = given(), args = { app = "editor", path = "/tmp/x.jpg" },
    want  = { saved_files = { { path = "/tmp/x.jpg", item_label = "Letter/to Ann", window_title = "Letter/to Ann",
      window_id = 502, window_index = 0, mime_type = "image/jpeg" } } },
    has   = { "Captured 1 window of Text Editor.\nLetter/to Ann: /tmp/x.jpg" } },
  { "refuses an ambiguous name and lists the matches, of several applications",
    given = given(), args = { app = "term" },
    code  = "AMBIGUOUS_APP_IDENTIFIER", err = "Terminal (xterm, PID 43); Terminal (xterm, PID 44)" },
  { "captures every display into temporary files",
    given = given(), args = {},
    want  = { saved_files = {
      { path = "/tmp/perigee_1_display0_main.png", item_label = "Display 1 / Main", mime_type = "image/png" },
      { path = "/tmp/perigee_1_display1.png", item_label = "Display 2", mime_type = "image/png" } } },
    has   = { "Captured 2 displays.", "an hour", "--- Peekaboo MCP Server Status ---\nName: Perigee\nVersion: 1\n",
      "None Configured. Set PEEKABOO_AI_PROVIDERS ENV." } },
  { "derives file names for displays from the path",
    given = given(), args = { path = "/tmp/shot.png" },
    env   = { PEEKABOO_AI_PROVIDERS = "ollama/llava:latest, bad, openai/gpt-4o" },
    want  = { saved_files = { { path = "/tmp/shot_display0_main.png" }, { path = "/tmp/shot_display1.png" } } },
    has   = { "(from PEEKABOO_AI_PROVIDERS ENV): ollama/llava:latest, openai/gpt-4o\n---" } },
  { "captures all windows on the screen into a directory",
    given = given(), args = { app = "PID:42", mode = "multi", path = "/shots", format = "jpg" },
    want  = { saved_files = {
      { path = "/shots/perigee_20260102T030405678Z_Text_Editor_window0_Letter_to_Ann.jpg", window_index = 0 },
      { path = "/shots/perigee_20260102T030405678Z_Text_Editor_window1_Text_Editor.jpg", item_label = "Text Editor",
        window_title = "", window_index = 1 } } },
    has   = { "1 window of Text Editor is not on the screen and was not captured." } },
  { "saves to PERIGEE_SAVE_PATH",
    given = given(), args = { app = "text ed", window_specifier = { title = "letter" } },
    env   = { PERIGEE_SAVE_PATH = "/new" },
    want  = { saved_files = {
      { path = "/new/perigee_20260102T030405678Z_Text_Editor_window0_Letter_to_Ann.png", window_id = 502 } } } },
  { "returns data without a file if there is no path",
    given = given(), args = { app = "Text Editor", window_specifier = { index = 1 }, return_data = true },
    did   = { "app.list", "window.list", "window.list pid=42",
      "screen.capture bytes=true content_only=true format=png window={id=503 pid=42 started=1}", "engine.status" },
    has   = { "Captured 1 window of Text Editor." } },
  { "saves an image that is too large to be returned",
    given = given { ["sys.screen.capture"] = function(what)
      return { bytes = what.bytes and ("x"):rep(3000000) or nil, size = 3000000, mime_type = "image/png", width = 8, height = 6,
        route = "shm" }
    end },
    args  = { return_data = true },
    want  = { saved_files = { { path = "/tmp/perigee_1_display1.png", item_label = "Display 2" } } },
    has   = { "Captured 2 displays.\n", "Display 2 is too large to be returned with the others (3000000 bytes)", "an hour" } },
  { "brings the application to the front first",
    given = given { ["sys.app.activate"] = { done = true }, ["sys.window.focus"] = { done = false, note = "refused" } },
    args  = { app = "org.gnome.TextEditor", window_specifier = { index = 0 }, capture_focus = "foreground",
      path = "/tmp/x.png" },
    did   = { "picture_file.look /tmp/x.png", "app.list", "window.list", "window.list pid=42", "app.activate",
      "window.focus app=\"Text Editor\" id=502", "picture_file.look", "screen.capture", "engine.status" },
    has   = { "/tmp/x.png" } },
  { "captures and answers in one call, and names elements by their refs",
    given = given { ["sys.engine.provider"] = { n = 1, { images = { longest = 1568 }, complete = function(request, context)
        context.memory.model = context.model
        local refs = request.system:find('e1 button "Save" at 20,15', 1, true)
        return { text = refs and request.messages[1].images[1].data == "cGlj" and "Save (e1)." or request.system, stop = "end" }
      end } },
      ["sys.engine.text"] = function(name) return name == "analyze_elements" and "{elements}" or "Answer." end,
      ["sys.screen.capture"] = function(what)
        return { bytes = "pic", size = 3, mime_type = "image/png", width = 80, height = 60, route = "shm", path = what.path,
          origin = { x = 10, y = 10 }, scale = 0.5 }
      end,
      ["sys.crypto.base64"] = "cGlj",
      ["sys.picture.fit"] = { bytes = "pic", mime_type = "image/png", width = 80, height = 60, factor = 1 },
      ["sys.element.tree"] = { cut = false, route = "test", nodes = {
        { id = 1, role = "button", native = "push button", name = "Save", value = "", window = 502,
          states = { shown = true, enabled = true }, bounds = { x = 40, y = 30, width = 20, height = 20 }, children = 0,
          depth = 0 } } } },
    args  = { app = "editor", question = "Which button saves?" },
    env   = { PEEKABOO_AI_PROVIDERS = "mine/m" },
    want  = { saved_files = {}, analysis_text = "Save (e1).", model_used = "mine/m" },
    has   = { "Save (e1)." } },
  { "asks about an image that is too large to be returned by its file",
    given = given { ["sys.engine.provider"] = { n = 1, { images = {}, complete = function(request, context)
        context.memory.model = context.model
        return { text = ("%d images"):format(#request.messages[1].images), stop = "end" }
      end } },
      ["sys.engine.text"] = "Answer.",
      ["sys.screen.capture"] = function(what)
        return { bytes = what.bytes and ("x"):rep(3000000) or nil, size = 3000000, mime_type = "image/png", width = 8,
          height = 6, route = "shm", path = what.path }
      end,
      ["sys.crypto.base64"] = "eHh4",
      ["sys.picture.read"] = { bytes = "whole", path = "/tmp/a_display1.png", mime_type = "image/png", width = 8, height = 6 },
      ["sys.picture.fit"] = { bytes = "xxx", mime_type = "image/png", width = 8, height = 6, factor = 1 } },
    args  = { question = "How many?", path = "/tmp/a.png" },
    env   = { PEEKABOO_AI_PROVIDERS = "mine/m" },
    want  = { analysis_text = "2 images",
      saved_files = { { path = "/tmp/a_display0_main.png" }, { path = "/tmp/a_display1.png" } } } },
  { "says that no provider is configured before it captures",
    given = given(), args = { question = "?" }, code = "AI_NOT_CONFIGURED",
    err   = "AI analysis not configured on this server. Set the PEEKABOO_AI_PROVIDERS environment variable." },
  { "lists the running applications if none matches",
    given = given(), args = { app = "photoshop" },
    code  = "APP_NOT_FOUND", err = "Running: Text Editor (org.gnome.TextEditor, PID 42)" },
  { "lists the windows if none matches",
    given = given(), args = { app = "editor", window_specifier = { title = "invoice" } },
    code  = "WINDOW_NOT_FOUND", err = "0: \"Letter/to Ann\", 1: \"Text Editor\", 2: \"Hidden.txt\" (not on the screen)" },
  { "captures the window with a title, whichever of several applications has it",
    given = given { ["sys.window.list"] = {
      { pid = 43, started = 1, id = 601, title = "logs", app = "Terminal", on_screen = true },
      { pid = 44, started = 1, id = 602, title = "build", app = "Terminal", on_screen = true } } },
    args  = { app = "term", window_specifier = { title = "build" }, path = "/tmp/x.png" },
    want  = { saved_files = { { path = "/tmp/x.png", window_title = "build", window_id = 602 } } } },
  { "captures the window with a title of any application",
    given = given(), args = { window_specifier = { title = "letter" }, path = "/tmp/x.png" },
    want  = { saved_files = { { path = "/tmp/x.png", window_id = 502, window_index = 0 } } } },
  { "refuses an index without an application",
    given = given(), args = { window_specifier = { index = 1 } },
    code  = "INVALID_ARGUMENT", err = "A window's index needs its application. Pass app." },
  { "names the only display as one of several",
    given = given { ["sys.display.list"] = { DISPLAYS[1] } }, args = { path = "/tmp/shot.png" },
    want  = { saved_files = { { path = "/tmp/shot_display0_main.png", item_label = "Display 1 / Main" } } } },
  { "requires an application in modes that need one",
    given = given(), args = { mode = "multi" },
    code  = "INVALID_ARGUMENT", err = "Mode \"multi\" requires an application. Pass app." },
  { "reports where an image could not be written, and leaves no temporary file",
    given = given { ["sys.screen.capture"] = { n = 3, false, "cannot write: No space left on device", "file_io_error" },
      ["sys.picture_file.remove"] = true },
    args  = { app = "editor" },
    did   = { "app.list", "window.list", "window.list pid=42",
      "picture_file.temporary Text_Editor_window0_Letter_to_Ann png", "screen.capture",
      "picture_file.remove /tmp/perigee_1_Text_Editor_window0_Letter_to_Ann.png" },
    code  = "FILE_IO_ERROR", err = "No space left on device" },
  { "continues if one of several windows was closed",
    given = given { ["sys.screen.capture"] = { { n = 3, false, "there is no window 502", "window_not_found" }, PNG } },
    args  = { app = "editor", mode = "multi", path = "/tmp/x" },
    want  = { saved_files = { { path = "/tmp/x_window1_Text_Editor.png" } } },
    has   = { "there is no window 502" } },
  { "explains how to capture a minimized window",
    given = given { ["sys.screen.capture"] = { n = 3, false, "the window is minimized", "window_minimized" } },
    args  = { app = "editor", window_specifier = { title = "Hidden" }, return_data = true },
    code  = "CAPTURE_FAILED", err = "Use capture_focus \"foreground\" to restore it first." },
}
