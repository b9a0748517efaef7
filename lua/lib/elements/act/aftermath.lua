--- The effect of input, or of an action on a window, on an application's elements: two looks, one before and one after.
--
-- They cost time, so they are done only for applications whose elements were looked at lately, or if the caller asks for them.
-- They take a few tenths of a second at most. A change that cannot be read in that time is unknown.

local await     = require "elements.read.await"
local diff      = require "elements.read.diff"
local judge     = require "elements.read.judge"
local json      = require "sys.json"
local s         = require "schema"
local snapshots = require "elements.read.snapshot"
local state     = require "sys.state"
local time      = require "sys.time"
local watches   = require "elements.act.watch"
local window    = require "sys.window"
local words     = require "elements.read.words"

local M = {}

local LOOK, LONG = 0.3, 2   -- seconds of one look; the same if the caller asks for it
local SETTLE = 0.3      -- seconds after the action, until it has settled
local RECENT = 600      -- seconds since elements of the application were looked at
local SPARED = 60       -- seconds for which an application that was too slow is not looked at, unless the caller asks for it

local LATE = { timeout = true, app_hung = true }

local EFFECTS = { confirmed = "Confirmed", partial = "Partial", none_seen = "No effect seen", unknown = "Unknown effect" }

--- The parameter. tools/list leaves it out.
M.parameter = { "diff", s.rare(s.boolean("Report what changed in the application's elements. Default: if they were looked at "
  .. "before.", { optional = true })) }

--- The members of the result.
M.members = {
  { "effect", s.enum({ "confirmed", "partial", "none_seen", "unknown" }, "confirmed only if it was seen.", { optional = true }) },
  { "effect_evidence", s.string("What was seen.", { optional = true }) },
  { "changes", s.array(s.string(), "What changed in the application: + came, ~ changed, - went.", { optional = true }) },
}


---@class elements.Aftermath
---@field place elements.Place
---@field longest number  seconds of a look
---@field before? elements.Snapshot
---@field watch? elements.Watch
---@field lost? string  why it could not be looked at
---@field point? {x: number, y: number}  the pointer's position

---@class elements.Effect
---@field effect string
---@field evidence string
---@field changes? string[]


-- --- whether to look ------------------------------------------------------------------------------

local function is_recent(at) return at ~= nil and time.monotonic() - at < RECENT end


--- True if elements of any application were looked at lately.
local function any_looked()
  for _, at in pairs(snapshots.asked_at()) do
    if is_recent(at) then return true end
  end
  return false
end


local function is_looked(pid) return is_recent(snapshots.asked_at()[pid]) end


--- The processes that took too long, and when they did.
---@return table<integer, number>
local function slow()
  local mine = state.open "elements"
  mine.slow = mine.slow or {}
  return mine.slow
end


local function is_spared(pid)
  local at = slow()[pid]
  return at ~= nil and time.monotonic() - at < SPARED
end


local function holds(frame, point)
  return point.x >= frame.x and point.x < frame.x + frame.width and point.y >= frame.y and point.y < frame.y + frame.height
end


--- The application that gets input: at the point, or the one with the keyboard.
---@param point? {x: number, y: number}
---@return elements.Place?
local function receiver(point)
  for _, each in ipairs(window.list() or {}) do
    if point and each.on_screen and holds(each.frame, point) or not point and each.focused then
      return each.pid > 0 and { pid = each.pid, started = each.started } or nil
    end
  end
end


-- --- looking --------------------------------------------------------------------------------------

---@return elements.Snapshot? snapshot
---@return string? why  the error, if it could not be read
local function look(after)
  local pid = after.place.pid
  local now, err, code = snapshots.take { pid = pid, started = after.place.started, timeout = after.longest, unasked = true }
  local late = LATE[code]
  slow()[pid] = late and time.monotonic() or nil
  if late then return nil, ("it did not answer within %g seconds"):format(after.longest) end
  return now, err or not now and "it did not answer" or nil
end


--- Looks before the action; nil: the application is not looked at.
---@param place elements.Place
---@param wanted? boolean  the parameter
---@return elements.Aftermath?
function M.begin(place, wanted)
  if wanted == false or not wanted and (not is_looked(place.pid) or is_spared(place.pid)) then return nil end
  local after, mark = { place = place, longest = wanted and LONG or LOOK }, await.mark(place.pid)
  after.before, after.lost = look(after)
  if after.before then after.watch = watches.begin(place.pid, mark) end
  return after
end


--- The same for input, which goes to a point or to the window that has the keyboard.
---@param point? {x: number, y: number}
---@param wanted? boolean
---@return elements.Aftermath?
function M.begin_input(point, wanted)
  if wanted == false or not wanted and not any_looked() then return nil end
  local place = receiver(point)
  local after = place and M.begin(place, wanted)
  if after then after.point = point end
  return after
end


--- The innermost element at the point that a user works with.
local function node_at(snapshot, point)
  local found
  for _, node in ipairs(snapshot.nodes) do
    if node.states.shown and node.bounds and words.WORKED[node.role] and holds(node.bounds, point) then found = node end
  end
  return found
end


local function judged(after, now, changes)
  local restless = after.watch.restless
  if not after.point then return judge.of({ keys = true }, { changes = changes }, restless) end
  local node = node_at(after.before, after.point)
  return judge.pointer(node, node and now.by_id[node.id], changes, restless)
end


local function unknown(why) return { effect = "unknown", evidence = "it could not be read: " .. why } end


--- Looks again after the action, and judges the effect.
---@param after? elements.Aftermath
---@return elements.Effect?
function M.finish(after)
  if not after then return nil end
  if after.lost then return unknown(after.lost) end
  local watch = after.watch
  watches.acted(watch, "")
  watches.settle_soon(watch, SETTLE)
  local now, err = look(after)
  if not now then return unknown(err) end
  local changes = diff.changes(after.before, now)
  watches.mark_chance(watch, changes)
  local told = judge.doubted(judged(after, now, changes), diff.is_unsure(after.before, now))
  local nothing = told.effect == "none_seen" and #changes == 0
  local evidence = nothing and "nothing changed at once that the application tells of" or told.evidence
  return { effect = told.effect, evidence = evidence, changes = diff.lines(changes) }
end


-- --- results --------------------------------------------------------------------------------------

--- Adds an effect to the members of a result.
---@param facts table
---@param effect? elements.Effect
function M.add(facts, effect)
  if not effect then return end
  facts.effect, facts.effect_evidence = effect.effect, effect.evidence
  facts.changes = effect.changes and json.array(effect.changes)
end


--- The text of an effect, "Confirmed: dialog "Open" came.", and a line for each change.
---@param effect? elements.Effect
---@return string?
function M.text(effect)
  if not effect then return nil end
  local lines = { ("%s: %s."):format(EFFECTS[effect.effect], effect.evidence) }
  table.move(effect.changes or {}, 1, #(effect.changes or {}), 2, lines)
  return table.concat(lines, "\n")
end


return M
