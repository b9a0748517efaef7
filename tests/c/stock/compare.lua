-- compare(lib, name, ...) calls a function of Lua's and the sandbox's in the same words, on tables of their own,
-- and raises unless both give or raise the same and leave the same.
local stock = ...
assert(stock.string.find ~= string.find)

local function show(...)
  local values = table.pack(...)
  for i = 1, values.n do
    local value, items = values[i], {}
    if type(value) == "string" then
      values[i] = ("%q"):format(value)
    elseif type(value) == "table" then
      for k, v in pairs(value) do items[#items + 1] = tostring(k) .. "=" .. (type(v) == "table" and "{}" or tostring(v)) end
      stock.table.sort(items)
      values[i] = "{" .. stock.table.concat(items, " ") .. "}"
    else
      values[i] = tostring(value)
    end
  end
  return stock.table.concat(values, ",")
end

local function call(lib, name, ...)
  local results = table.pack(lib[name](...)) -- no tail call: messages name the line
  if name ~= "gmatch" then return table.unpack(results, 1, results.n) end
  local all, next = {}, results[1]
  for _ = 1, 50 do
    local captures = table.pack(next())
    if captures[1] == nil then break end
    all[#all + 1] = show(table.unpack(captures, 1, captures.n))
  end
  return stock.table.concat(all, ";")
end

local function outcome(libs, lib, name, ...)
  local args = table.pack(...)
  for i = 1, args.n do
    if type(args[i]) == "table" and lib == "table" and rawlen(args[i]) > 0 then
      args[i] = stock.table.move(args[i], 1, #args[i], 1, {})
    end
  end
  local text = show(pcall(call, libs[lib], name, table.unpack(args, 1, args.n)))
  if name == "remove" then text = text:gsub("#1 (to '.-' %(position)", "#2 %1") end -- Lua 5.4.4 has it wrong
  return text .. (lib == "table" and " leaves " .. show(table.unpack(args, 1, args.n)) or "")
end

local function compare(lib, name, ...)
  local theirs, ours = outcome(stock, lib, name, ...), outcome(_G, lib, name, ...)
  if theirs ~= ours then
    error(("%s.%s(%s)\n  Lua  %s\n  ours %s"):format(lib, name, show(...), theirs, ours), 0)
  end
end

return compare
