--- What a rule and a provider return is checked here, so that a mistake is told by the name of their file and not by a
--- traceback of the loop. lua/types/agent.lua has the types.

local keys    = require "keys"
local nearest = require "nearest"

local M = {}

--- Field -> its type; "!" in front: it must be there.
local DECISION = { messages = "table", calls = "table", parallel = "boolean", notes = "table", stop = "table" }
local MESSAGE  = { role = "!string", text = "string", tool_calls = "table", results = "table", native = "table" }
local CALL     = { id = "!string", tool = "!string", arguments = "!table", line = "!string" }
local NOTE     = { kind = "!string", text = "!string" }
local STOP     = { ok = "!boolean", reason = "!string", message = "!string" }
local REQUEST  = { system = "string", messages = "!table", tools = "table", max_tokens = "number" }
local REPLY    = { text = "string", tool_calls = "table", stop = "string", usage = "table", model = "string", note = "string",
  native = "table" }
local TOOL_CALL = { name = "!string" }
local ROLES    = { "user", "assistant", "tool" }


--- What is wrong with `value` as such a table; nil: nothing. An unknown field is wrong in `closed` ones only: calls and
--- messages may carry what the rule wants to find in them again.
local function wrong(value, fields, path, closed)
  if type(value) ~= "table" then return ("%s must be a table, not %s"):format(path, type(value)) end
  for _, key in ipairs(keys.sorted(fields)) do
    local needed, kind = fields[key]:match "^(!?)(.*)$"
    local got = type(value[key])
    if got == "nil" and needed ~= "" then return ("%s.%s is missing"):format(path, key) end
    if got ~= "nil" and got ~= kind then return ("%s.%s must be a %s, not a %s"):format(path, key, kind, got) end
  end
  for _, key in ipairs(closed and keys.sorted(value) or {}) do
    if not fields[key] then
      return ("%s has no field %q%s"):format(path, key, nearest.question(key, keys.sorted(fields), "; "))
    end
  end
end


--- The same of each item of a list; nil: there is none.
local function wrong_items(list, fields, path)
  for i, item in ipairs(list or {}) do
    local problem = wrong(item, fields, ("%s[%d]"):format(path, i))
    if problem then return problem end
  end
end


local function wrong_messages(list, path)
  if type(list) ~= "table" then return ("%s must be a list of messages, not %s"):format(path, type(list)) end
  local problem = wrong_items(list, MESSAGE, path)
  if problem then return problem end
  for i, message in ipairs(list) do
    if not (message.role == ROLES[1] or message.role == ROLES[2] or message.role == ROLES[3]) then
      return ("%s[%d].role is %q%s"):format(path, i, message.role, nearest.question(message.role, ROLES, "; "))
    end
  end
end


local function wrong_tools(calls, tools)
  local names, known = {}, {}
  for i, tool in ipairs(tools) do names[i], known[tool.name] = tool.name, true end
  for i, call in ipairs(calls or {}) do
    if not known[call.tool] then
      return ("calls[%d].tool is %q, which no server lists%s"):format(i, call.tool, nearest.question(call.tool, names, "; "))
    end
  end
end


local function refuse(rule, name, problem)
  if problem then error(("the rule %s: %s() returned what the agent cannot use: %s"):format(rule, name, problem), 0) end
end


--- Raises, naming the rule, unless a decision is one.
---@param rule string  its name
---@param decision agent.Decision
---@param tools agent.Tool[]
---@return agent.Decision
function M.decision(rule, decision, tools)
  refuse(rule, "decide", wrong(decision, DECISION, "the decision", true)
    or decision.messages and wrong_messages(decision.messages, "messages")
    or wrong_items(decision.calls, CALL, "calls")
    or wrong_items(decision.notes, NOTE, "notes")
    or decision.stop and wrong(decision.stop, STOP, "stop", true)
    or wrong_tools(decision.calls, tools))
  return decision
end


---@param rule string
---@param messages agent.Message[]
---@return agent.Message[]
function M.results(rule, messages)
  refuse(rule, "results", wrong_messages(messages, "the results"))
  return messages
end


---@param rule string
---@param request agent.Request
---@return agent.Request
function M.request(rule, request)
  refuse(rule, "request", wrong(request, REQUEST, "the request", true) or wrong_messages(request.messages, "messages"))
  return request
end


--- What is wrong with what a provider's complete() returned, naming the provider; nil: nothing.
---@param provider string  its name
---@param reply agent.Reply?
---@param err? string
---@return string?
function M.reply_problem(provider, reply, err)
  local problem
  if reply == nil then
    problem = type(err) ~= "string" and "nil without a message. Report a failure with `return nil, message, code`"
  else
    problem = wrong(reply, REPLY, "the reply") or wrong_items(reply.tool_calls, TOOL_CALL, "tool_calls")
      or not (reply.text or reply.tool_calls) and "the reply has neither text nor tool_calls"
  end
  return problem and ("the provider %s: complete() returned what the agent cannot use: %s"):format(provider, problem) or nil
end


---@param rule string
---@param text string
---@return string
function M.description(rule, text)
  refuse(rule, "describe", type(text) ~= "string" and "the description must be a string, not " .. type(text) or nil)
  return text
end


return M
