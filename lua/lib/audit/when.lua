--- Reads the value of --since as a time of the log's lines, which sort as text.

local date     = require "sys.date"
local duration = require "sys.duration"
local time     = require "sys.time"

local M = {}

--- Reads 10m, 2h or 3d as so long ago, 2026-11-25 as its midnight in UTC, or a time of RFC 3339.
---@param word string
---@return string? iso
---@return string? err
function M.read(word)
  local ago = word:find "^%d+[smhdw]$" and duration.parse(word)
  if ago then return time.iso(math.max(0, time.now() - ago)) end
  local has_zone = word:find "[Zz]$" or word:find "[+-]%d%d:%d%d$"
  local seconds = (has_zone or not word:find ":") and date.parse(word, nil, "utc")
  if seconds then return time.iso(math.max(0, seconds)) end
  return nil, ("--since %s is not a time. Write 10m, 2h, 3d, a date (2026-11-25) or a time (2026-11-25T10:00:00Z)"):format(word)
end


return M
