--- The facts about a call that a rule may use. Most are worked out, and their code loaded, only when a rule needs them, because
--- every call of every process pays for the files that this one requires.

---@class policy.Facts
---@field subject table
---@field caller table
---@field args table
---@field uri? string
---@field led? string[]      the result of via(), after its first call
---@field at? table          the result of placed(), likewise
---@field about? policy.Apps|false  the result of apps(); false: it is not known
---@field about_as? string  for a call that another tool stands for: the tool as which it is about an application
---@field started? boolean  the result of program(), after its first call
---@field copied? string[]   the result of sources(), if given beforehand
---@field asked? string    the last question about sources
---@field found? string[]  the sources that answered it
---@field marked? boolean
local M = {}
M.__index = M

local policy = require "sys.policy"

local provenance, target   -- loaded when a rule needs them


local DEPTH = 8   -- levels of arguments

--- The arguments as a mounted server gets them: our URIs of its resources, b+file:///x, are its own ones there.
local function as_sent(scheme, value, depth)
  local uris = require "gateway.uris"
  if type(value) == "string" then return uris.theirs(scheme, value) end
  if type(value) ~= "table" or depth == 0 then return value end
  local copy = {}
  for key, each in pairs(value) do copy[key] = as_sent(scheme, each, depth - 1) end
  return copy
end


local function copy_of(args)
  local copy = {}
  for name, value in pairs(args) do copy[name] = value end
  return copy
end


--- The own names of parameters that have another one, by the other; false: none has.
---@param subject table
---@return table<string, string>|false
local function other_names(subject)
  if subject.also == nil then
    local also = subject.input and require("schema").other_names(subject.input)
    subject.also = also and next(also) and also or false
  end
  return subject.also
end


--- The arguments under the parameters' own names. Those of a call that is not made yet may have other ones
--- (schema.also_called()).
---@param also table<string, string>
---@param args table
local function own_named(also, args)
  local named = args
  for other, own in pairs(also) do
    if args[other] ~= nil then
      named = named == args and copy_of(args) or named
      named[other], named[own] = nil, named[own] == nil and args[other] or named[own]
    end
  end
  return named
end


---@param subject table
---@param caller table
---@param call? Call   nil: the call is not made (`perigee policy explain`)
---@param uri? string
---@param args table
---@return policy.Facts
function M.new(subject, caller, call, uri, args)
  local also = other_names(subject)
  if also then args = own_named(also, args) end
  if subject.mounted then args = as_sent(require("gateway.uris").scheme(subject.toolset, {}), args, DEPTH) end
  return setmetatable({ subject = subject, caller = caller, call = call, uri = uri, args = args }, M)
end


--- These arguments under all names of their parameters: a rule may use any.
---@param args table
---@return table
function M:by_each_name(args)
  local also = other_names(self.subject)
  if not also then return args end
  local named = copy_of(args)
  for other, own in pairs(also) do named[other] = named[own] end
  return named
end


--- The kinds of the arguments, as the tool's file declares them. nil: it does not, or others wrote it and may say anything.
---@return table?
function M:kinds()
  if self.subject.trust ~= "foreign" and not self.about_as then return self.subject.about end
end


--- The arguments with relative paths where they start, if the tool's file declares paths; others as they are.
---@return table
function M:placed()
  if not self.at then
    local about, declared = self:kinds(), require "policy.declared"
    self.at = declared.has(about, declared.PATHS) and require("policy.relative").placed(about, self.args) or self.args
  end
  return self.at
end


function M:via()
  self.led = self.led or self.call and self.call:via() or {}
  return self.led
end


---@return policy.Apps?
function M:apps()
  if self.about == nil then
    target = target or require "policy.target"
    self.about = target.apps(self.about_as and policy.subject("tool", self.about_as) or self.subject, self.args) or false
  end
  return self.about or nil
end


--- True if open_application starts a program that is not an application of the desktop.
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


--- The key of a question about sources, so that two rules with the same question cost one search.
---@param own_paths boolean  paths that the caller gave first do not count
---@param only? string|string[]  the arguments that are searched; nil: all
---@return string
function M.question(own_paths, only)
  return (own_paths and "own " or "all ") .. (type(only) == "table" and table.concat(only, " ") or only or "")
end


---@param own_paths boolean
---@param only? string|string[]
---@param question string  the key of both
---@return string[]
function M:sources(own_paths, only, question)
  if self.copied then return self.copied end
  if self.asked ~= question then
    provenance = provenance or require "policy.provenance"
    local all = { self.args, self.subject.mounted and self:chosen_uri() or nil }
    local found = provenance.of(self.caller, only and some_of(self:by_each_name(self.args), only) or all, own_paths, self.subject,
      self.call and policy.given(self.call, provenance.server(self.subject)) or 0)
    self.asked, self.found = question, found
    if found[1] then self.marked = true end
  end
  return self.found
end


--- The URI, unless it is one that a mounted server lists: it says nothing to the server.
---@return string?
function M:chosen_uri()
  if not (self.subject.mounted and self.uri == self.subject.uri) then return self.uri end
end


--- The hosts in the arguments, also those that only text from outside shows to be hosts; false for one that cannot be told.
---@return (string|false)[]
function M:hosts()
  if not self.its_hosts then
    provenance = provenance or require "policy.provenance"
    local hosts, uri = require "policy.hosts", self:chosen_uri()
    local list = hosts.of(self.args, self:kinds())
    for _, host in ipairs(hosts.of { uri = uri }) do list[#list + 1] = host end
    for _, host in ipairs(provenance.hosts(self.caller, { self.args, uri = uri }, self.subject)) do list[#list + 1] = host end
    self.its_hosts = list
  end
  return self.its_hosts
end


--- True if all hosts in the arguments are such that the caller named before.
function M:known_host()
  provenance = provenance or require "policy.provenance"
  return provenance.named(self.caller, self:hosts(), self.call)
end


--- True if a rule's search found text from outside in the arguments.
function M:is_marked() return self.marked == true end


--- The facts as a table for a function of the policy.
function M:table()
  return { kind = self.subject.kind, tool = self.subject.kind == "tool" and self.subject.name or nil, name = self.subject.name,
    toolset = self.subject.toolset, mounted = self.subject.mounted, trust = self.subject.trust,
    annotations = self.subject.annotations, args = self:by_each_name(self.args), uri = self.uri, caller = self.caller,
    via = self:via() }
end


return M
