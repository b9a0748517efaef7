--- Text that is written to a process which was started before: it is judged by what that one runs, together with what was written
--- to the same line.

local engine = require "sys.engine"

local M = {}

local MOST = 4000   -- bytes of a line that are kept

local lines = setmetatable({}, { __mode = "k" })   -- by child: the line that is not ended yet


---@return sys.process.Spec
function M.spec(effect)
  local child = effect.given[1]
  return type(child) == "userdata" and child.spec or {}
end


---@return string|false
function M.text(effect)
  local bytes = effect.given[2]
  if type(bytes) ~= "string" and type(bytes) ~= "number" then return false end
  return (lines[effect.given[1]] or "") .. bytes
end


--- True for what needs no judgement: the code of the engine's own tools decides what it writes, and processes of Perigee itself
--- only show what they are sent.
---@param subject table
---@param child any
---@return boolean
function M.is_helper(subject, child)
  if subject.shipped and not subject.runs then return true end
  local words = type(child) == "userdata" and child.spec or {}
  local mode = words[2]
  return words[1] == engine.program() and (mode == "--ui" or mode == "--notify" or mode == "--menu")
end


--- Remembers what is written.
---@param effect policy.Effect
---@param approved boolean  the user allowed it: it does not count against what comes next
function M.note(effect, approved)
  local text = not approved and M.text(effect)
  local rest = text and text:match "[^\n]*$" or ""
  lines[effect.given[1]] = rest ~= "" and rest:sub(-MOST) or nil
end


return M
