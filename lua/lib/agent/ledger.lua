--- Judges a call by those made so far: whether it is a repeat, may be retried, or follows a failure that was never resolved.

local json = require "sys.json"

local ledger = {}

--- Writes the value as JSON with sorted keys, so that equal values give equal text.
local function canonical(value)
  if type(value) ~= "table" or next(value) == nil then return json.encode(value) or "?" end
  local parts = {}
  if json.is_array(value) then
    for i, item in ipairs(value) do parts[i] = canonical(item) end
    return "[" .. table.concat(parts, ",") .. "]"
  end
  for key, item in pairs(value) do parts[#parts + 1] = json.encode(tostring(key)) .. ":" .. canonical(item) end
  table.sort(parts)
  return "{" .. table.concat(parts, ",") .. "}"
end


--- Returns a key that is equal for two calls that do the same.
---@param tool string
---@param arguments table
---@return string
function ledger.key(tool, arguments)
  return tool .. " " .. canonical(arguments)
end


--- Returns the latest call of the tool with the same arguments, and true if another call succeeded after it.
---@param calls agent.Call[]
---@param tool string
---@param arguments table
---@return agent.Call? call
---@return boolean changed
function ledger.same(calls, tool, arguments)
  local key, changed = ledger.key(tool, arguments), false
  for i = #calls, 1, -1 do
    local call = calls[i]
    if ledger.key(call.tool, call.arguments) == key then return call, changed end
    changed = changed or not call.failed
  end
  return nil, changed
end


--- Counts the failures of the tool since it last succeeded.
---@param calls agent.Call[]
---@param tool string
---@return integer
function ledger.failures(calls, tool)
  local count = 0
  for i = #calls, 1, -1 do
    if calls[i].tool == tool then
      if not calls[i].failed then break end
      count = count + 1
    end
  end
  return count
end


--- Returns the newest failed call that nothing made good: the same tool did not succeed afterwards, nor, if the tool only reads,
--- any other one.
---@param calls agent.Call[]
---@param tools agent.Tool[]
---@return agent.Call?
function ledger.unresolved(calls, tools)
  local settled, succeeded = {}, false
  for i = #calls, 1, -1 do
    local call = calls[i]
    if not call.failed then
      settled[call.tool], succeeded = true, true
    elseif not settled[call.tool] then
      local tool = ledger.tool(tools, call.tool)
      local reads = tool ~= nil and (tool.annotations or {}).readOnlyHint == true
      if not (reads and succeeded) then return call end
    end
  end
end


--- Returns how a run ends that the model ended with these words. It is a success only if it was seen to do something, and if
--- nothing that it did failed for good.
---@param state agent.State
---@param said string
---@return agent.Stop
function ledger.ending(state, said)
  if #state.calls == 0 then
    return { ok = false, reason = "nothing_done", message = "The model ended the run without calling a tool: " .. said }
  end
  local broken = ledger.unresolved(state.calls, state.tools)
  if broken then
    return { ok = false, reason = "tool_error",
      message = ("The model ended the run, but %s failed: %s"):format(broken.line, broken.text) }
  end
  return { ok = true, reason = "done", message = said }
end


--- Counts how many of the newest calls are this one, each with the same answer.
---@param calls agent.Call[]
---@param tool string
---@param arguments table
---@return integer
function ledger.streak(calls, tool, arguments)
  local key, count = ledger.key(tool, arguments), 0
  for i = #calls, 1, -1 do
    local call = calls[i]
    if ledger.key(call.tool, call.arguments) ~= key or call.text ~= calls[#calls].text then break end
    count = count + 1
  end
  return count
end


--- Returns the tool of this name.
---@param tools agent.Tool[]
---@param name string
---@return agent.Tool?
function ledger.tool(tools, name)
  for _, tool in ipairs(tools) do
    if tool.name == name then return tool end
  end
end


---@param tools agent.Tool[]
---@return string[]
function ledger.names(tools)
  local names = {}
  for i, tool in ipairs(tools) do names[i] = tool.name end
  return names
end


return ledger
