-- Random patterns on random texts: string.find, match, gmatch and gsub give and raise what Lua's give and raise.
local compare = ...

local parts = { "a", "b", "c", ".", "%a", "%d", "%s", "%w", "%A", "%z", "%x", "%.", "%%", " ", "1", "-", "*",
  "+", "?", "*", "+", "?", "-", "^", "$", "(", ")", "()", "(", ")", "(.-)", "(a*)", "%1", "%2", "%0", "%b()",
  "%bab", "%b", "%f", "%f[%w]", "%f[^a]", "[", "]", "[abc]", "[^ab]", "[a-c]", "[%a-]", "[]]", "[^]]",
  "[%]]", "[a-", "[%", "[", "%", "\0", "[\0]", "\255", "[\200-\255]", "x", "(%w+)=(%w+)" }
local letters = { "a", "b", "c", "aa", "ab", "(", ")", "()", " ", "1", "=", "%", "\0", "\255", ".", "]", "-", "x=1" }
local templates = { "", "x", "%0", "%1", "%2", "<%0%%>", "%", "%9", "%a", "a%1b%0", 7 }

local function some(from, most)
  local t = {}
  for i = 1, math.random(0, most) do t[i] = from[math.random(#from)] end
  return table.concat(t)
end

local function replacement(...)
  local v = ...
  if select("#", ...) > 1 or v == "" then return nil end
  if v == "a" then return false end
  return v == "b" and 12.5 or "[" .. tostring(v) .. "]"
end

math.randomseed(20240607)
for _ = 1, 30000 do
  local s, p = some(letters, 10), some(parts, 6)
  local init = math.random(4) == 1 and math.random(-14, 14) or nil
  compare("string", "find", s, p, init, math.random(12) == 1)
  compare("string", "match", s, p, init)
  compare("string", "gmatch", s, p, init)
  compare("string", "gsub", s, p, templates[math.random(#templates)], math.random(5) == 1 and math.random(-1, 4) or nil)
  compare("string", "gsub", s, p, { a = "A", aa = 1, b = false, [1] = "one" })
  compare("string", "gsub", s, p, replacement)
end
