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


--- Returns the newest failed call whose tool did not succeed afterwards.
---@param calls agent.Call[]
---@return agent.Call?
function ledger.unresolved(calls)
  local settled = {}
  for i = #calls, 1, -1 do
    local call = calls[i]
    if not settled[call.tool] then
      if call.failed then return call end
      settled[call.tool] = true
    end
  end
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
