--- The facts about Python code that is about to run in its jail.

local M = {}


--- The code. Its arguments are data.
---@param effect policy.Effect
---@return string|false
function M.text(effect) return type(effect.given[1]) == "string" and effect.given[1] or false end


return M
