--- Frames that a process of Python sends (src/guest/frame.h): a length, a kind, an id and a payload.

local M = {}

local HEAD = "<I4BI4"

M.NAMES, M.TOOLS, M.DONE, M.OUTPUT, M.FILE, M.IMAGE = 7, 6, 13, 14, 15, 16


--- Iterates over the frames: kind, id, payload.
---@param bytes string  whole frames
---@return fun(): integer?, integer?, string?
function M.each(bytes)
  local at = 1
  return function()
    if at + 8 > #bytes then return nil end
    local length, kind, id, from = HEAD:unpack(bytes, at)
    at = from + length
    return kind, id, bytes:sub(from, at - 1)
  end
end


--- Returns the strings of a payload; nil: it has others.
---@param count integer
---@param payload string
---@param from? integer
---@return string? ...
function M.strings(count, payload, from)
  local ok, a, b, c = pcall(string.unpack, "<" .. ("s4"):rep(count), payload, from or 1)
  if ok then return a, b, c end
end


--- Makes a frame of one string.
---@param kind integer
---@param id integer
---@param text string
---@return string
function M.frame(kind, id, text)
  local payload = ("<s4"):pack(text)
  return HEAD:pack(#payload, kind, id) .. payload
end


return M
