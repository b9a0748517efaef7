--- The windows, frontmost first.

local beginnings = require "desktop.beginnings"
local fail       = require "desktop.fail"
local json       = require "sys.json"
local names      = require "desktop.names"
local pages      = require "desktop.pages"
local s          = require "schema"
local window     = require "sys.window"
local windows    = require "desktop.windows"


--- The windows of one application, or all.
local function gather(args)
  if not args.application then return window.list { all_kinds = args.all_kinds } end
  local app, err, code = names.find_application(args.application)
  if not app then return nil, err, code end
  return window.list { pid = app.pid, all_kinds = args.all_kinds }
end


local function text_of(page, total)
  local lines = { pages.found(total, "window", "frontmost first") }
  for _, facts in ipairs(page) do lines[#lines + 1] = "- " .. windows.line(facts) end
  return table.concat(lines, "\n")
end


---@param args {application?: string, all_kinds?: boolean, page_size?: integer, page_token?: string}
---@param call Call
local function run(args, call)
  local found, err, code = gather(args)
  if not found then return fail.with(err, code) end
  local all = {}
  for i, w in ipairs(found) do all[i] = windows.facts(w) end
  local page, token
  page, token, code = pages.cut(all, args)
  if not page then return fail.with(token, code) end
  local text = pages.text(text_of(page, #all), page, #all, token)
  return call:result {
    content = { { type = "text", text = text } },
    structuredContent = { windows = json.array(page), total_size = #all, next_page_token = token },
  }
end


---@type Tool
return {
  title        = "List windows",
  description  = "List open windows of one application or of all, frontmost first. Pass a resource name from the result to the "
              .. "other window tools. Prefer it to list.",
  inputSchema  = s.object {
    { "application", s.also_called("parent", s.string("Only windows of this application: its resource name, or its name.",
      { optional = true, maxLength = 1024 })) },
    { "all_kinds", s.boolean("Include panels, popups and windows that no window manager manages.", { optional = true }) },
    table.unpack(pages.parameters()),
  },
  outputSchema = s.object {
    { "windows", s.array(windows.schema, "Frontmost first.") },
    table.unpack(pages.results()),
  },
  annotations = { readOnlyHint = true, destructiveHint = false, idempotentHint = true, openWorldHint = false },
  codes       = fail.meanings("AMBIGUOUS_APP_IDENTIFIER", "APP_NOT_FOUND", "INVALID_ARGUMENT"),

  about = { "every", application = "application" },
  run = beginnings.run(run),

  examples = {
    { "lists a page and names the next",
      given = { ["sys.window.list"] = {
        { pid = 7, started = 1, id = 9, kind = "normal", title = "a\nb", app = "Editor", instance = "editor",
          frame = { x = 0, y = 0, width = 640, height = 480 }, content = { x = 0, y = 20, width = 640, height = 460 },
          workspace = 0, order = 0, focused = true, on_screen = true },
        { pid = 8, started = 1, id = 4, kind = "normal", title = "Home", app = "Files", instance = "files",
          frame = { x = 5, y = 5, width = 800, height = 600 }, content = { x = 5, y = 25, width = 800, height = 580 },
          workspace = 0, order = 1, focused = false, on_screen = false, minimized = true },
      } },
      args  = { page_size = 1 },
      has   = { 'Found 2 windows, frontmost first:\n- "a b" (applications/7/windows/9), Editor, 640x480 at 0,0, focused',
                "More: page_token=1:applications/7/windows/9" },
      want  = { windows = { { name = "applications/7/windows/9" } }, total_size = 2,
                next_page_token = "1:applications/7/windows/9" } },

    { "refuses a token that it did not give",
      given = { ["sys.window.list"] = {} },
      args  = { page_token = "next" },
      err   = '"next" is not a page_token from this tool',
      code  = "INVALID_ARGUMENT" },
  },
}
