--- Input for the tools: actions as sys.input takes them, their checks, and the log of what was sent.

local state = require "sys.state"
local time  = require "sys.time"

local M = {}

--- Actions that are remembered, and characters of a text that are.
M.KEPT, M.PREVIEW = 500, 40

--- What browsers scroll for a notch of the wheel. Other applications may scroll by another amount.
M.NOTCH_PIXELS = 53

local NOTCHES_MAX = 1000  -- that sys.input takes at once

--- Action to what sys.input.send() takes; the rest is in the arguments.
M.ACTIONS = {
  click        = { kind = "click" },
  double_click = { kind = "click", count = 2 },
  triple_click = { kind = "click", count = 3 },
  right_click  = { kind = "click", button = "right" },
  middle_click = { kind = "click", button = "middle" },
  press        = { kind = "press" },
  release      = { kind = "release" },
  move         = { kind = "move" },
  drag         = { kind = "drag" },
  scroll       = { kind = "scroll" },
  keys         = { kind = "keys" },
  hold         = { kind = "keys" },
  key_down     = { kind = "key_down" },
  key_up       = { kind = "key_up" },
  type         = { kind = "text" },
  paste        = { kind = "paste" },
}

--- Which arguments an action takes besides `action`.
local POINTER = { "x", "y", "image_id", "button", "modifiers" }
M.TAKES = {
  click        = { "count", "duration", table.unpack(POINTER) },
  double_click = POINTER,
  triple_click = POINTER,
  right_click  = { "x", "y", "image_id", "modifiers" },
  middle_click = { "x", "y", "image_id", "modifiers" },
  press        = POINTER,
  release      = POINTER,
  move         = { "x", "y", "image_id", "duration" },
  drag         = { "path", "to_x", "to_y", "duration", table.unpack(POINTER) },
  scroll       = { "x", "y", "image_id", "modifiers", "scroll_x", "scroll_y", "scroll_unit" },
  keys         = { "keys", "count" },
  hold         = { "keys", "duration" },
  key_down     = { "keys" },
  key_up       = { "keys" },
  type         = { "text", "secret", "method" },
  paste        = { "text", "secret" },
}

--- And without which it cannot be done.
M.NEEDS = {
  move = { "x", "y" }, keys = { "keys" }, hold = { "keys", "duration" }, key_down = { "keys" },
  key_up = { "keys" }, type = { "text" }, paste = { "text" },
}


-- --- scrolling ---------------------------------------------------------------------------

--- Whole notches of the wheel; what is asked for at all is one at least.
---@param amount number?
---@param unit string
---@return integer
function M.notches(amount, unit)
  if not amount or amount == 0 then return 0 end
  local exact = math.abs(unit == "pixels" and amount / M.NOTCH_PIXELS or amount)
  local whole = math.max(1, math.floor(exact + 0.5))
  return amount < 0 and -whole or whole
end


-- --- what belongs together -----------------------------------------------------------------

---@param list string[]
---@param wanted string
local function among(list, wanted)
  for _, item in ipairs(list) do
    if item == wanted then return true end
  end
  return false
end


local function wheel_misfit(args)
  local unit = args.scroll_unit or "lines"
  local x, y = M.notches(args.scroll_x, unit), M.notches(args.scroll_y, unit)
  if x == 0 and y == 0 then
    return "scroll requires scroll_x or scroll_y. Pass how far to scroll right or down; negative values scroll left or up."
  end
  if math.max(math.abs(x), math.abs(y)) > NOTCHES_MAX then
    return ("One call scrolls by at most %d notches. Split the scroll into several calls."):format(NOTCHES_MAX)
  end
end


--- Arguments that do not belong together.
---@param args table
---@return string? err
function M.misfit(args)
  local takes = M.TAKES[args.action]
  for name in pairs(args) do
    if name ~= "action" and not among(takes, name) then
      return ("%s does not accept %s. It accepts %s."):format(args.action, name, table.concat(takes, ", "))
    end
  end
  for _, name in ipairs(M.NEEDS[args.action] or {}) do
    if args[name] == nil then return ("%s requires %s."):format(args.action, table.concat(M.NEEDS[args.action], " and ")) end
  end
  if (args.x == nil) ~= (args.y == nil) then return "x and y must be passed together. Pass both or neither." end
  if args.image_id and not args.x and not args.path then
    return "image_id requires x and y. Pass them as pixels in that screenshot."
  end
  if args.action == "drag" and not args.path and not (args.x and args.to_x and args.to_y) then
    return "drag requires x, y, to_x and to_y, or a path of at least two points."
  end
  return args.action == "scroll" and wheel_misfit(args) or nil
end


-- --- what was sent -------------------------------------------------------------------------

---@return {number: integer, list: table[]}
local function log()
  local mine = state.open "desktop"
  mine.inputs = mine.inputs or { number = 0, list = {} }
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
  table.insert(mine.list, 1, entry)
  mine.list[M.KEPT + 1] = nil
  return entry.name
end


---@return table[] entries  newest first
function M.list() return log().list end


return M
