--- How much mail is in the inbox: by Mail on a Mac, elsewhere of the account that send_email uses.

local reading = require "mail.reading"
local script  = require "common.script"
local system  = require "common.system"

local M = {}


---@param call Call
---@return {messages: integer, unread: integer}? count
---@return string? err
---@return string? code
function M.count(call)
  if not system.is_mac() then return reading.count(call) end
  local said, err, code = script.run("mail_get_inbox_count", {}, 65)
  if not said then return nil, err, code end
  local messages, unread = said:match "^(%d+)\n(%d+)$"
  if not messages then return script.strange("mail_get_inbox_count", said) end
  return { messages = math.tointeger(tonumber(messages)), unread = math.tointeger(tonumber(unread)) }
end


return M
