--- Two looks at an application's elements, one before an action and one after, and what they say of its effect.

local await     = require "elements.read.await"
local copies    = require "elements.act.copies"
local diff      = require "elements.read.diff"
local interest  = require "elements.read.interest"
local judge     = require "elements.read.judge"
local rect      = require "rect"
local snapshots = require "elements.read.snapshot"
local watches   = require "elements.act.watch"
local words     = require "elements.read.words"

local M = {}

local SETTLE = 0.3   -- seconds after the action, until it has settled

local LATE = { timeout = true, app_hung = true }

---@class elements.Looks
---@field place elements.Place
---@field longest number  seconds of a look
---@field before? elements.Snapshot
---@field watch? elements.Watch
---@field lost? string  why it could not be looked at
---@field point? {x: number, y: number}  the pointer's position
---@field copied? integer  the mark of copies


---@return elements.Snapshot? snapshot
---@return string? why  the error, if it could not be read
local function look(looks)
  local pid = looks.place.pid
  local now, err, code = snapshots.take { pid = pid, started = looks.place.started, timeout = looks.longest, unasked = true }
  local late = LATE[code] == true
  interest.note_answer(pid, late)
  if late then return nil, ("it did not answer within %g seconds"):format(looks.longest) end
  return now, err or not now and "it did not answer" or nil
end


--- Looks before the action.
---@param place elements.Place
---@param longest number  seconds of one look
---@param point? {x: number, y: number}  the pointer's position
---@return elements.Looks
function M.begin(place, longest, point)
  local looks, mark = { place = place, longest = longest, point = point }, await.mark(place.pid)
  looks.before, looks.lost = look(looks)
  if looks.before then looks.watch, looks.copied = watches.begin(place.pid, mark), copies.mark() end
  return looks
end


--- The innermost element at the point that a user works with.
local function node_at(snapshot, point)
  local found
  for _, node in ipairs(snapshot.nodes) do
    if node.states.shown and node.bounds and words.WORKED[node.role] and rect.holds(node.bounds, point.x, point.y) then
      found = node
    end
  end
  return found
end


local function judged(looks, now, changes)
  local restless, seen = looks.watch.restless, { changes = changes, copied = copies.since(looks.copied, looks.place) }
  if not looks.point then return judge.of({ keys = true }, seen, restless) end
  local node = node_at(looks.before, looks.point)
  seen.now = node and now.by_id[node.id]
  return judge.pointer(node, seen, restless)
end


local function unknown(why) return { effect = "unknown", evidence = "it could not be read: " .. why } end


--- Looks again after the action, and judges the effect.
---@param looks elements.Looks
---@return elements.Effect
function M.finish(looks)
  if looks.lost then return unknown(looks.lost) end
  local watch = looks.watch
  watches.acted(watch, "")
  watches.settle_soon(watch, SETTLE)
  local now, err = look(looks)
  if not now then return unknown(err) end
  local changes = diff.changes(looks.before, now)
  watches.mark_chance(watch, changes)
  local told = judge.doubted(judged(looks, now, changes), diff.is_unsure(looks.before, now))
  local nothing = told.effect == "none_seen" and #changes == 0
  local evidence = nothing and "nothing changed at once that the application tells of" .. judge.LOOK or told.evidence
  return { effect = told.effect, evidence = evidence, changes = diff.lines(changes) }
end


return M
