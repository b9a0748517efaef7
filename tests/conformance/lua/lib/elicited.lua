--- Text that tells the user's action on a form, and the content.

local json = require "sys.json"

local M = {}

local ACTIONS = { declined = "decline", dismissed = "cancel" }

---@param start string
---@param content? table
---@param why? string
---@param code? string
---@return string? text
---@return string? err
---@return string? code
function M.text(start, content, why, code)
  local action = content and "accept" or ACTIONS[code]
  if not action then return nil, why, code end
  return ("%s: action=%s, content=%s"):format(start, action, json.encode(json.object(content or {})))
end

return M
