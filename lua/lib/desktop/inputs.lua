--- The log of input that was sent.

local owner = require "owner"
local state = require "sys.state"
local time  = require "sys.time"

local M = {}

--- The most actions that are remembered, and characters of their text.
M.KEPT, M.PREVIEW = 500, 40


---@return {number: integer, list: table[], owners: table<table, string>}
local function log()
  local mine = state.open "desktop"
  mine.inputs = mine.inputs or { number = 0, list = {} }
  mine.inputs.owners = mine.inputs.owners or setmetatable({}, { __mode = "k" })
  return mine.inputs
end


--- The beginning of the text on one line, cut at a whole character.
---@param text string
---@return string preview
---@return boolean cut
function M.preview(text)
  local stop = utf8.offset(text, M.PREVIEW + 1)
  local cut = stop ~= nil and stop <= #text
  return ((cut and text:sub(1, stop - 1) or text):gsub("%c", " ")), cut
end


--- "2026-11-22T02:25:30Z".
local function utc(seconds)
  local days, rest = seconds // 86400, math.floor(seconds % 86400)
  -- Howard Hinnant's civil_from_days: years begin in March.
  local z = days + 719468
  local era = z // 146097
  local doe = z - era * 146097
  local yoe = (doe - doe // 1460 + doe // 36524 - doe // 146096) // 365
  local doy = doe - (365 * yoe + yoe // 4 - yoe // 100)
  local mp = (5 * doy + 2) // 153
  local day, month = doy - (153 * mp + 2) // 5 + 1, mp < 10 and mp + 3 or mp - 9
  local year = yoe + era * 400 + (month <= 2 and 1 or 0)
  return ("%04d-%02d-%02dT%02d:%02d:%02dZ"):format(math.floor(year), math.floor(month), math.floor(day),
    rest // 3600, rest // 60 % 60, rest % 60)
end
M.utc = utc


--- Logs an action and its result. Of secret text only the length is kept.
---@param args table
---@param facts table
---@return string name
function M.remember(args, facts)
  local mine = log()
  mine.number = mine.number + 1
  local entry = {
    name = ("inputs/%d"):format(mine.number), time = utc(time.now()), action = args.action,
    pointer = facts.pointer, sent = facts.sent, settled = facts.settled, route = facts.route, error = facts.error,
    keys = args.keys, characters = facts.characters,
  }
  if args.text then
    if args.secret then
      entry.secret = true
    else
      entry.preview, entry.preview_cut = M.preview(args.text)
    end
    entry.length = utf8.len(args.text) or #args.text
  end
  mine.owners[entry] = owner.key()
  table.insert(mine.list, 1, entry)
  mine.list[M.KEPT + 1] = nil
  return entry.name
end


---@return table[] entries  of the running call's caller, newest first
function M.list()
  local mine, list = log(), {}
  for _, entry in ipairs(mine.list) do
    if owner.is_mine(mine.owners[entry]) then list[#list + 1] = entry end
  end
  return list
end


return M
