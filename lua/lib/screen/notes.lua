--- Notes about a request: messages for the user, and lines for the debug log.

local log = require "sys.log"

---@class screen.Notes
---@field messages string[]
---@field debug_logs string[]
local notes = {}
notes.__index = notes


---@return screen.Notes
function notes.new()
  return setmetatable({ messages = {}, debug_logs = {} }, notes)
end


---@param text string
function notes:message(text)
  self.messages[#self.messages + 1] = text
end


---@param text string
function notes:debug(text)
  self.debug_logs[#self.debug_logs + 1] = text
end


--- Writes the debug lines to the engine's log.
function notes:tell()
  for _, line in ipairs(self.debug_logs) do log.debug("screen: " .. line) end
end


return notes
