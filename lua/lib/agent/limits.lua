--- The time limits for the functions of rules and providers: an endless loop in one of their files ends the run, and the
-- message names the file and the line that ran.

local task = require "sys.task"

local limits = {}

local RULE = 60        -- seconds, the same as for a call of a tool
local PROVIDER = 1800  -- seconds: a model on the user's own server may need 900 for a reply, and be asked again in another form


--- Returns the values of fn, packed; or nil and a message if it takes too long.
local function within(seconds, name, fn, ...)
  local given, results = table.pack(...), nil
  local done, err = task.with_timeout(seconds, function()
    results = table.pack(fn(table.unpack(given, 1, given.n)))
    return true
  end, name .. "()")
  if done then return results end
  return nil, err .. ". Mend what runs there, or allow more with `timeout` in the file"
end


--- Calls a function of a rule, and raises an error if it takes too long.
---@param name string  the name of the rule
---@param rule agent.Rule
---@param key "describe"|"request"|"decide"|"results"
---@return any
function limits.rule(name, rule, key, ...)
  local results, err = within(rule.timeout or RULE, key, rule[key], ...)
  if not results then error(("the rule %s (prompts/%s.lua): %s"):format(name, name, err), 0) end
  return table.unpack(results, 1, results.n)
end


--- Asks a provider; a reply that takes too long is a failure.
---@param name string  the name of the provider
---@param provider Provider
---@param request agent.Request
---@param context agent.Context
---@return agent.Reply? reply
---@return string? err
---@return string? code
function limits.complete(name, provider, request, context)
  local results, err = within(provider.timeout or PROVIDER, "complete", provider.complete, request, context)
  if not results then return nil, ("the provider %s (providers/%s.lua): %s"):format(name, name, err), "timeout" end
  return table.unpack(results, 1, results.n)
end


return limits
