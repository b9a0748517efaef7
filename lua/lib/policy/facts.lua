--- What a rule may ask of a call. Most is worked out only when a rule asks, and loaded only then: every call of every
--- process pays for what this file requires.

---@class policy.Facts
---@field subject table
---@field caller table
---@field args table
---@field uri? string
---@field led? string[]      via(), once it was asked for
---@field about? policy.Apps|false  apps(); false: it cannot be told
---@field started? boolean  program(), once it was asked for
---@field copied? string[]   sources(), where they are given
---@field found? table<string, string[]>  sources(), once they were asked for, by what was asked
local M = {}
M.__index = M

local provenance, target   -- loaded when a rule asks


---@param subject table
---@param caller table
---@param call? Call   nil: it is only talked about (`perigee policy explain`)
---@param uri? string
---@param args table
---@return policy.Facts
function M.new(subject, caller, call, uri, args)
  return setmetatable({ subject = subject, caller = caller, call = call, uri = uri, args = args }, M)
end


function M:via()
  self.led = self.led or self.call and self.call:via() or {}
  return self.led
end


---@return policy.Apps?
function M:apps()
  if self.about == nil then
    target = target or require "policy.target"
    self.about = target.apps(self.subject, self.args) or false
  end
  return self.about or nil
end


--- Does open_application start a program that is not an application of the desktop?
function M:program()
  if self.started == nil then
    target = target or require "policy.target"
    self.started = target.is_program(self.subject, self.args)
  end
  return self.started
end


local function some_of(args, names)
  local some = {}
  for _, name in ipairs(type(names) == "table" and names or { names }) do some[name] = args[name] end
  return some
end


---@param own_paths boolean  paths that the caller gave first do not count
---@param only? string|string[]  the arguments that are looked at; nil: all
---@return string[]
function M:sources(own_paths, only)
  if self.copied then return self.copied end
  self.found = self.found or {}
  local key = (own_paths and "own " or "all ") .. (type(only) == "table" and table.concat(only, " ") or only or "")
  local found = self.found[key]
  if not found then
    provenance = provenance or require "policy.provenance"
    found = provenance.of(self.caller, only and some_of(self.args, only) or self.args, own_paths, self.subject)
    self.found[key] = found
  end
  return found
end


--- Was text from outside found in the arguments, as far as a rule asked?
function M:is_marked()
  for _, found in pairs(self.found or {}) do
    if #found > 0 then return true end
  end
  return false
end


--- For a function of the policy.
function M:table()
  return { kind = self.subject.kind, tool = self.subject.kind == "tool" and self.subject.name or nil, name = self.subject.name,
    toolset = self.subject.toolset, mounted = self.subject.mounted, trust = self.subject.trust,
    annotations = self.subject.annotations, args = self.args, uri = self.uri, caller = self.caller, via = self:via() }
end


return M
