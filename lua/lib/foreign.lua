--- Makes a tool from the declaration of a foreign file (src/registry/foreign.h). The file's text is never compiled here: each
--- call runs it in a jailed process of its own, which ends with the call.

local engine = require "sys.engine"
local log    = require "sys.log"
local task   = require "sys.task"

local RESULTS = 4   -- a value, or nil, message, code and _meta

local M = {}


--- Returns the results of the file's function, as if it had been called here.
local function results_of(returned, call)
  if type(returned) ~= "table" or math.type(returned.n) ~= "integer" then
    return nil, "Its process gave no result.", "bad_frame"
  end
  if returned.whole then return call:result(returned[1]) end
  return table.unpack(returned, 1, math.max(0, math.min(returned.n, RESULTS)))
end


--- Returns the handler of a foreign tool.
---@param text string   the text of its file
---@param label string
---@param root integer
---@return fun(args: table, call: Call): any ...
function M.handler(text, label, root)
  return function(args, call)
    local result, err, code, output = engine.run_lua(text, { name = label, root = root, tool = call.tool,
      toolset = call.toolset, call = call, args = { args = args }, timeout = math.max(0.001, math.min(task.remaining(), 86400)) })
    output = result and result.output or output
    if output and output ~= "" then log.info(("%s: %s"):format(label, output)) end
    if not result then
      local first = err:match "^(.-)\nstack traceback:" or err
      if first ~= err then log.error(("%s: %s"):format(label, err)) end
      return nil, ("%s failed: %s"):format(call.tool, first), code
    end
    return results_of(result.value, call)
  end
end


--- A function in place of a wrong value, so that the error names the field.
local function stray() end


---@param declared {type: string, tool?: table, functions?: string[]}   from its process, which is not trusted
---@param text string
---@param label string
---@param root integer
---@return table tool
function M.adopt(declared, text, label, root)
  local tool = type(declared) == "table" and declared.tool
  if type(tool) ~= "table" then
    error(("it must return a table, not %s"):format(type(declared) == "table" and tostring(declared.type) or "nothing"), 0)
  end
  tool.run = nil
  for _, name in ipairs(type(declared.functions) == "table" and declared.functions or {}) do
    tool[name] = name == "run" and M.handler(text, label, root) or stray
  end
  tool.stands_for = nil   -- the policy would call it in the engine
  tool.trust = "foreign"
  return tool
end


return M.adopt
