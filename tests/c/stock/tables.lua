-- table.concat, insert, move and remove: ranges inside and outside of the table, and wrong arguments.
local compare = ...

local t = { 1, 2, 3, 4 }

for _, name in ipairs { "concat", "insert", "move", "remove", "sort" } do
  for _, v in ipairs { 0, "x", true } do
    compare("table", name, v)
    compare("table", name, v, 1, 1, 1)
  end
  compare("table", name)
  compare("table", name, nil)
  compare("table", name, setmetatable({}, { __len = function() return "no" end }), 1)
  compare("table", name, t, 1, 2, 3, 4, 5)
  for _, v in ipairs { t, {}, "x", 1.5, "2" } do compare("table", name, t, v) end
end

for i = -2, 7 do
  compare("table", "insert", t, i, "x")
  compare("table", "remove", t, i)
  compare("table", "concat", t, ",", i)
  compare("table", "concat", t, "-", 1, i)
  for j = -2, 7 do
    compare("table", "move", t, 1, 4, i)
    compare("table", "move", t, i, j, 2)
    compare("table", "move", t, i, 4, j, { 9, 9 })
  end
end

local huge = math.maxinteger
compare("table", "insert", t, 5)
compare("table", "insert", t, nil)
compare("table", "insert", t, huge, 1)
for i = 0, 2 do compare("table", "remove", {}, i) end
compare("table", "move", t, math.mininteger, 1, 2)
compare("table", "move", t, 1, huge, 2)
compare("table", "move", t, 1, 4, huge)
compare("table", "move", t, huge, huge, 1)
compare("table", "move", t, 1, 2, 1, 5)
compare("table", "concat", { 1, {}, 3 })
compare("table", "concat", { 1, 2.5, "x" }, ", ")
compare("table", "concat", t, 1)
compare("table", "concat", t, ",", 3, 2)
compare("table", "concat", t, ",", huge, huge)
compare("table", "sort", { 1, "x" })
compare("table", "sort", { {}, {} })
compare("table", "sort", { 2, 1 }, 5)
compare("table", "sort", { 1 }, 5)
