--- A notification of the desktop, as sys.notify shows it on each system.

local fail   = require "desktop.fail"
local notify = require "sys.notify"

local M = {}


---@class common.Shown
---@field accepted true
---@field id string     the service's name for it
---@field note? string

--- Shows one that stays after the call.
---@param title string  at most 250 characters
---@param body? string  at most 2500 characters
---@return common.Shown? shown
---@return string? err
---@return string? code
function M.show(title, body)
  if (title .. (body or "")):find("\0", 1, true) then
    return fail.with("A notification cannot have the character 0 in its text. Leave it out.", "bad_argument")
  end
  local shown, err, code = notify.show { title = title, text = body }
  if not shown then return fail.with(err, code) end
  return { accepted = true, id = shown.id, note = #shown.ignored > 0
    and "The notification service of this desktop shows only the title, not the body" or nil }
end


return M
