--- Results that are too long to be shown whole: they are kept, so that the client can refer to the rest.

local policy = require "sys.policy"

local M = {}

local memory = policy.memory()

local LEAST = 4096   -- bytes: no cap is smaller
local DEPTH = 32

--- The bytes of a value as JSON, roughly, without those of pictures; it stops at `most`.
local function weigh(value, most, depth)
  if type(value) == "string" then return #value * 9 // 8 + 2 end
  if type(value) ~= "table" or depth == 0 then return 10 end
  local sum = 2
  for key, each in pairs(value) do
    if key ~= "data" then
      sum = sum + (type(key) == "string" and #key + 3 or 1) + weigh(each, most - sum, depth - 1)
    end
    if sum > most then break end
  end
  return sum
end


--- Passes a result on, and keeps it first if the client of the call gets less than all of it.
---@param call Call
---@param subject sys.policy.Subject
---@param caller table
---@param args table
---@param sources integer  the bits of its own content
---@param first any        what the tool's function returned
---@param ... any
function M.kept(call, subject, caller, args, sources, first, ...)
  if memory.left then require("sessions.calls").adopt(call, subject) end
  local is_short = type(first) ~= "table" and (type(first) ~= "string" or #first < LEAST)
  if is_short or subject.kind ~= "tool" or weigh(first, LEAST, DEPTH) < LEAST then return first, ... end
  local source, cap = policy.sent(call)
  if not source or source == "" or cap == 0 or weigh(first, cap, DEPTH) <= cap then return first, ... end
  return require("sessions.calls").long(call, subject, caller, args, sources, cap, first, ...)
end


return M
