--- Reads the lines of the audit log's files, forwards and backwards. The files may be renamed meanwhile.

local audit = require "sys.audit"
local line  = require "audit.line"

local M = {}

local BLOCK = 256 * 1024


--- Reads a piece of a file, whatever its name is now. Raises {message =, code =} if it cannot be read.
---@param file sys.audit.File
---@param offset integer
---@param max integer
---@return string
local function piece(file, offset, max)
  local bytes, err, code = audit.read(file, offset, max)
  if bytes then return bytes end
  if code == "moved" then
    for _, other in ipairs(M.files()) do
      if other.id == file.id and other.name ~= file.name then
        file.name = other.name
        return piece(file, offset, max)
      end
    end
  end
  error({ message = err, code = code }, 0)
end


--- Lists the files. Raises as piece() does.
---@return sys.audit.File[]
function M.files()
  local files, err, code = audit.files()
  if files then return files end
  error({ message = err, code = code }, 0)
end


--- Calls a function and returns its results; or nil, message, code if a file could not be read.
function M.caught(run, ...)
  local results = table.pack(pcall(run, ...))
  if results[1] then return table.unpack(results, 2, results.n) end
  local problem = results[2]
  if type(problem) ~= "table" then error(problem, 0) end
  return nil, problem.message, problem.code
end


--- Iterates over (text, bytes, ended). The text is empty if it is too long for a line; the last line may lack its end.
---@param file sys.audit.File
---@param offset? integer  the beginning of a line
---@return fun(): string?, integer?, boolean?
function M.lines(file, offset)
  local at, buffer, pos, dropped = offset or 0, "", 1, 0
  return function()
    while true do
      local newline = buffer:find("\n", pos, true)
      if newline then
        local text, before = buffer:sub(pos, newline - 1), dropped
        pos, dropped = newline + 1, 0
        return before == 0 and text or "", before + #text, true
      end
      local rest = buffer:sub(pos)
      if #rest > line.MOST then rest, dropped = "", dropped + #rest end
      local more = piece(file, at, BLOCK)
      at, buffer, pos = at + #more, rest .. more, 1
      if more == "" then
        local bytes = dropped + #rest
        buffer, dropped = "", 0
        if bytes > 0 then return rest, bytes, false end
        return nil
      end
    end
  end
end


--- Iterates over the complete lines, the last one first. A line that is too long is empty.
---@param file sys.audit.File
---@return fun(): string?
function M.lines_back(file)
  local stop, lines, rest = file.size, {}, ""
  local drop = "end" ---@type "end"|"long"|nil  what the newest piece ends in
  local function read_more()
    local from = math.max(0, stop - BLOCK)
    local text = piece(file, from, stop - from) .. rest .. "\n"
    stop, lines, rest = from, {}, ""
    for each in text:gmatch "([^\n]*)\n" do lines[#lines + 1] = each end
    if drop and #lines == 1 and from > 0 then lines = {} return end
    if drop then
      lines[#lines] = drop == "long" and "" or nil
      drop = nil
    end
    if from > 0 then rest = table.remove(lines, 1) or "" end
    if #rest > line.MOST then rest, drop = "", "long" end
  end
  return function()
    while #lines == 0 and stop > 0 do read_more() end
    return table.remove(lines)
  end
end


return M
