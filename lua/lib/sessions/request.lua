--- The request of a client for a call: the arguments before references in them were replaced, and its own ids of the call.

local json   = require "sys.json"
local policy = require "sys.policy"

local M = {}

-- Members of `_meta` in which clients send the id that the model's API gave the call, or one of their own.
local IDS = { "claudecode/toolUseId", "perigee/callId", "callId", "toolCallId", "toolUseId" }


---@param source? string
---@return table params
local function params_of(source)
  local message = source and source ~= "" and json.decode(source)
  local params = type(message) == "table" and message.params
  return type(params) == "table" and params or {}
end


local function arguments_of(params)
  local arguments = params.arguments
  if type(arguments) == "string" then arguments = json.decode(arguments) end   -- as some clients write it
  return type(arguments) == "table" and not json.is_array(arguments) and arguments or nil
end


local function aliases_of(params)
  local meta, list = type(params._meta) == "table" and params._meta or {}, {}
  for _, name in ipairs(IDS) do
    if type(meta[name]) == "string" then list[#list + 1] = meta[name] end
  end
  return list
end


--- Returns the arguments as they were sent; nil: no client made the call.
---@param call Call
---@return table?
function M.arguments(call) return arguments_of(params_of((policy.sent(call)))) end


--- Returns the ids by which the client knows the call.
---@param call Call
---@return string[]
function M.aliases(call) return aliases_of(params_of((policy.sent(call)))) end


--- Returns the record of a call that begins, for sessions.records.begin().
---@param source? string  the text of the request: sys.policy.sent()
---@param subject sys.policy.Subject
---@param args? any  what the tool gets
---@return sessions.Begun
function M.record(source, subject, args)
  local params = params_of(source)
  return { tool = subject.name, arguments = arguments_of(params) or type(args) == "table" and args or nil,
    aliases = aliases_of(params), reads = subject.annotations.readOnlyHint == true }
end


return M
