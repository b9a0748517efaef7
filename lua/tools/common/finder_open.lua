--- Open a file or a folder.

local common  = require "common.told"
local opening = require "common.opening"
local quoting = require "desktop.quoting"
local s       = require "schema"


---@param args {target: string, using?: string}
---@param call Call
local function run(args, call)
  local opened, err, code = opening.open(args.target, args.using)
  if not opened then return nil, err, code end
  local text = ("%s %s"):format(opened.shown and "Opened" or "Asked to open", quoting.quote(opened.path, 200))
  if opened.app then text = text .. " in " .. quoting.name(opened.app) end
  if opened.window then text = text .. ": its window is " .. opened.window end
  return common.told(call, text, opened, opened.note)
end


---@type Tool
return {
  title        = "Open a file or folder",
  description  = "Open a file or a folder in the desktop's application for it, or in another one. Waits for its window. To "
               .. "start an application without a file, call open_application. The file must be in a granted directory.",
  inputSchema  = s.object {
    { "target", s.string("Path of the file or folder.", { minLength = 1, maxLength = 4096 }) },
    { "using", s.string("Name or ID of the application. Default: the desktop's choice.",
      { optional = true, minLength = 1, maxLength = 1024 }) },
  },
  outputSchema = s.object {
    { "path", s.string "Absolute path." },
    { "shown", s.boolean "True if a window of it was seen." },
    { "application", s.string("Resource name of the application.", { optional = true }) },
    { "app", s.string("The name of it that users see.", { optional = true }) },
    { "window", s.string("Resource name of its window.", { optional = true }) },
    { "note", s.string("If no window was seen: what is known.", { optional = true }) },
  },
  annotations  = { readOnlyHint = false, destructiveHint = false, idempotentHint = false, openWorldHint = true },
  timeout      = 90,
  common       = "com.apple.finder",
  codes        = common.codes("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "LAUNCH_FAILED", "NO_HANDLER"),

  about = { "nothing", target = "path", using = "opened" },
  run = run,

  examples = {
    { "names the window that appeared",
      given = { ["common.opening.open"] = { path = "/home/ada/a.txt", shown = true, window = "applications/7/windows/9",
                  application = "applications/7", app = "Mousepad" } },
      args  = { target = "~/a.txt" },
      has   = { 'Opened "/home/ada/a.txt" in Mousepad: its window is applications/7/windows/9' },
      want  = { path = "/home/ada/a.txt", shown = true } },

    { "does not claim what the Finder does not say",
      given = { ["common.system.is_mac"] = true, ["sys.fs.resolve"] = "/Users/ada/a.txt",
                ["sys.fs.stat"] = { name = "a.txt", kind = "file", size = 1, modified = 0 }, ["sys.osascript.run"] = "" },
      args  = { target = "/Users/ada/a.txt" },
      has   = { 'Asked to open "/Users/ada/a.txt"\nNote: The Finder took it. It does not say which window it opened' },
      want  = { shown = false } },

    { "says what is missing",
      given = { ["sys.fs.resolve"] = "/home/ada/b",
                ["sys.fs.stat"] = { n = 3, false, "it is not there", "not_found" } },
      args  = { target = "/home/ada/b" },
      err   = "/home/ada/b does not exist. Call finder_list_folder to see what is there.", code = "NOT_FOUND" },
  },
}
