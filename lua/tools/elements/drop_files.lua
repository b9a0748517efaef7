--- Drops files of the disk onto an element, a point or a window.

local drop = require "elements.act.drop"
local fail = require "desktop.fail"
local json = require "sys.json"
local s    = require "schema"
local tool = require "elements.tools.shared"


---@param args elements.Drop
---@param call Call
local function run(args, call)
  local report, err, code, its = drop.run(args)
  if not report or not its then return fail.with(err, code) end
  local node = its.found.node
  local facts = tool.report({ ref = node and node.ref }, report)
  facts.files = json.array(args.files)
  local did = ("Dropped %s onto"):format(#args.files == 1 and "a file" or #args.files .. " files")
  local onto = node or { role = args.element and "point" or "window", name = args.element or args.window }
  local text = tool.told(did, onto, report)
  return call:result { content = { { type = "text", text = text } }, structuredContent = facts }
end


--- A rule of the policy about `path`, as for tools that read a file, holds for each of the files.
---@param args elements.Drop
local function stands_for(args)
  return { { tool = "drop_files", args = { path = args.files, element = args.element, application = args.application,
    window = args.window } } }
end


---@type Tool
return {
  title        = "Drop files",
  description  = "Drop files onto an element, a point or a window, as a file manager does. Pages, folders and editors take "
              .. "them; elsewhere use the dialog to open files. The files must be in granted directories. A menu that the drop "
              .. "opens is in the changes: choose from it with click_element. X11 only.",
  inputSchema  = s.object {
    { "files", s.array(s.string("An absolute path.", { minLength = 1, maxLength = 4096 }), "What to drop.",
      { minItems = 1, maxItems = 1000 }) },
    { "element", s.string('Where: a ref, a selector, or a point as "120,300". Default: the middle of the window.',
      { optional = true, minLength = 1, maxLength = 1000 }) },
    tool.application, tool.window,
    { "action", s.enum({ "copy", "link", "ask" }, "Suggested to the target; ask opens its menu. Default: copy.",
      { optional = true }) },
  },
  outputSchema = s.object {
    { "element", s.string("Ref of the target; absent for a point or window.", { optional = true }) },
    { "files", s.array(s.string(), "The dropped files.") },
    { "route", s.string 'As "drop at 10,80".' },
    { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "confirmed: the target said that it took them.") },
    { "evidence", s.string "What the target said, and what was read afterwards." },
    { "changes", s.array(s.string(), "What changed in the application: + came, ~ changed, - went.") },
  },
  annotations  = tool.acting,
  listed       = false,
  keeps        = true,  -- the refs
  codes        = tool.codes("DIALOG_IN_FRONT", "DROP_REFUSED", "ELEMENT_AMBIGUOUS", "ELEMENT_CHANGED", "ELEMENT_DISABLED",
    "ELEMENT_NOT_FOUND", "HELD", "INPUT_STOPPED", "NEEDS_FRONT", "NOT_FOUND", "NOT_GRANTED", "NOT_IN_VIEW", "NO_DROP_TARGET",
    "PERMISSION_DENIED_ACCESSIBILITY", "WINDOW_COVERED"),

  stands_for = stands_for,
  about = { "focused", element = "element", application = "application", window = "window", files = "program_path" },
  run = run,

  examples = {
    { "a file onto a folder",
      given = { ["sys.fs.stat"] = { name = "a b.txt", kind = "file", size = 3, modified = 0 } },
      shows = { { { 0, "window", "Files" }, { 1, "listitem", "Folder" } },
                { { 0, "window", "Files" }, { 1, "listitem", "Folder" }, { 1, "listitem", "a b.txt" } } },
      args  = { files = { "/tmp/a b.txt" }, element = 'listitem "Folder"' },
      has   = { 'Dropped a file onto e2 listitem "Folder" by drop at' },
      want  = { element = "e2", effect = "confirmed", changes = { '+ e3 listitem "a b.txt"' } } },
    { "a menu that the drop opens",
      given = { ["sys.fs.stat"] = { name = "a.txt", kind = "file", size = 3, modified = 0 },
        ["sys.input.drop"] = { n = 3, false, "the target has not said that it took them", "drop_unfinished" } },
      shows = { { { 0, "window", "Files" }, { 1, "listitem", "Folder" } } },
      args  = { files = { "/tmp/a.txt" }, element = "listitem", action = "ask" },
      want  = { effect = "unknown", evidence = "the target has not said that it took them" } },
    { "a target that takes no files",
      given = { ["sys.fs.stat"] = { name = "a.txt", kind = "file", size = 3, modified = 0 },
        ["sys.input.drop"] = { n = 3, false, "the window at 70,34 answered that it takes no files there", "drop_refused" } },
      shows = { { { 0, "window", "Files" }, { 1, "button", "Close" } } },
      args  = { files = { "/tmp/a.txt" }, element = 'button "Close"' },
      err   = "answered that it takes no files there", code = "DROP_REFUSED" },
    { "a file that is not there",
      given = { ["sys.fs.stat"] = { n = 3, false, "/tmp/b.txt does not exist", "not_found" } },
      args  = { files = { "/tmp/b.txt" }, window = "Files" },
      err   = "files[1]: /tmp/b.txt does not exist. Nothing was dropped.", code = "NOT_FOUND" },
  },
}
