--- perigee image: captures screenshots, with the interface that scripts around Peekaboo use.

local capture = require "screen.capture"
local command = require "screen.command"
local json    = require "sys.json"
local text    = require "terminal.text"
local vision  = require "screen.vision"

local bad = command.bad

---@type screen.Words
local WORDS = { app = "--app", foreground = "--capture-focus foreground", window_specifier = "A window's title or index" }


---@return screen.Request? request
---@return string? err
---@return string? code
local function request_of(args)
  local title, index = args.window_title, args.window_index
  if args.words[1] then
    return bad("%q is not an option. Give a path with --path, an application with --app.", args.words[1])
  end
  if args.path == "" then return bad "--path is empty." end
  if title and index then return bad "--window-title and --window-index name a window each. Give one of them." end
  if title and not title:find "%S" then return bad "--window-title is empty." end
  return { app = args.app, path = args.path, mode = args.mode, format = args.format, capture_focus = args.capture_focus,
    frame = args.frame, window_specifier = (title or index) and { title = title, index = index } or nil, words = WORDS }
end


local DRY = "this is a dry run, which does not save screenshots. Remove dry_run from the policy"

local function take(args, io, said)
  local request, err, code = request_of(args)
  if not request then return nil, err, code end
  if io.dry_run then return nil, DRY, "DRY_RUN" end
  if args.analyze and not args.analyze:find "%S" then return bad "--analyze is empty. Give a question." end
  if not args.analyze and (args.provider or args.model) then
    return bad "--provider and --model are for --analyze. Give a question."
  end
  local result, details, answer
  if args.analyze then
    result, answer, code, details = vision.captured(request, args.analyze, { type = args.provider, model = args.model }, said)
    err = code == "NO_PROVIDER" and details and ("%s %s"):format(answer, (details:gsub("\n", " "))) or answer
  else
    result, err, code, details = capture.run(request, said)
  end
  if not result then return nil, err, code, details end
  local lines, files = {}, json.array {}
  for i, file in ipairs(result.saved_files) do
    files[i] = json.object(file, { "path", "item_label", "window_title", "window_id", "window_index", "mime_type" })
    local label = io.width and "  " .. text.paint(io.color, "dim", command.plain(file.item_label)) or ""
    lines[i] = file.path .. label
  end
  if result.temporary and not (args.json or args.json_output) then
    said:message "Temporary files are removed when an hour has passed; --path keeps them."
  end
  if answer then table.insert(lines, 1, command.lines_of(answer.text)) end
  return { data = json.object({ saved_files = files, analysis_text = answer and answer.text, model_used = answer
    and answer.model_used }, { "saved_files", "analysis_text", "model_used" }), lines = lines }
end


---@type perigee.Command
return {
  summary     = "save screenshots of displays, a window, or an application's windows",
  usage       = { "image [options]" },
  description = "Captures every display, or with --app that application's frontmost window, or the window with a title. Saves "
             .. "the screenshots and prints their paths.",
  arguments   = { { "words", "string", optional = true, repeatable = true } },
  options     = {
    { "app", "app", "the application: a name, an id, part of a name, even with a typo, or a process id (PID:42). If several "
                 .. "applications match, the command fails and lists them; `perigee list apps` shows them" },
    { "path", "file", "a file (.png, .jpg), a directory (an existing one, or ending in /), or the beginning of file names. "
                   .. "Those of displays and of all windows get _display0_main, _window0_TITLE, ... before the ending. "
                   .. "Directories are made; a screenshot never overwrites a file that is not an image. Default: the directory "
                   .. "PERIGEE_SAVE_PATH or PEEKABOO_DEFAULT_SAVE_PATH, otherwise a temporary file that is removed after an hour",
      value = "PATH" },
    { "mode", "string", "screen: each display; window: one window of --app; multi: all its windows on the screen",
      absent = "window with --app or --window-title, otherwise screen", enum = { "screen", "window", "multi" } },
    { "window-title", "string", "the window whose title is, or else contains, TEXT; of any application, or of --app" },
    { "window-index", "integer", "the window of --app with this index in `perigee list windows`; 0 is the frontmost",
      minimum = 0 },
    { "format", "string", "the file format", absent = "that of --path, otherwise png", enum = { "png", "jpg" } },
    { "capture-focus", "string", "background: capture as it is; foreground: bring the application to the front first",
      absent = "background", enum = { "background", "foreground" } },
    { "frame", "flag", "windows with their title bar and borders" },
    { "analyze", "string", "ask an AI model this about the screenshot and print its answer; nothing is saved without --path",
      value = "QUESTION" },
    { "provider", "string", "the provider to ask, as for `perigee analyze`", absent = "auto", enum = vision.TYPES },
    { "model", "string", "the model to ask", absent = "that of PEEKABOO_AI_PROVIDERS" },
    table.unpack(command.JSON),
  },
  notes       = "Exit status: 0 success, 1 no screenshot was taken, 2 usage error",
  stoppable   = false,
  acts        = true,
  failure     = command.failure,

  run = function(args, io)
    return command.run(args, io, take)
  end,

  examples = {
    { "prints paths", args = { "--app", "editor" }, out = "/tmp/x.png\n", err = "--path keeps them",
      given = { ["screen.capture.run"] = { n = 1, { saved_files = { { path = "/tmp/x.png", item_label = "notes.txt" } },
                                                    temporary = true } } },
      did = { "screen.capture.run app=editor" } },
    { "prints one JSON object", args = { "--mode", "SCREEN", "--json-output" },
      out = '{"success":true,"data":{"saved_files":[{"path":"/tmp/x.png","item_label":"Display 1"}]},"messages":[],'
         .. '"debug_logs":[]}\n',
      given = { ["screen.capture.run"] = { n = 1, { saved_files = { { path = "/tmp/x.png", item_label = "Display 1" } } } } },
      did = { "screen.capture.run mode=screen" } },
    { "prints a model's answer", args = { "--analyze", "What?", "--path", "/tmp/x.png" }, out = "A dog.\n/tmp/x.png\n",
      given = { ["screen.vision.captured"] = { n = 2, { saved_files = { { path = "/tmp/x.png", item_label = "Display 1" } } },
                                                { text = "A dog.", model_used = "openai/gpt-4o" } } },
      did = { "screen.vision.captured" } },
    { "has a provider for a question only", args = { "--provider", "openai" }, status = 2, err = "are for --analyze" },
    { "fails with one object", args = { "--json-output", "--mode", "all" }, status = 2,
      out = '{"success":false,"error":{"message":"--mode takes screen, window or multi, not \\"all\\"",'
         .. '"code":"INVALID_ARGUMENT"},"debug_logs":[]}\n' },
  },
}
