--- Pictures of the screen, saved to files, returned, or both.

local answer  = require "screen.answer"
local capture = require "screen.capture"
local json    = require "sys.json"
local notes   = require "screen.notes"
local s       = require "schema"


--- "Captured 2 windows of Text Editor." and the files, a line each.
local function summary(result)
  local count, thing = result.taken, result.mode == "screen" and "display" or "window"
  local app = result.mode ~= "screen" and result.app and " of " .. result.app.name or ""
  local lines = { ("Captured %d %s%s%s."):format(count, thing, count == 1 and "" or "s", app) }
  for _, file in ipairs(result.saved_files) do lines[#lines + 1] = ("%s: %s"):format(file.item_label, file.path) end
  if result.temporary and #result.saved_files > 0 then
    lines[#lines + 1] = "Temporary files are removed when an hour has passed; give path to keep them."
  end
  return table.concat(lines, "\n")
end


--- The facts stand in `_meta`, too: some clients drop members of content that the protocol does not know.
local function block(call, picture)
  local image = call:image(picture.bytes, picture.mime_type)
  image.metadata = { item_label = picture.shot.label, window_title = picture.shot.title, window_id = picture.shot.id,
    source_path = picture.path }
  image._meta = image.metadata
  return image
end


---@param args screen.Request
---@param call Call
local function run(args, call)
  local said = notes.new()
  local result, err, code, details = capture.run(args, said)
  if not result then return answer.failure(err, code, details, said) end
  local blocks = {}
  for i, picture in ipairs(result.pictures) do blocks[i] = block(call, picture) end
  local facts = { saved_files = json.array(result.saved_files) }
  return answer.success(call, { summary(result) }, blocks, facts, said)
end


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

--- What the examples stand on; more comes on top.
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


---@type Tool
return {
  title       = "Capture the screen",
  description = "Captures screen content. Targets: the entire screen (each display separately), a specific application window, "
    .. "or all windows of an application. Supports foreground and background capture. Pictures are saved to files, returned "
    .. "as image data, or both. Window shadows are left out. Applications are found by id, name, a part of the name or PID, "
    .. "also with a slip; an ambiguous name is refused with the candidates.",
  inputSchema = s.object {
    { "app", s.string("Target application: name, bundle or desktop entry id, partial name, or \"PID:\" and its number. "
      .. "If omitted, captures the screen(s).", { optional = true, maxLength = 1000 }) },
    { "path", s.string("Base absolute path for saving: a file, a folder, or the beginning of names. For modes 'screen' and "
      .. "'multi' display or window info is appended. If omitted, the variable PERIGEE_SAVE_PATH or "
      .. "PEEKABOO_DEFAULT_SAVE_PATH; if neither is set, temporary files. With 'return_data' a path from either saves AND "
      .. "returns. Only pictures are replaced.", { optional = true, minLength = 1, maxLength = 4096 }) },
    { "mode", s.enum({ "screen", "window", "multi" },
      "Capture mode. Defaults to 'window' if 'app' is provided, otherwise 'screen'.", { optional = true }) },
    { "window_specifier", {
      description = "Which window for 'window' mode. Defaults to the main/frontmost of the target app.", optional = true,
      anyOf = {
        s.object { { "title", s.string("Capture window by title: the whole of it, its beginning, or a part.",
          { minLength = 1, maxLength = 4096 }) } },
        s.object { { "index", s.integer("Capture window by index (0=frontmost), as 'list' gives it. 'capture_focus' might "
          .. "need to be 'foreground'.", { minimum = 0 }) } },
      } } },
    { "format", s.enum({ "png", "jpg" }, "Output image format. Defaults to 'png', or what the path's ending says.",
      { optional = true, default = "png" }) },
    { "return_data", s.boolean("If true, image data is returned in the content (one item for 'window' mode, several for "
      .. "'screen' or 'multi').", { optional = true, default = false }) },
    { "capture_focus", s.enum({ "background", "foreground" }, "'background' (default): capture without altering window "
      .. "focus. 'foreground': bring the target to the front before.", { optional = true, default = "background" }) },
  },
  outputSchema = s.object {
    { "saved_files", s.array(s.object {
      { "path", s.string "Absolute path." },
      { "item_label", s.string("\"Display 1 / Main\", or the window's title.", { optional = true }) },
      { "window_title", s.string("Of a window; may be empty.", { optional = true }) },
      { "window_id", s.integer("As 'list' gives it.", { optional = true }) },
      { "window_index", s.integer("As 'list' gives it.", { optional = true }) },
      { "mime_type", s.string "image/png or image/jpeg" },
    }, "What was saved; empty when the data was only returned.") },
  },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = false },
  codes       = {
    APP_NOT_FOUND = "Nothing that runs fits; the text has what runs.",
    AMBIGUOUS_APP_IDENTIFIER = "Several applications fit; the text has them.",
    WINDOW_NOT_FOUND = "The application has no such window, or it is gone.",
    CAPTURE_FAILED = "There is no picture of it: it is minimized, or lies outside of the displays.",
    FILE_IO_ERROR = "It could not be written, or something else is there that is no picture.",
    INVALID_ARGUMENT = "The arguments do not fit together.",
    PERMISSION_DENIED_SCREEN_RECORDING = "The system does not let this program see the screen.",
    PERMISSION_DENIED_ACCESSIBILITY = "The system does not let this program raise windows.",
    NO_DISPLAY = "There is no desktop to work on.",
  },

  run = run,

  examples = {
    { "captures every display into temporary files",
      given = given(), args = {},
      want  = { saved_files = {
        { path = "/tmp/perigee_1_display0_main.png", item_label = "Display 1 / Main", mime_type = "image/png" },
        { path = "/tmp/perigee_1_display1.png", item_label = "Display 2", mime_type = "image/png" } } },
      has   = { "Captured 2 displays.", "an hour", "--- Peekaboo MCP Server Status ---\nName: Perigee\nVersion: 1\n",
        "None Configured. Set PEEKABOO_AI_PROVIDERS ENV." } },
    { "names the files of displays after the path",
      given = given(), args = { path = "/tmp/shot.png" },
      env   = { PEEKABOO_AI_PROVIDERS = "ollama/llava:latest, bad, openai/gpt-4o" },
      want  = { saved_files = { { path = "/tmp/shot_display0_main.png" }, { path = "/tmp/shot_display1.png" } } },
      has   = { "(from PEEKABOO_AI_PROVIDERS ENV): ollama/llava:latest, openai/gpt-4o\n---" } },
    { "captures the front window of an application into the named file",
      given = given(), args = { app = "editor", path = "/tmp/x.jpg" },
      want  = { saved_files = { { path = "/tmp/x.jpg", item_label = "Letter/to Ann", window_title = "Letter/to Ann",
        window_id = 502, window_index = 0, mime_type = "image/jpeg" } } },
      has   = { "Captured 1 window of Text Editor.\nLetter/to Ann: /tmp/x.jpg" } },
    { "captures all windows on the screen into a folder",
      given = given(), args = { app = "PID:42", mode = "multi", path = "/shots", format = "jpg" },
      want  = { saved_files = {
        { path = "/shots/perigee_20260102T030405678Z_Text_Editor_window0_Letter_to_Ann.jpg", window_index = 0 },
        { path = "/shots/perigee_20260102T030405678Z_Text_Editor_window1_Text_Editor.jpg", item_label = "Text Editor",
          window_title = "", window_index = 1 } } },
      has   = { "1 window of Text Editor is not on the screen and left out." } },
    { "saves where the environment says",
      given = given(), args = { app = "text ed", window_specifier = { title = "letter" } },
      env   = { PERIGEE_SAVE_PATH = "/new" },
      want  = { saved_files = {
        { path = "/new/perigee_20260102T030405678Z_Text_Editor_window0_Letter_to_Ann.png", window_id = 502 } } } },
    { "returns data without a file when no path is given",
      given = given(), args = { app = "Text Editor", window_specifier = { index = 1 }, return_data = true },
      did   = { "app.list", "window.list pid=42",
        "screen.capture bytes=true format=png window={id=503 pid=42 started=1}", "engine.status" },
      has   = { "Captured 1 window of Text Editor." } },
    { "saves what is too large to be returned",
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
      did   = { "picture_file.look /tmp/x.png", "app.list", "window.list", "app.activate",
        "window.focus app=\"Text Editor\" id=502", "picture_file.look", "screen.capture", "engine.status" },
      has   = { "/tmp/x.png" } },
    { "refuses an ambiguous name with the candidates",
      given = given(), args = { app = "term" },
      code  = "AMBIGUOUS_APP_IDENTIFIER", err = "Terminal (xterm, PID 43); Terminal (xterm, PID 44)" },
    { "says what runs when nothing fits",
      given = given(), args = { app = "photoshop" },
      code  = "APP_NOT_FOUND", err = "Running: Text Editor (org.gnome.TextEditor, PID 42)" },
    { "says which windows there are",
      given = given(), args = { app = "editor", window_specifier = { title = "invoice" } },
      code  = "WINDOW_NOT_FOUND", err = "0: \"Letter/to Ann\", 1: \"Text Editor\", 2: \"Hidden.txt\" (not on the screen)" },
    { "asks for the application where the mode needs one",
      given = given(), args = { mode = "multi" },
      code  = "INVALID_ARGUMENT", err = "Mode \"multi\" needs an application" },
    { "never replaces what is no picture",
      given = given { ["sys.picture_file.look"] = { path = "/home/ann/letter.png", kind = "other" } },
      args  = { app = "editor", path = "/home/ann/letter.png" },
      code  = "FILE_IO_ERROR", err = "is no picture, so it is left as it is" },
    { "says where a picture could not be written, and leaves no temporary file",
      given = given { ["sys.screen.capture"] = { n = 3, false, "cannot write: No space left on device", "file_io_error" },
        ["sys.picture_file.remove"] = true },
      args  = { app = "editor" },
      did   = { "app.list", "window.list", "picture_file.temporary Text_Editor_window0_Letter_to_Ann png", "screen.capture",
        "picture_file.remove /tmp/perigee_1_Text_Editor_window0_Letter_to_Ann.png" },
      code  = "FILE_IO_ERROR", err = "No space left on device" },
    { "goes on when one of several windows is gone",
      given = given { ["sys.screen.capture"] = { { n = 3, false, "there is no window 502", "window_not_found" }, PNG } },
      args  = { app = "editor", mode = "multi", path = "/tmp/x" },
      want  = { saved_files = { { path = "/tmp/x_window1_Text_Editor.png" } } },
      has   = { "there is no window 502" } },
    { "tells how a minimized window is captured",
      given = given { ["sys.screen.capture"] = { n = 3, false, "the window is minimized", "window_minimized" } },
      args  = { app = "editor", window_specifier = { title = "Hidden" }, return_data = true },
      code  = "CAPTURE_FAILED", err = "capture_focus \"foreground\" restores it first" },
  },
}
