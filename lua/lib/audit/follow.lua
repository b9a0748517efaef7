--- What is added to the audit log, as it comes, over any number of its files.

local audit  = require "sys.audit"
local line   = require "audit.line"
local reader = require "audit.reader"

local M = {}


---@class audit.Position  how far a file was read
---@field at integer


--- Calls take(text, entry) for what a file has beyond its position. What is not ended is read again next time.
local function read_on(file, position, take)
  if file.size < position.at then position.at = 0 end -- it was cut, or is another one
  for text, bytes, ended in reader.lines(file, position.at) do
    if not ended then return end
    position.at = position.at + bytes + 1
    local entry = line.read(text)
    if entry then take(text, entry) end
  end
end


--- A file may get another name, or go, while the others are read: then there is a next time.
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


--- Never returns but with an error. What is behind these files' sizes comes to take().
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
