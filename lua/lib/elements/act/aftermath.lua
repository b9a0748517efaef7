--- The effect of input, or of an action on a window, on an application's elements: two looks, one before and one after.
--
-- They cost time, so they are done only for applications whose elements were looked at lately, or if the caller asks for them.
-- They take a few tenths of a second at most. A change that cannot be read in that time is unknown.

local interest = require "elements.read.interest"
local json     = require "sys.json"
local rect     = require "rect"
local s        = require "schema"
local window   = require "sys.window"

local M = {}

local LOOK, LONG = 0.3, 2   -- seconds of one look; the same if the caller asks for it

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


---@class elements.Effect
---@field effect string
---@field evidence string
---@field changes? string[]


-- --- looking --------------------------------------------------------------------------------------

--- The application that gets input: at the point, or the one with the keyboard.
---@param point? {x: number, y: number}
---@return elements.Place?
local function receiver(point)
  for _, each in ipairs(window.list() or {}) do
    if point and each.on_screen and rect.holds(each.frame, point.x, point.y) or not point and each.focused then
      return each.pid > 0 and { pid = each.pid, started = each.started } or nil
    end
  end
end


--- Looks before the action; nil: the application is not looked at.
---@param place elements.Place
---@param wanted? boolean  the parameter
---@param point? {x: number, y: number}  the pointer's position
---@return elements.Looks?
function M.begin(place, wanted, point)
  local pid = place.pid
  if wanted == false or not wanted and (not interest.is_recent(pid) or interest.is_spared(pid)) then return nil end
  return require("elements.act.looks").begin(place, wanted and LONG or LOOK, point)   -- most input goes without
end


--- The same for input, which goes to a point or to the window that has the keyboard.
---@param point? {x: number, y: number}
---@param wanted? boolean
---@return elements.Looks?
function M.begin_input(point, wanted)
  if wanted == false or not wanted and not interest.is_recent() then return nil end
  local place = receiver(point)
  return place and M.begin(place, wanted, point)
end


--- Looks again after the action, and judges the effect.
---@param looks? elements.Looks
---@return elements.Effect?
function M.finish(looks) return looks and require("elements.act.looks").finish(looks) or nil end


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
