--- One line of the audit log (docs/audit.md).

local crypto = require "sys.crypto"
local json   = require "sys.json"

local M = {}

--- The longest line, and the longest unfinished rest of one, in bytes.
M.MOST = 64 * 1024

--- The hash before the first line.
M.NONE = ("0"):rep(64)

local HEAD = '^{"time":"%d%d%d%d%-%d%d%-%d%dT%d%d:%d%d:%d%d%.%d%d%dZ","seq":(%d+),"pid":%d+,"kind":"([%w_]+)"'
local TAIL = '^,"prev":"([0-9a-f]+)"}$'
local TAIL_LENGTH = 75
local DIGITS = ("%02x"):rep(32)
local BEGIN = '{"time":"'
local TIME_LENGTH = #"2026-11-25T10:00:00.000Z"


---@class audit.Frame
---@field seq integer
---@field kind string
---@field prev string

--- Returns the fields that enclose a line; nil if it is not a line of the log.
---@param line string
---@return audit.Frame?
function M.frame(line)
  local seq, kind = line:match(HEAD)
  local prev = seq and line:sub(-TAIL_LENGTH):match(TAIL)
  if not prev or line:find "[\0-\31]" then return nil end
  return { seq = math.tointeger(tonumber(seq)) or 0, kind = kind, prev = prev }
end


--- Returns when a line was written, without reading the rest; nil if it does not begin like a line.
---@param line string
---@return string?
function M.time(line)
  return line:sub(1, #BEGIN) == BEGIN and line:sub(#BEGIN + 1, #BEGIN + TIME_LENGTH) or nil
end


--- Returns all fields of a line; nil if it is not a line of the log.
---@param line string
---@return table?
function M.read(line)
  local frame = M.frame(line)
  local entry = frame and json.decode(line)
  return type(entry) == "table" and type(entry.time) == "string" and entry or nil
end


---@param line string
---@return string hash
function M.hash(line)
  local digest, err = crypto.sha256(line)
  if not digest then error(err, 0) end
  return DIGITS:format(digest:byte(1, -1))
end


--- True if this may be the rest of a line after an unfinished write or a power failure: a part of a line that is not the
--- whole, zero bytes, or the one and then the other. Anything else was not written by Perigee.
---@param text string
---@return boolean
function M.is_rest(text)
  if text == "" or #text > M.MOST then return false end
  local part = text:match "^([^%z]*)%z*$"
  if not part or part:sub(1, #BEGIN) ~= BEGIN:sub(1, #part) or part:find "[\1-\31]" then return false end
  return not json.decode(part:match "^(.-) *$")
end


--- True for what begins as a line of the log does.
---@param text string
---@return boolean
function M.begins(text) return text:sub(1, #BEGIN) == BEGIN end


return M
