--- Where the output of a program is from that a tool runs for its caller, and returns: the tool's file cannot say it, because the
-- caller chose the program.

local last_name = require("sys.path").name
local policy    = require "sys.policy"

local M = {}

local SCREEN, WEB, FILE = 1, 4, 16


local function source_of(effect)
  local argv = effect:fact "argv"
  if last_name(argv[1] or "") == "osascript" then return SCREEN end   -- as sys.osascript: windows, pages, mails
  if require("policy.effect.fetched").loads(argv, effect:fact "text" or "") then return WEB end
  return FILE
end


--- Marks the result of the call that runs it.
---@param effect policy.Effect
function M.note(effect)
  if effect.call and effect.subject.runs then policy.brings(effect.call, source_of(effect), true) end
end


return M
