--- Replace the clipboard's content.

local clipboard = require "sys.clipboard"
local clips     = require "desktop.clips"
local crypto    = require "sys.crypto"
local fail      = require "desktop.fail"
local fs        = require "sys.fs"
local quoting   = require "desktop.quoting"
local s         = require "schema"

local IMAGE_MAX = 64 << 20


---@return string? bytes  nil without an error: no image was passed
---@return string? err
---@return string? code
local function image_of(args)
  if args.image_base64 then return crypto.unbase64(args.image_base64) end
  if args.image_path then return fs.read(args.image_path, IMAGE_MAX) end
end


---@return boolean? ok
---@return string? err
---@return string? code
local function add_image(args, parts)
  local bytes, err, code = image_of(args)
  if not bytes then return err == nil, err, code end
  local kind = clips.picture_type(bytes)
  if not kind then return nil, "The image is not a PNG, JPEG or GIF. Convert it to one of these.", "bad_argument" end
  parts[kind] = bytes
  return true
end


---@return boolean? ok
---@return string? err
---@return string? code
local function add_files(args, parts)
  if not args.files then return true end
  local list = {}
  for i, file in ipairs(args.files) do
    list[i] = clips.uri(file)
    if not list[i] then
      return nil, ("files[%d] is %s. Pass an absolute path or a URI."):format(i, quoting.quote(file, 200)), "bad_argument"
    end
  end
  parts["text/uri-list"] = table.concat(list, "\r\n") .. "\r\n"
  parts["text/plain"] = parts["text/plain"] or table.concat(args.files, "\n")
  return true
end


---@param args table
---@param call Call
local function run(args, call)
  local parts = { ["text/plain"] = args.text, ["text/html"] = args.html }
  local ok, err, code = add_image(args, parts)
  if ok then ok, err, code = add_files(args, parts) end
  if not ok then return fail.with(err, code) end
  if next(parts) == nil then
    return fail.with("There is nothing to write. Pass text, html, files, image_path or image_base64. To empty the clipboard, use "
      .. "clear_clipboard.", "bad_argument")
  end
  ok, err, code = clipboard.write(parts, { secret = args.secret })
  if not ok then return fail.with(err, code) end
  local types, size = {}, 0
  for kind, bytes in pairs(parts) do
    types[#types + 1] = kind
    size = size + #bytes
  end
  table.sort(types)
  return call:result {
    content = { { type = "text", text = ("Wrote to the clipboard: %s, %d bytes."):format(table.concat(types, ", "), size) } },
    structuredContent = { types = types, size = size },
  }
end


---@type Tool
return {
  title        = "Write the clipboard",
  description  = "Write text, HTML, files or an image to the clipboard, replacing its content. It stays there until something "
              .. "else is copied. To enter text in a window, use create_input, which restores the clipboard. To empty the "
              .. "clipboard, use clear_clipboard.",
  inputSchema  = s.object {
    { "text", s.string("Plain text.", { optional = true, maxLength = 4000000 }) },
    { "html", s.string("HTML. Pass text as well, for programs that do not read HTML.",
      { optional = true, maxLength = 4000000 }) },
    { "files", s.array(s.string("An absolute path or a URI.", { minLength = 1, maxLength = 4096 }),
      "Files, as if copied in a file manager.", { optional = true, minItems = 1, maxItems = 1000 }) },
    { "image_path", s.string("Path of a PNG, JPEG or GIF image in a granted directory (--grant).",
      { optional = true, maxLength = 4096 }) },
    { "image_base64", s.string("A PNG, JPEG or GIF image, base64-encoded.", { optional = true, maxLength = 8000000 }) },
    { "secret", s.boolean("Mark the content so that clipboard histories ignore it.", { optional = true, default = false }) },
  },
  outputSchema = s.object {
    { "types", s.array(s.string "A media type.", "Types that the content is offered as.") },
    { "size", s.integer "Total size in bytes." },
  },
  about        = { "nothing", files = "path", image_path = "path" },
  annotations  = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false },
  listed       = false,
  codes        = fail.acting("INVALID_ARGUMENT", "NOT_BASE64", "NOT_GRANTED", "TOO_LARGE"),

  run = run,

  examples = {
    { "text and HTML",
      given = { ["sys.clipboard.write"] = true },
      args  = { text = "bold", html = "<b>bold</b>" },
      want  = { types = { "text/html", "text/plain" }, size = 15 },
      did   = { 'clipboard.write text/html=<b>bold</b> text/plain=bold' } },

    { "files",
      given = { ["sys.clipboard.write"] = true },
      args  = { files = { "/tmp/a b", "https://example.org/c" } },
      want  = { types = { "text/plain", "text/uri-list" } },
      did   = { 'clipboard.write text/plain="/tmp/a b\\nhttps://example.org/c" '
             .. 'text/uri-list="file:///tmp/a%20b\\13\\nhttps://example.org/c\\13\\n"' } },

    { "refuses a file without a full path",
      args = { files = { "notes.txt" } },
      err  = 'files[1] is "notes.txt". Pass an absolute path or a URI.',
      code = "INVALID_ARGUMENT" },

    { "refuses data that is not an image",
      given = { ["sys.crypto.unbase64"] = "hello" },
      args = { image_base64 = "aGVsbG8=" },
      err  = "The image is not a PNG, JPEG or GIF. Convert it to one of these.",
      code = "INVALID_ARGUMENT" },

    { "refuses to write nothing",
      args = {},
      err  = "There is nothing to write.",
      code = "INVALID_ARGUMENT" },
  },
}
