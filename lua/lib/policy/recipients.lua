--- Recipients of a mail for a question: none of them is hidden between others.

local M = {}

local WHOLE = 100   -- that are shown; of more, those with the rarest hosts


--- The host of a mail address, in lower case.
---@param address string
---@return string
local function host_of(address) return (address:match "@([^@]*)$" or ""):lower() end


--- The addresses in the order in which they matter: those that stand out, then those at the rarest hosts.
---@param list string[]
---@param stands_out? fun(address: string): boolean
---@return string[]
function M.in_order(list, stands_out)
  local counts, ranks, at, sorted = {}, {}, {}, {}
  for _, each in ipairs(list) do counts[host_of(each)] = (counts[host_of(each)] or 0) + 1 end
  for i, each in ipairs(list) do
    local first = #list > 1 and stands_out and stands_out(each)
    ranks[each], at[each], sorted[i] = first and 0 or counts[host_of(each)], at[each] or i, each
  end
  table.sort(sorted, function(a, b)
    if ranks[a] ~= ranks[b] then return ranks[a] < ranks[b] end
    return at[a] < at[b]
  end)
  return sorted
end


--- Those that are shown, in order; of the others, how many are at which host.
---@param list string[]
---@param stands_out? fun(address: string): boolean
---@return string[]
function M.shown(list, stands_out)
  local sorted, counts, hosts = M.in_order(list, stands_out), {}, {}
  for i = WHOLE + 1, #sorted do
    local host = host_of(sorted[i])
    if not counts[host] then hosts[#hosts + 1] = host end
    counts[host], sorted[i] = (counts[host] or 0) + 1, nil
  end
  for _, host in ipairs(hosts) do sorted[#sorted + 1] = ("%d more at %s"):format(counts[host], host) end
  return sorted
end


return M
