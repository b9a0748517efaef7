--- Screenshots saved to files, returned, or both.

local answer  = require "screen.answer"
local capture = require "screen.capture"
local image   = require "screen.image_answer"
local json    = require "sys.json"
local notes   = require "screen.notes"
local s       = require "schema"
local vision  = require "screen.vision"

---@param args screen.Request|{question?: string, provider_config?: table}
---@param call Call
local function run(args, call)
  local said = notes.new()
  if args.question then return image.asked(args, call, said) end
  if args.provider_config then
    return answer.failure("provider_config chooses the model for a question. Pass question.", "INVALID_ARGUMENT", nil, said)
  end
  local result, err, code, details = capture.run(args, said)
  if not result then return answer.failure(err, code, details, said) end
  local blocks = {}
  for i, picture in ipairs(result.pictures) do blocks[i] = image.block(call, picture) end
  local facts = { saved_files = json.array(result.saved_files) }
  return answer.success(call, { image.summary(result) }, blocks, facts, said)
end


---@type Tool
return {
  title       = "Save images of the screen",
  description = "Save screenshots to files: each display, one window, or all windows of an application. Windows may be in the "
    .. "background; app may be partial or misspelled. To look or click, use capture_window_screenshot: it returns an image_id.",
  inputSchema = s.object {
    { "app", s.string("Name, part of it, ID or \"PID:42\".",
      { optional = true, maxLength = 1000 }) },
    { "path", s.string("File, directory or prefix; _display0_main, ... is added to it unless mode is window. Default: temporary.",
      { optional = true, minLength = 1, maxLength = 4096 }) },
    { "mode", s.enum({ "screen", "window", "multi" }, "Default: window with app, otherwise screen.",
      { optional = true }) },
    { "window_specifier", {
      description = "Default: the frontmost.", optional = true,
      anyOf = {
        s.object { { "title", s.string("Or a part of it.",
          { minLength = 1, maxLength = 4096 }) } },
        s.object { { "index", s.integer("From list.", { minimum = 0 }) } },
      } } },
    { "format", s.enum({ "png", "jpg" }, "Default: png, unless path ends in .jpg.",
      { optional = true }) },
    { "return_data", s.boolean("Return the images.",
      { optional = true, default = false }) },
    { "capture_focus", s.enum({ "background", "foreground" }, "foreground: bring it to the front first.",
      { optional = true, default = "background" }) },
    { "question", s.string("Answer this, as analyze does; saves only to path.",
      { optional = true, minLength = 1, maxLength = 20000 }) },
    { "provider_config", s.rare(vision.config()) },
    { "frame", s.rare(s.boolean("Include the title bar and borders of windows.", { optional = true, default = false })) },
  },
  outputSchema = s.object {
    { "saved_files", s.array(s.object {
      { "path", s.string "Absolute path." },
      { "item_label", s.string("\"Display 1 / Main\", or the title of the window.", { optional = true }) },
      { "window_title", s.string("Title of the window; may be empty.", { optional = true }) },
      { "window_id", s.integer("Window ID from list.", { optional = true }) },
      { "window_index", s.integer("Window index from list.", { optional = true }) },
      { "mime_type", s.string "image/png or image/jpeg." },
    }, "Saved files; empty if the images were only returned.") },
    { "analysis_text", s.string("With question: the answer.", { optional = true }) },
    { "model_used", s.string("With question: \"openai/gpt-4o\", or \"tesseract\".", { optional = true }) },
  },
  annotations = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout     = 300,
  codes       = answer.codes(vision.CODES, {
    APP_NOT_FOUND = "No running application matches; the message lists those that run.",
    AMBIGUOUS_APP_IDENTIFIER = "Several applications match; the message lists them.",
    WINDOW_NOT_FOUND = "The application has no such window, or it was closed.",
    CAPTURE_FAILED = "The window cannot be captured: it is minimized or outside all displays.",
    FILE_IO_ERROR = "The file could not be written, or a file that is not an image exists there.",
    INVALID_ARGUMENT = "The arguments contradict each other.",
    PERMISSION_DENIED_SCREEN_RECORDING = "The system does not allow this program to record the screen.",
    PERMISSION_DENIED_ACCESSIBILITY = "The system does not allow this program to raise windows.",
    NO_DISPLAY = "No display server is available; the message says what to do.",
  }),

  about = { "every", app = "application_words", mode = { "nothing", screen = "every" }, path = "server_path" },
  run = run,

  examples = {
    { "captures an application's frontmost window into the given file",
      given = { ["sys.engine.status"] = { version = "1" },
                ["sys.app.list"] = { { pid = 42, started = 1, name = "Text Editor", id = "org.gnome.TextEditor", path = "" } },
                ["sys.window.list"] = { { pid = 42, started = 1, id = 502, title = "Letter/to Ann", app = "Text Editor",
                  on_screen = true } },
                ["sys.picture_file.look"] = { path = "/tmp/x.jpg", kind = "free" },
                ["sys.screen.capture"] = { size = 7, mime_type = "image/jpeg", width = 8, height = 6, route = "shm" } },
      args  = { app = "editor", path = "/tmp/x.jpg" },
      want  = { saved_files = { { path = "/tmp/x.jpg", item_label = "Letter/to Ann", window_title = "Letter/to Ann",
        window_id = 502, window_index = 0, mime_type = "image/jpeg" } } },
      has   = { "Captured 1 window of Text Editor.\nLetter/to Ann: /tmp/x.jpg" } },
    { "refuses an ambiguous name and lists the matches",
      given = { ["sys.engine.status"] = { version = "1" }, ["sys.window.list"] = {},
                ["sys.app.list"] = { { pid = 43, started = 1, name = "Terminal", id = "xterm", path = "" },
                                     { pid = 44, started = 1, name = "Terminal", id = "xterm", path = "" } } },
      args  = { app = "term" },
      code  = "AMBIGUOUS_APP_IDENTIFIER", err = "Terminal (xterm, PID 43); Terminal (xterm, PID 44)" },
    { "never overwrites a file that is not an image",
      given = { ["sys.engine.status"] = { version = "1" },
                ["sys.display.list"] = { { id = 7, name = "LEFT", main = true, scale = 1,
                  bounds = { x = 0, y = 0, width = 800, height = 600 } } },
                ["sys.picture_file.look"] = { path = "/home/ann/letter.png", kind = "other" } },
      args  = { path = "/home/ann/letter.png" },
      code  = "FILE_IO_ERROR", err = "already exists and is not an image. Choose another path." },
    { "refuses a model without a question",
      args  = { provider_config = { type = "openai" } }, code = "INVALID_ARGUMENT", err = "Pass question." },
  },
}
