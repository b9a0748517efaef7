--- How often the user refused a caller: one that was refused again and again is refused for a while without a question.

local env   = require "sys.env"
local state = require "sys.state"

local M = {}

local MOST = 3          -- refusals
local WITHIN = 60       -- seconds
M.PAUSE = 120           -- seconds without a question from then on
local CALLERS = 1000    -- that are remembered

---@class policy.Refused
---@field times number[]  the last refusals, by the monotonic clock; at most MOST
---@field ends? number    when the caller may ask again


--- The variable PERIGEE_REFUSALS, as a number: 0 for no limit.
local function limit() return math.tointeger(tonumber(env.get "PERIGEE_REFUSALS" or MOST)) or MOST end


--- The callers that are counted as one: a client may give itself another name, but it is the only one of its kind here.
local function key_of(caller)
  if caller.kind == "client" or caller.kind == "agent" then return caller.kind end
  return ("%s\0%s\0%s"):format(caller.kind, caller.subject or "", caller.name or "")
end


---@return table<string, policy.Refused> callers
---@return table mine
local function known()
  local mine = state.open "policy.refusals"
  mine.callers, mine.count = mine.callers or {}, mine.count or 0
  return mine.callers, mine
end


--- Forgets what does not count any more; if that is not enough, the caller whose last refusal was first.
local function make_room(callers, mine, now)
  if mine.count < CALLERS then return end
  local first
  for key, refused in pairs(callers) do
    local last = refused.times[#refused.times]
    if now - last > WITHIN and (refused.ends or now) <= now then
      callers[key], mine.count = nil, mine.count - 1
    elseif not first or last < callers[first].times[#callers[first].times] then
      first = key
    end
  end
  if mine.count >= CALLERS and first then callers[first], mine.count = nil, mine.count - 1 end
end


--- Notes that the user refused it.
---@param caller table
---@param now number  the monotonic clock
function M.note(caller, now)
  local most = limit()
  if most <= 0 then return end
  local callers, mine = known()
  local key = key_of(caller)
  if not callers[key] then
    make_room(callers, mine, now)
    callers[key], mine.count = { times = {} }, mine.count + 1
  end
  local refused = callers[key]
  refused.times[#refused.times + 1] = now
  if #refused.times > most then table.remove(refused.times, 1) end
  if #refused.times == most and now - refused.times[1] <= WITHIN then refused.ends, refused.times = now + M.PAUSE, { now } end
end


--- The seconds until it is asked about again; nil: at once.
---@param caller table
---@param now number  the monotonic clock
---@return integer? seconds
function M.left(caller, now)
  local refused = known()[key_of(caller)]
  local left = refused and refused.ends and refused.ends - now or 0
  if left > 0 then return math.ceil(left) end
  if refused and refused.ends then refused.ends, refused.times[1] = nil, -math.huge end
end


--- The error of a call that needs an approval meanwhile.
---@param what string  the capability
---@param left integer
---@return string
function M.words(what, left)
  return ("The user refused %d requests within a minute, so %s was refused without asking. Requests that need an approval are "
    .. "refused for another %d second%s. Tell the user what you want to do, and wait."):format(limit(), what, left,
    left == 1 and "" or "s")
end


return M
