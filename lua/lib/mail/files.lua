--- Attachments: files of the granted directories.

local fs   = require "sys.fs"
local path = require "sys.path"

local M = {}

local MOST = 25 * 1024 * 1024   -- bytes of all together: the limit of most servers

local TYPES = {
  [".txt"] = "text/plain", [".md"] = "text/markdown", [".csv"] = "text/csv", [".html"] = "text/html", [".ics"] = "text/calendar",
  [".png"] = "image/png", [".jpg"] = "image/jpeg", [".jpeg"] = "image/jpeg", [".gif"] = "image/gif", [".webp"] = "image/webp",
  [".svg"] = "image/svg+xml", [".pdf"] = "application/pdf", [".json"] = "application/json", [".zip"] = "application/zip",
  [".mp3"] = "audio/mpeg", [".mp4"] = "video/mp4",
  [".odt"] = "application/vnd.oasis.opendocument.text", [".ods"] = "application/vnd.oasis.opendocument.spreadsheet",
  [".odp"] = "application/vnd.oasis.opendocument.presentation",
  [".docx"] = "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  [".xlsx"] = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  [".pptx"] = "application/vnd.openxmlformats-officedocument.presentationml.presentation",
}


local function one(given, left)
  local entry, err, code = fs.stat(given)
  if not entry then return nil, err, code end
  if entry.kind ~= "file" then return nil, ("%s is not a file. Attach single files"):format(given), "not_a_file" end
  if entry.size > left then
    return nil, ("the attachments have more than %d bytes together, with %s. Send fewer, or share them in another way")
      :format(MOST, given), "too_large"
  end
  local bytes
  bytes, err, code = fs.read(given, math.max(left, 1))
  if not bytes then return nil, err, code end
  return { name = path.name(given), type = TYPES[path.extension(given):lower()], bytes = bytes }
end


---@param paths? string[]
---@return sys.mime.Attachment[]? files
---@return string? err
---@return string? code  as in sys.fs, or "too_large"
function M.read(paths)
  local files, left = {}, MOST
  for i, given in ipairs(paths or {}) do
    local file, err, code = one(given, left)
    if not file then return nil, ("attachment %s: %s"):format(given, err), code end
    files[i], left = file, left - #file.bytes
  end
  return files
end


return M
