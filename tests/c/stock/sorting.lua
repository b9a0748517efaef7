-- table.sort asks for the same comparisons in the same order, and leaves the same, also for orders that are none.
local _, stock = ...

local wrapped = { __lt = function(a, b) return a.v < b.v end }
local orders = {
  less = function(a, b) return a < b end,
  more = function(a, b) return b < a end,
  tens = function(a, b) return a // 10 < b // 10 end,
  always = function() return true end,
  never = function() end,
  wrong = function(a, b) return a <= b end,
  odd = function(a, b) return (a * 7 + b * 13) % 5 < 2 end,
}
local kinds = {
  any = function(_, n) return math.random(n) end,
  few = function() return math.random(3) end,
  up = function(i) return i end,
  down = function(i) return -i end,
  text = function(_, n) return tostring(math.random(n)) end,
  meta = function(_, n) return setmetatable({ v = math.random(n) }, wrapped) end,
}

local function run(sort, list, order)
  local sorted, seen = table.move(list, 1, #list, 1, {}), {}
  local logged = order and function(a, b)
    if #seen < 3000 then seen[#seen + 1] = a .. "<" .. b end
    return order(a, b)
  end
  local ok, err = pcall(sort, sorted, logged)
  return sorted, ("%s %s %s"):format(ok, err, table.concat(seen, " "))
end

local function compare(what, list, order)
  local theirs, log = run(stock.table.sort, list, order)
  local ours, our_log = run(table.sort, list, order)
  if log ~= our_log then error(("%s\n  Lua  %s\n  ours %s"):format(what, log, our_log), 0) end
  for i = 1, #list do
    if theirs[i] ~= ours[i] then error(("%s: differs at %d"):format(what, i), 0) end
  end
end

math.randomseed(99)
for round = 1, 100 do
  local n = round < 40 and round or math.random(400)
  for kind, value in pairs(kinds) do
    local list = {}
    for i = 1, n do list[i] = value(i, n) end
    compare(kind .. " of " .. n, list)
    if kind ~= "text" and kind ~= "meta" then
      for name, order in pairs(orders) do compare(("%s of %d by %s"):format(kind, n, name), list, order) end
    end
  end
end
