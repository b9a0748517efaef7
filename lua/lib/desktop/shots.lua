--- The parts that the four screenshot tools share: parameters, results, the capture and its report.

local fail     = require "desktop.fail"
local json     = require "sys.json"
local names    = require "desktop.names"
local pictures = require "desktop.pictures"
local s        = require "schema"
local screen   = require "sys.screen"

local M = {}

local LONGEST = 1568            -- models see no more pixels, so larger screenshots only cost
local INLINE_MAX = 6000000      -- bytes of a file that still fits in a result


--- The parameters of all screenshot tools, after the tool's own.
---@param own table[]
---@param without? string  the parameter to leave out
---@return table
function M.parameters(own, without)
  local fields = table.move(own, 1, #own, 1, {})
  local function add(name, schema) fields[#fields + 1] = name ~= without and { name, schema } or nil end
  add("format", s.rare(s.enum({ "png", "jpeg" }, "Image format: png is exact, jpeg is smaller. Default: from the path's "
    .. "extension, otherwise png.", { optional = true })))
  add("quality", s.rare(s.integer("JPEG quality.", { optional = true, minimum = 1, maximum = 100, default = 80 })))
  add("max_size", s.integer("Longest side in pixels; 0: full size.",
    { optional = true, minimum = 0, maximum = 32767, default = LONGEST }))
  add("cursor", s.rare(s.boolean("Include the mouse pointer in the screenshot.", { optional = true, default = false })))
  add("path", s.string("Also save here: absolute, or in the first granted directory; .png or .jpg.",
    { optional = true, minLength = 1, maxLength = 4096 }))
  add("since", s.string("image_id of an earlier one: returns only what changed.",
    { optional = true, minLength = 1, maxLength = 100 }))
  add("inline", s.rare(s.boolean("Return the image in the result. Default: true, unless path is passed.",
    { optional = true })))
  return s.object(fields)
end


---@param own? table[]  the tool's own members
---@return table
function M.results(own)
  local fields = {
    { "image_id", s.string "Pass it to create_input to click by pixel. The last 64 are kept." },
    { "width", s.integer "Width in pixels." },
    { "height", s.integer "Height in pixels." },
    { "origin", s.object({ { "x", s.number() }, { "y", s.number() } }, "Desktop point of the top left pixel.") },
    { "scale", s.number "Pixels per point: point = origin + pixel / scale." },
    { "mime_type", s.string "image/png or image/jpeg." },
    { "size", s.integer "File size in bytes; with since, of all regions." },
    { "changes", s.array(s.object {
        { "image_id", s.string "Of the region alone." }, { "x", s.integer "Left edge in pixels of the whole." },
        { "y", s.integer "Top edge." }, { "width", s.integer() }, { "height", s.integer() },
      }, "With since: the regions that changed; empty if nothing did. Absent if the image is the whole.", { optional = true }) },
    { "path", s.string("Path of the saved file.", { optional = true }) },
  }
  for _, field in ipairs(own or {}) do fields[#fields + 1] = field end
  return s.object(fields)
end


M.annotations = { readOnlyHint = false, destructiveHint = true, idempotentHint = true, openWorldHint = false }


--- The codes of all screenshot tools, and the tool's own.
---@param own? table<string, string>
---@return table<string, string>
function M.codes(own)
  local codes = {
    INVALID_ARGUMENT = "The area is outside all displays, the path has another extension, or since came with path.",
    IMAGE_NOT_FOUND = "since names no screenshot of this run, or an old one.",
    FILE_IO_ERROR = "The path cannot be written, or a file that is not an image exists there.",
    IMAGE_TOO_LARGE = "The image does not fit in a result. Use max_size, format jpeg or path.",
    CAPTURE_FAILED = "The display server returned no image.",
    NO_DISPLAY = "No display server is available; the message says what to do.",
    PERMISSION_DENIED_SCREEN_RECORDING = "On a Mac: the named program is not allowed to record the screen; the message says "
      .. "where to allow it.",
  }
  for code, meaning in pairs(own or {}) do codes[code] = meaning end
  return codes
end


local function thousands(bytes)
  return bytes < 10000 and ("%d bytes"):format(bytes) or ("%d kB"):format((bytes + 500) // 1000)
end


--- The formula from a pixel to a point on one axis, as short as possible.
local function axis(name, origin, scale)
  local term = scale == 1 and name or ("%s / %.6g"):format(name, scale)
  return origin == 0 and term or ("%.6g + %s"):format(origin, term)
end


local function text_of(result, what, inline)
  local lines = {
    ("%s of %s, %d x %d pixels, %s, %s."):format(result.image_id, what, result.width, result.height,
      result.mime_type == "image/png" and "PNG" or "JPEG", thousands(result.size)),
    ("Pixel x, y is desktop point %s, %s. To click by pixel, pass this image_id to create_input."):format(
      axis("x", result.origin.x, result.scale), axis("y", result.origin.y, result.scale)),
  }
  if result.path then table.insert(lines, 2, "Saved to " .. result.path .. ".") end
  if not inline and not result.path then table.insert(lines, 2, "Not returned, because inline is false.") end
  return table.concat(lines, "\n")
end


--- The requested format, otherwise the one of the path's extension.
local function format_of(args)
  local ending = (args.path or ""):lower():match "%.(jpe?g)$"
  return args.format or ending and "jpeg" or "png"
end


---@class desktop.Shot
---@field options sys.screen.Capture  the argument of sys.screen.capture()
---@field what string                 the object in words: "window \"Notes\""
---@field window? sys.window.Window   the window it shows, as it is now
---@field members? table              members of the result besides those of every screenshot

--- Captures a screenshot. With `since`, only the changed parts are encoded, if the earlier screenshot shows the same thing.
---@param options sys.screen.Capture
---@param since? desktop.Picture
---@param shot desktop.Shot
---@return sys.screen.Picture? picture
---@return string? err
---@return string? code
local function captured(options, since, shot)
  options.since = since and since.marks
  local picture, err, code = screen.capture(options)
  if picture and picture.changes and not pictures.same_thing(since, picture, shot.window) then
    options.since = nil
    picture, err, code = screen.capture(options)
  end
  if not picture and code == "window_not_found" and shot.window then
    err = select(2, names.window_gone(names.window(shot.window)))
  end
  return picture, err, code
end


--- Makes a screenshot of each changed part; `content` receives the images.
local function parts_of(call, picture, shot, content, inline)
  local parts = json.array {}
  for i, change in ipairs(picture.changes) do
    parts[i] = {
      image_id = pictures.keep_part(picture, change, shot.window),
      x = change.x, y = change.y, width = change.width, height = change.height,
    }
    if inline then content[#content + 1] = call:image(change.bytes, picture.mime_type) end
  end
  return parts
end


--- The text about the comparison with the earlier screenshot.
---@param earlier desktop.Picture
local function text_of_changes(result, earlier, what)
  local lines, since = {}, earlier.image_id
  if not earlier.marks then
    lines[1] = ("%s is too old to compare with, so this is the whole screenshot."):format(since)
  elseif not result.changes then
    lines[1] = ("Compared with %s, most of it changed or its size did, so this is the whole screenshot."):format(since)
  elseif #result.changes == 0 then
    lines[1] = ("Nothing changed in %s since %s. Its new image_id is %s."):format(what, since, result.image_id)
  else
    lines[1] = ("%s of %s: changed in %d region%s since %s. Only %s returned."):format(result.image_id, what, #result.changes,
      #result.changes == 1 and "" or "s", since, #result.changes == 1 and "that is" or "those are")
    for _, part in ipairs(result.changes) do
      lines[#lines + 1] = ("%s: %d x %d pixels at %d, %d of the whole."):format(part.image_id, part.width, part.height, part.x,
        part.y)
    end
    lines[#lines + 1] = "To click by pixel, pass the image_id of a region, or that of the whole, to create_input."
  end
  return table.concat(lines, "\n")
end


--- The earlier screenshot to compare with; an error if it is not known, or if the arguments do not go together.
local function earlier(args)
  if not args.since then return nil end
  if args.path then
    return nil, "since returns regions, which have no file. Leave out path, or since.", "invalid_argument"
  end
  return pictures.get(args.since)
end


--- Takes the screenshot, and makes the tool's result.
---@param call Call
---@param args table
---@param shot desktop.Shot
---@return table? result
---@return string? err
---@return string? code
function M.take(call, args, shot)
  local options, inline = shot.options, args.inline
  local since, err, code = earlier(args)
  if err then return fail.with(err, code) end
  if inline == nil then inline = args.path == nil end
  options.format, options.quality = format_of(args), args.quality
  options.longest, options.cursor = args.max_size or LONGEST, args.cursor
  options.path, options.bytes, options.marks = args.path, inline, true
  local picture
  picture, err, code = captured(options, since, shot)
  if not picture then return fail.with(err, code) end
  if inline and picture.size > INLINE_MAX then
    return fail.with(("The screenshot has %s, more than fits in a result. Use max_size, format jpeg or path."):format(
      thousands(picture.size)), "image_too_large")
  end
  local result = {
    image_id = pictures.keep(picture, shot.window),
    width = picture.width, height = picture.height, origin = picture.origin, scale = picture.scale,
    mime_type = picture.mime_type, size = picture.size, path = picture.path,
  }
  for key, value in pairs(shot.members or {}) do result[key] = value end
  local content = { { type = "text" } }
  if picture.changes then
    result.changes = parts_of(call, picture, shot, content, inline)
    content[1].text = text_of_changes(result, since, shot.what)
  else
    content[1].text = (since and text_of_changes(result, since, shot.what) .. "\n" or "")
      .. text_of(result, shot.what, inline)
    if inline then content[2] = call:image(picture.bytes, picture.mime_type) end
  end
  return call:result { content = content, structuredContent = result }
end


return M
