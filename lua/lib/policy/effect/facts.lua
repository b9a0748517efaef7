--- The facts about an effect that a rule may use. Each is resolved when a rule first reads it, from what the binding is about to
--- do and from what the system tells at that moment.
--
-- A fact is nil where it is not known: such an effect fits each rule that asks or denies, and none that allows. It is false where
-- there is nothing of the kind.

local time   = require "sys.time"
local window = require "sys.window"

local M = {}

---@class policy.Effect
---@field effect string     "input", "press", ...
---@field how string        the function of the module: "type"
---@field subject table     the tool, resource or prompt that does it; for a file that does it by itself, policy.effect.nobody
---@field caller table
---@field call? Call
---@field given any[]       the function's arguments
---@field known table<string, any>  what was resolved; UNKNOWN for nil
---@field copied? string[]  the result of sources(), if given beforehand
---@field led? string[]     the result of via(), likewise
---@field asked? string     the last question about sources
---@field found? string[]   its answer
---@field marked? boolean
---@field fetches? (string|false)[]  hosts of pages that a line in a terminal runs as they come
---@field clipping? string  the clipboard's text before a question, if it may be pasted
---@field count? integer    input: how many were sent to the application when it was judged
---@field unknown? boolean  input: it cannot be told which window gets it
---@field windows? sys.window.Window[]  input: all that there were when its applications were looked up
---@field goes_to? integer  input: the window that it was judged for, by its id; nil: any
M.__index = M

local UNKNOWN = {}
local SETTLES = 2   -- seconds in which the focus is to come back after a question

local kinds = {}
for _, kind in ipairs(require "policy.effect.kinds") do kinds[kind.name] = kind end

--- The facts of each kind.
---@param effect string
---@return table<string, fun(self: policy.Effect): any>
local function resolvers(effect) return kinds[effect].facts() end


---@param effect string
---@param how string
---@param subject table
---@param caller table
---@param call? Call
---@param unknown boolean  it cannot be told which window gets the input
---@param ... any  the function's arguments
---@return policy.Effect
function M.new(effect, how, subject, caller, call, unknown, ...)
  return setmetatable({ effect = effect, how = how, subject = subject, caller = caller, call = call, unknown = unknown,
    given = { ... }, known = { how = how } }, M)
end


--- The same effect with other arguments.
---@param ... any
---@return policy.Effect
function M:with(...) return M.new(self.effect, self.how, self.subject, self.caller, self.call, self.unknown, ...) end


--- One fact.
---@param name string
---@return any value  nil: it is not known; false: there is nothing of the kind
function M:fact(name)
  local value = self.known[name]
  if value == nil then
    local resolve = resolvers(self.effect)[name]
    if resolve then value = resolve(self) else value = false end
    if value == nil then value = UNKNOWN end
    self.known[name] = value
  end
  if value == UNKNOWN then return nil end
  return value
end


---@return policy.Apps?
function M:apps()
  local list = self:fact "apps"
  if list == false then return {} end
  return list
end


---@return (string|false)[]
function M:hosts() return self:fact "host" or {} end


--- True if all hosts that it goes to are such that the caller named before. The code of the engine's own tools chooses none but
--- those of the user's settings. A server that redirects may choose any, but its own domain is as well known as it is.
function M:known_host()
  local hosts = self:fact "host"
  if not hosts then return hosts == false or hosts end
  if self:fact "is_of_domain" then return true end
  if self.subject.shipped and not self.subject.runs and not self:fact "redirected" then return true end
  return require("policy.provenance").named(self.caller, hosts, self.call)
end


--- True if it starts a program that is not an application of the desktop.
function M:program() return self:fact "program" end


function M:via() return self.led or self.call and self.call:via() or {} end


--- The sources of the text that goes out: of the effect's own, and of what the calls that led to it were given, because a program
--- that was given text may do anything with it.
---@param own_paths boolean
---@param _ any
---@param question string
---@return string[]
function M:sources(own_paths, _, question)
  if self.copied then return self.copied end
  if self.asked ~= question then
    self.asked, self.found = question, require("policy.effect.origin").of(self, own_paths)
    if self.found[1] then self.marked = true end
  end
  return self.found
end


--- The path that leads elsewhere now than when the user was asked, because somebody changed a link; nil: none does.
local function moved(self)
  for _, name in ipairs { "paths", "file", "found", "cwd" } do
    local before, resolve = self.known[name], resolvers(self.effect)[name]
    if resolve and before and before ~= UNKNOWN then
      local now = resolve(self)
      for i, path in ipairs(type(before) == "table" and before or { before }) do
        if (type(now) == "table" and now[i] or now) ~= path then return path end
      end
    end
  end
end


--- True if a program, or a script among its arguments, was written since the user was asked.
local function is_rewritten(self)
  local before, resolve = self.known.stamps, resolvers(self.effect).stamps
  if type(before) ~= "table" or not resolve or before == UNKNOWN then return false end
  return table.concat(before, " ") ~= table.concat(resolve(self), " ")
end


--- True if text from outside is in it that the run was not given: no question has shown it.
---@return boolean
function M:has_new_text()
  local origin = require "policy.effect.origin"
  return origin.own(self)[1] ~= nil and not require("policy.runs").has(self.call, origin.words(self))
end


--- The clipboard's text, for an effect that may paste it; nil: it pastes nothing.
local function clipping(self)
  local may = (self.effect == "input" or self.effect == "press") and self:fact "paste"
  if may == false then return nil end
  local clip = require("sys.clipboard").read { types = { "text/plain" } }
  return clip and clip.parts["text/plain"] or ""
end


--- Notes, before a question, what is looked at again after it: files may be written meanwhile, and the clipboard.
function M:note_before()
  if self.effect == "process" or self.effect == "start" then self:fact "stamps" end
  self.clipping = clipping(self)
end


--- True if it would still go to the same files, application and window as when the user was asked: a dialog takes the focus for
--- a while, and anybody may take it meanwhile.
---@return boolean
---@return string? why
function M:is_unchanged()
  local path = moved(self)
  if path then
    return false, ("While the user was asked, the path came to lead elsewhere than %s, so nothing was done."):format(path)
  end
  if is_rewritten(self) then
    return false, "While the user was asked, the program, or a file that it is given, was rewritten, so nothing was done."
  end
  if self.clipping and clipping(self) ~= self.clipping then
    return false, "While the user was asked, something else was copied, so nothing was pasted."
  end
  if self.effect == "input" and not require("policy.effect.typed").is_same(self) then
    return false, "While the user was asked, other input went to the same line, so nothing was sent."
  end
  local before = self.known.apps
  if before == nil or before == UNKNOWN or before == false then return true end
  local function now()
    local list = resolvers(self.effect).apps(self)
    if not list or #list ~= #before then return false end
    for i, each in ipairs(list) do
      if each[1] ~= before[i][1] or each.pid ~= before[i].pid then return false end
    end
    return true
  end
  local mark, till = window.changed(), time.monotonic() + SETTLES
  while not now() do
    local left = till - time.monotonic()
    if left <= 0 then break end
    mark = window.changed(mark, { wait = left }) or window.changed()
  end
  if now() then return true end
  return false, ("While the user was asked, %s lost the focus or its place, so nothing was sent."):format(
    before[1] and tostring(before[1][1]) or "the desktop")
end


function M:is_marked() return self.marked == true end


--- The facts for a function of the policy.
function M:table()
  local this = self
  return setmetatable({ effect = self.effect, how = self.how, tool = self.subject.kind == "tool" and self.subject.name or nil,
    caller = self.caller, via = self:via() }, { __index = function(_, name) return this:fact(name) end })
end


return M
