--- Export slide 1 as an image.

local default_path = require "keynote.default_path"
local picture      = require "sys.picture_file"
local s            = require "schema"
local session      = require "keynote.session"


---@param args {path?: string}
---@param call Call
local function run(args, call)
  local path, note = args.path, nil
  if not path then path, note = default_path.get() end
  local seen, err, code = picture.look(path)
  if not seen then return session.fail(err, code) end
  if seen.kind == "other" then
    return session.fail(("%s exists and is not an image. Choose another path."):format(path), "exists")
  end
  local mine = session.state()
  local saved
  saved, err, code = session.drive("export", mine.document, path)
  if not saved then return nil, err, code end
  local notes = { table.unpack(saved.warnings or {}) }
  if note then table.insert(notes, 1, note) end
  return session.answer(call, "SCREENSHOT_SAVED: path=" .. saved.path, notes)
end


---@type Tool
return {
  title       = "Screenshot the slide",
  description = "Save slide 1 as a PNG file, creating missing directories. Call open_keynote first. On Linux the document is "
             .. "also saved next to it, as .odp; other documents are never replaced.",
  inputSchema = s.object {
    { "path", s.string("Absolute, ends in .png. Default: SCREENSHOT_PATH, otherwise /tmp/mcp_keynote_slide.png.",
      { optional = true, minLength = 1, maxLength = 4096 }) },
  },
  about       = { session.NAMES, path = "path" },
  annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  timeout     = 120,
  keeps       = true,
  says_error  = true,
  programs    = { "soffice", "libreoffice", "/usr/lib/libreoffice/program/soffice", "/Applications/Keynote.app" },

  run = run,

  examples = {
    { "reports the path",
      given = { ["sys.picture_file.look"] = { path = "/tmp/x.png", kind = "free" },
                ["keynote.driver.current"] = { export = function() return { path = "/tmp/x.png" } end } },
      args  = { path = "/tmp/x.png" },
      want  = "SCREENSHOT_SAVED: path=/tmp/x.png" },
    { "never replaces a file that is not an image",
      given = { ["sys.picture_file.look"] = { path = "/tmp/x.png", kind = "other" } },
      args  = { path = "/tmp/x.png" },
      err   = "ERROR: /tmp/x.png exists and is not an image. Choose another path." },
  },
}
