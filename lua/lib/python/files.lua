--- Files that Python code wrote, for clients to read: the newest of each caller.

local owner = require "owner"
local state = require "sys.state"

local M = {}

M.MOST, M.BYTES = 64, 64 << 20   -- of all callers
local TYPES = { txt = "text/plain", csv = "text/csv", json = "application/json", html = "text/html", md = "text/markdown",
  py = "text/x-python", xml = "application/xml", svg = "image/svg+xml", png = "image/png", jpg = "image/jpeg",
  jpeg = "image/jpeg", gif = "image/gif", webp = "image/webp", pdf = "application/pdf", zip = "application/zip",
  xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", wav = "audio/wav" }

---@class python.File
---@field number integer
---@field name string
---@field bytes string
---@field type string
---@field owner? string

--- The files, oldest first, and the number of the last.
---@return {list: python.File[], last: integer}
local function kept()
  local mine = state.open "python.files"
  mine.list, mine.last = mine.list or {}, mine.last or 0
  return mine
end


--- True for a name that is a label and no path.
---@param name any
---@return boolean
function M.is_name(name)
  return type(name) == "string" and #name > 0 and #name <= 255 and utf8.len(name) ~= nil and name ~= "." and name ~= ".."
    and not name:find "[/\\%c\x7F]" and not name:find "\u{202E}"
end


---@param name string
---@return string
function M.type_of(name) return TYPES[(name:match "%.(%w+)$" or ""):lower()] or "application/octet-stream" end


--- Keeps a file, and drops the oldest where there are too many.
---@param name string
---@param bytes string
---@return python.File
function M.keep(name, bytes)
  local mine = kept()
  mine.last = mine.last + 1
  local file = { number = mine.last, name = name, bytes = bytes, type = M.type_of(name), owner = owner.key() }
  mine.list[#mine.list + 1] = file
  local held = 0
  for i = #mine.list, 1, -1 do
    held = held + #mine.list[i].bytes
    if held > M.BYTES or #mine.list - i >= M.MOST then
      table.move(mine.list, i + 1, #mine.list, 1)
      for j = #mine.list, #mine.list - i + 1, -1 do mine.list[j] = nil end
      break
    end
  end
  return file
end


---@param file python.File
---@return string
function M.uri(file) return ("perigee://python/files/%d"):format(file.number) end


---@param number string|integer
---@return python.File? file
---@return string? err
function M.find(number)
  for _, file in ipairs(kept().list) do
    if file.number == tonumber(number) and owner.is_mine(file.owner) then return file end
  end
  return nil, ("There is no file %s of Python code, or not any more: the newest %d are kept. Run the code again."):format(number,
    M.MOST)
end


return M
