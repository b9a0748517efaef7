--- The effects of input on windows, as far as they were seen at once: as structured facts and as a line of text.

local listable = require "desktop.listable"
local names    = require "desktop.names"
local quoting  = require "desktop.quoting"
local s        = require "schema"
local windows  = require "desktop.windows"

local M = {}

local SHOWN = 3   -- effects in a line

local EFFECT = s.object {
  { "what", s.enum { "opened", "closed", "titled", "focused" } },
  { "window", s.string("Resource name; absent if no window is focused.", { optional = true }) },
  { "title", s.string("The title it has now, or had last; absent if the policy does not let you list it.", { optional = true }) },
  { "kind", s.string(nil, { optional = true }) },
}

--- The members of the result.
M.member = { "effects", s.array(EFFECT,
  "Windows that changed meanwhile, as seen within 0.15 seconds. Absent if none had begun to: later effects may follow.",
  { optional = true }) }
M.late_member = { "late_effects", s.array(EFFECT,
  "Windows that changed between the last input and this one, unless a tool has named them since.", { optional = true }) }


--- The changes since the last input that no tool's answer has reported: those of windows that no answer named. Popups are left
--- out, because they come and go by themselves.
---@param late? sys.input.Effects
---@return sys.input.Effects?
function M.untold(late)
  local kept = { more = late and late.more }
  for _, effect in ipairs(late or {}) do
    if effect.id and effect.kind ~= "popup" and not names.is_named(effect) then kept[#kept + 1] = effect end
  end
  names.forget_named()
  return kept[1] and kept or nil
end


---@param effects? sys.input.Effects
---@return table[]?
function M.facts(effects)
  if not effects then return nil end
  local facts = {}
  for i, effect in ipairs(effects) do
    facts[i] = { what = effect.what, window = effect.id and names.window(effect), kind = effect.kind,
      title = (not effect.id or listable.window(effect)) and quoting.maybe(effect.title) or nil }
  end
  return facts
end


local function called(effect)
  if not listable.window(effect) then return ("a window (%s)"):format(names.window(effect)) end
  local title = effect.kind == "popup" and "a popup" or windows.quote(effect.title)
  return ("%s (%s, %s)"):format(title, quoting.name(effect.app), names.window(effect))
end


local SAYS = {
  opened  = function(effect) return called(effect) .. " opened" end,
  closed  = function(effect) return called(effect) .. " closed" end,
  titled  = function(effect)
    if not listable.window(effect) then return ("the title of %s changed"):format(names.window(effect)) end
    return ("the title of %s is now %s"):format(names.window(effect), windows.quote(effect.title))
  end,
  focused = function(effect) return effect.id and called(effect) .. " has the focus" or "no window has the focus" end,
}


--- The window that has the focus now, and true if it is one of those that opened.
local function focus_of(effects)
  local focused, opened
  for _, effect in ipairs(effects) do
    if effect.what == "focused" then focused = effect end
  end
  for _, effect in ipairs(focused and effects or {}) do
    opened = opened or effect.what == "opened" and effect.id == focused.id
  end
  return focused, opened
end


--- "Seen at once: "Open" (Editor, applications/7/windows/4) opened and has the focus."
---@param when string
---@param effects? sys.input.Effects
---@return string?
function M.line(when, effects)
  if not effects then return nil end
  local parts, left = {}, 0
  local focused, opened = focus_of(effects)
  for _, effect in ipairs(effects) do
    local said = effect ~= focused and SAYS[effect.what](effect)
    if said and opened and effect.id == focused.id and effect.what == "opened" then said = said .. " and has the focus" end
    if said and #parts == SHOWN then left = left + 1 elseif said then parts[#parts + 1] = said end
  end
  if left > 0 then parts[#parts + 1] = ("and %d%s more"):format(left, effects.more and " or" or "") end
  if focused and not opened then parts[#parts + 1] = SAYS.focused(focused) end
  return ("%s: %s."):format(when, table.concat(parts, "; "))
end


return M
