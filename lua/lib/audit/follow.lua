--- Follows the audit log: reads new lines as they are added, over any number of its files.

local audit  = require "sys.audit"
local line   = require "audit.line"
local reader = require "audit.reader"

local M = {}


---@class audit.Position  the place up to which a file was read
---@field at integer


--- Calls take(text, entry) for the lines of a file behind its position. An incomplete line is read again next time.
local function read_on(file, position, take)
  if file.size < position.at then position.at = 0 end -- it was truncated, or is another file
  for text, bytes, ended in reader.lines(file, position.at) do
    if not ended then return end
    position.at = position.at + bytes + 1
    local entry = line.read(text)
    if entry then take(text, entry) end
  end
end


--- Reads on in all files. A file that is renamed or removed meanwhile is read next time.
local function read_all(files, positions, take)
  local still = {}
  for _, file in ipairs(files) do
    local position = positions[file.id] or { at = 0 }
    still[file.id] = position
    local _, err, code = reader.caught(read_on, file, position, take)
    if err and code ~= "moved" then return nil, err, code end
  end
  return still
end


--- Calls take() for all that is added behind the present ends of the files. Returns only with an error.
---@param begin fun(files: sys.audit.File[])
---@param take fun(text: string, entry: table)
---@return nil
---@return string err
---@return string code
function M.run(begin, take)
  local watch <close>, err, code = audit.watch()
  if not watch then return nil, err, code end
  local positions, files = {}, reader.files()
  for _, file in ipairs(files) do positions[file.id] = { at = file.size } end
  begin(files)
  while true do
    local still, why, why_code = read_all(reader.files(), positions, take)
    if not still then return nil, why, why_code end
    positions = still
    watch:wait()
  end
end


return M
