--- Decides whether a caller may be told of a window or an application beside what it asked for: in notices, in effects of its
--- input, in errors that list what else is there. It may where the policy lets it call the tool that tells the same, without a
--- question (src/registry/call/gate.h).

local facts  = require "policy.facts"
local policy = require "sys.policy"

local NONE = {}


local function names_in(lines)
  local list = {}
  for name in lines:gmatch "[^\n]+" do list[#list + 1] = name end
  return list
end


--- The applications, looked up only where a rule is about them.
---@param of? string|{pid: integer, started?: integer, app?: string}
---@return policy.Apps?
local function apps_of(of)
  if type(of) == "string" then return { names_in(of) } end
  if not of or of.pid == 0 then return nil end
  return require("policy.apps").of_window(of)
end


--- The tool where it is not offered, because the user chose other toolsets: it is judged as the one that comes with the engine.
---@param tool string
---@return sys.policy.Subject
local function not_here(tool)
  return { kind = "tool", name = tool, toolset = "desktop", label = "", mounted = false, shipped = true, aliases = {},
    annotations = { readOnlyHint = true } }
end


---@param decide function|string  the policy's function (policy/compile.lua); a string: why there is none
---@param caller table
---@param call? Call
---@param tool string  the one that tells the same
---@param of? string|{pid: integer, started?: integer, app?: string}  names of the application, one a line, or a window or an
---  application as the system tells of it; nil: it is not known
---@return boolean
local function shows(decide, caller, call, tool, of)
  if type(decide) ~= "function" then return false end
  local subject = policy.subject("tool", tool) or not_here(tool)
  local told = facts.new(subject, caller, call, nil, NONE)
  function told.apps() return apps_of(of) end
  local rule = decide(subject, caller, call, nil, NONE, told)
  if rule.verdict ~= "ask" then return rule.verdict == "allow" end
  return require("policy.approvals").covers(require("policy.capability").of(rule, told), caller) ~= nil
end


return shows
