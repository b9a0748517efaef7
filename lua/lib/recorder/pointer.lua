--- Knows what is under the pointer before a button is pressed: when the press is reported, the element may be gone already.
--
-- The element is looked up once where the pointer rests, and again when something changed there. The recording on X11 reports
-- where it rests; elsewhere its place is read 25 times a second.

local M = {}

M.SECONDS = 0.04   -- between two readings, and between two looks while something changes

---@class recorder.Pointer
---@field private look fun(x: number, y: number, now?: boolean): recorder.Spot
---@field private clock fun(): number
---@field private x? number
---@field private y? number
---@field private changed boolean
---@field private hits recorder.Spot[]  the latest, newest first
local Pointer = {}
Pointer.__index = Pointer

local KEPT = 4    -- hits
local NEAR = 3    -- points within which the pointer has not moved


---@param look fun(x: number, y: number, now?: boolean): recorder.Spot
---@param clock fun(): number
---@return recorder.Pointer
function M.new(look, clock) return setmetatable({ look = look, clock = clock, changed = false, hits = {} }, Pointer) end


local function near(hit, x, y) return math.abs(hit.x - x) <= NEAR and math.abs(hit.y - y) <= NEAR end


local function take(self, x, y, now)
  local begun = self.clock()
  local hit = self.look(x, y, now)
  hit.begun, hit.at = begun, hit.at or self.clock()
  self.changed = hit.stale or false
  table.insert(self.hits, 1, hit)
  self.hits[KEPT + 1] = nil
  return hit
end


--- Something changed on the screen.
function Pointer:change() self.changed = true end


--- True if something changed on the screen since the last look.
---@return boolean
function Pointer:has_changed() return self.changed end


--- The pointer rests here. Returns the hit if it was looked up.
---@param x number
---@param y number
---@return recorder.Spot?
function Pointer:rest(x, y)
  self.x, self.y = x, y
  local last = self.hits[1]
  if last and near(last, x, y) and not self.changed then return nil end
  return take(self, x, y)
end


--- The pointer is here now: it rests if it was here the last time.
---@param x number
---@param y number
---@return recorder.Spot?
function Pointer:move(x, y)
  if self:is_at(x, y) then return self:rest(x, y) end
  self.x, self.y = x, y
end


--- True if that is the place where it was the last time.
---@param x number
---@param y number
---@return boolean
function Pointer:is_at(x, y) return self.x == x and self.y == y end


local function same(a, b) return a.node ~= nil and b.node ~= nil and a.node.id == b.node.id end


--- The hit at the pointer from before this time; if none is known, the one that is there now.
---@param event {x: number, y: number, at: number}
---@return recorder.Spot hit
---@return boolean sure  false: it was looked up too late and may be what came in its place, or something changed just then
function Pointer:before(event)
  local later
  for _, hit in ipairs(self.hits) do
    if near(hit, event.x, event.y) then
      if hit.at <= event.at then return hit, not later or not later.node or same(hit, later) end
      later = hit.begun <= event.at and hit or later
    end
  end
  if later then return later, false end
  return take(self, event.x, event.y, true), false
end


return M
