--- Checks the values that rules and providers return, so that a mistake is reported with the name of their file and not as a
-- traceback of the loop. lua/types/agent.lua has the types.

local keys    = require "keys"
local nearest = require "nearest"

local M = {}

--- Field -> its type; "!" in front means that the field is required.
local DECISION = { messages = "table", calls = "table", parallel = "boolean", notes = "table", stop = "table" }
local MESSAGE  = { role = "!string", text = "string", tool_calls = "table", results = "table", native = "table",
  images = "table" }
local NATIVE   = { provider = "!string", value = "!table" }
local MADE     = { id = "!string", name = "!string", arguments = "table", malformed = "string" }
local RESULT   = { id = "!string", name = "!string", text = "!string", failed = "boolean", images = "table" }
local IMAGE    = { data = "!string", mime_type = "!string" }
local CALL     = { id = "!string", tool = "!string", arguments = "!table", line = "!string" }
local NOTE     = { kind = "!string", text = "!string" }
local STOP     = { ok = "!boolean", reason = "!string", message = "!string" }
local REQUEST  = { system = "string", messages = "!table", tools = "table", max_tokens = "number" }
local TOOL     = { name = "!string", title = "string", description = "string", inputSchema = "table" }
local SCHEMA   = { properties = "table" }
local REPLY    = { text = "string", tool_calls = "table", stop = "string", usage = "table", model = "string", note = "string",
  native = "table" }
local USAGE    = { input = "number", output = "number" }
local WANTED   = { id = "string", name = "!string", arguments = "table", malformed = "string" }

--- The fields for each role of a message; one of them is required.
local ROLES    = { user = { "text" }, assistant = { "text", "tool_calls", "native" }, tool = { "results" } }
local STOPS    = { "end", "tool_calls", "length" }


--- Says what is wrong with `value` as such a table; nil if nothing is. An unknown field is wrong only in `closed` tables: calls
-- and messages may carry what the rule wants to find in them again.
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


--- Says what is wrong with `list` as a list of such tables; nil if nothing is, or there is no list. ipairs() alone would skip
-- keys that do not belong to the list.
local function wrong_items(list, fields, path)
  for key in pairs(list or {}) do
    if math.type(key) ~= "integer" or key < 1 or key > #list then
      return ("%s must be a list, and it has the key %q"):format(path, key)
    end
  end
  for i = 1, #(list or {}) do
    local problem = wrong(list[i], fields, ("%s[%d]"):format(path, i))
    if problem then return problem end
  end
end


--- Says what is wrong with a name that is not among the known ones.
local function wrong_name(name, names, path)
  for _, known in ipairs(names) do
    if name == known then return end
  end
  return ("%s is %q%s"):format(path, name, nearest.question(name, names, "; "))
end


--- Checks a message of a model's API that is kept to be sent back unchanged.
local function wrong_native(native, path)
  return native and wrong(native, NATIVE, path .. ".native")
end


local function wrong_message(message, path)
  local problem = wrong_name(message.role, keys.sorted(ROLES), path .. ".role")
  if problem then return problem end
  local has, wanted = false, ROLES[message.role]
  for _, field in ipairs(wanted) do has = has or message[field] ~= nil end
  if not has then return ("%s (role %q) needs %s"):format(path, message.role, table.concat(wanted, " or ")) end
  return wrong_items(message.tool_calls, MADE, path .. ".tool_calls")
    or wrong_items(message.results, RESULT, path .. ".results")
    or wrong_items(message.images, IMAGE, path .. ".images")
    or wrong_native(message.native, path)
end


local function wrong_messages(list, path)
  if type(list) ~= "table" then return ("%s must be a list of messages, not %s"):format(path, type(list)) end
  local problem = wrong_items(list, MESSAGE, path)
  for i, message in ipairs(list) do
    problem = problem or wrong_message(message, ("%s[%d]"):format(path, i))
  end
  return problem
end


--- Checks the tools of a request: a rule may send others than the servers list.
local function wrong_listed(tools)
  local problem = wrong_items(tools, TOOL, "tools")
  for i, tool in ipairs(tools or {}) do
    problem = problem or tool.inputSchema and wrong(tool.inputSchema, SCHEMA, ("tools[%d].inputSchema"):format(i))
  end
  return problem
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
  if problem then
    error(("the rule %s (prompts/%s.lua): %s() returned what the agent cannot use: %s"):format(rule, rule, name, problem), 0)
  end
end


--- Raises an error that names the rule, unless the decision is well formed.
---@param rule string  the name of the rule
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
  refuse(rule, "request", wrong(request, REQUEST, "the request", true) or wrong_messages(request.messages, "messages")
    or wrong_listed(request.tools))
  return request
end


--- Says what is wrong with the return values of a provider's complete(), naming the provider; nil if nothing is.
---@param provider string  the name of the provider
---@param reply agent.Reply?
---@param err? string
---@return string?
function M.reply_problem(provider, reply, err)
  local problem
  if reply == nil then
    problem = type(err) ~= "string" and "nil without a message. Report a failure with `return nil, message, code`"
  else
    problem = wrong(reply, REPLY, "the reply") or wrong_items(reply.tool_calls, WANTED, "tool_calls")
      or wrong_name(reply.stop or "end", STOPS, "the reply.stop") or reply.usage and wrong(reply.usage, USAGE, "usage")
      or wrong_native(reply.native, "the reply")
      or not (reply.text or reply.tool_calls) and "the reply has neither text nor tool_calls"
  end
  return problem and ("the provider %s (providers/%s.lua): complete() returned what the agent cannot use: %s")
    :format(provider, provider, problem) or nil
end


---@param rule string
---@param text string
---@return string
function M.description(rule, text)
  refuse(rule, "describe", type(text) ~= "string" and "the description must be a string, not " .. type(text) or nil)
  return text
end


return M
