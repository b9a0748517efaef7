--- The arguments of the runs that were made last, for questions about what they do.

local policy = require "sys.policy"

local M = {}

local MOST = 64   -- runs

local given, order, at = {}, {}, 0


--- Keeps the arguments of a run: of the outermost call, which stands for all that are made by it.
---@param call Call
---@param args table
function M.note(call, args)
  local root = policy.root(call)
  if given[root] then return end
  at = at % MOST + 1
  if order[at] then given[order[at]] = nil end
  given[root], order[at] = args, root
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
