--- The runs that were made last: their arguments, for questions about what they do, and what the user allowed them.

local policy = require "sys.policy"

local M = {}

local MOST = 64   -- runs

local given, allowed, order, at = {}, {}, {}, 0


--- Makes room for a run: the outermost call stands for all that are made by it.
local function enter(root)
  at = at % MOST + 1
  if order[at] then given[order[at]], allowed[order[at]] = nil, nil end
  allowed[root], order[at] = {}, root
end


--- Keeps the arguments of a run.
---@param call Call
---@param args table
function M.note(call, args)
  local root = policy.root(call)
  if given[root] then return end
  if not allowed[root] then enter(root) end
  given[root] = args
end


--- The kind of deed that an answer is about: to the hosts that it named, if it is about hosts, and not by a program that runs
--- what it is given, if it named none.
local function way_of(rule, effect)
  local way = { tostring(effect:fact "shell") }
  for _, host in ipairs(rule.asks_of_host and effect:hosts() or {}) do way[#way + 1] = tostring(host) end
  return table.concat(way, "\0")
end


--- Notes that the user allowed a run what a rule asks about.
---@param call Call
---@param rule policy.Rule
---@param effect policy.Effect
function M.allow(call, rule, effect)
  local root = policy.root(call)
  if not allowed[root] then enter(root) end
  allowed[root][rule] = allowed[root][rule] or {}
  allowed[root][rule][way_of(rule, effect)] = true
end


--- Notes that the user refused a run what a rule asks about.
---@param call Call
---@param rule policy.Rule
function M.refuse(call, rule)
  local root = policy.root(call)
  if not allowed[root] then enter(root) end
  allowed[root][rule] = {}
end


---@param call Call
---@param rule policy.Rule
---@return boolean
function M.is_refused(call, rule)
  local ways = (allowed[policy.root(call)] or {})[rule]
  return ways ~= nil and next(ways) == nil
end


---@param call Call
---@param rule policy.Rule
---@param effect policy.Effect
---@return boolean
function M.is_allowed(call, rule, effect)
  local ways = (allowed[policy.root(call)] or {})[rule]
  return ways ~= nil and ways[way_of(rule, effect)] == true
end


---@param call? Call
---@return table?
function M.args(call) return call and given[policy.root(call)] end


local function all_in(words, text)
  if type(words) ~= "table" then return type(words) ~= "string" or text:find(words, 1, true) ~= nil end
  for _, each in pairs(words) do
    if not all_in(each, text) then return false end
  end
  return true
end


local function gather(value, list)
  if type(value) == "string" then list[#list + 1] = value end
  for _, each in pairs(type(value) == "table" and value or {}) do gather(each, list) end
  return list
end


--- True if all these words are in the arguments of the run that led to a call.
---@param call? Call
---@param words any
---@return boolean
function M.has(call, words)
  local args = M.args(call)
  return args ~= nil and all_in(words, table.concat(gather(args, {}), "\n"))
end


return M
