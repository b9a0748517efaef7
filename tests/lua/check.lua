--- The functions that every Lua test file is written with. They print TAP; the plan comes last, so
--- a file that dies half way has no plan and counts as crashed.
---
---     local t = require "check"
---     t.case("adds", function() t.same(1 + 1, 2) end)
---     t.done()

local check = {}

-- Inside the engine's sandbox these two are not there, and reading them raises.
local debug, os = rawget(_G, "debug"), rawget(_G, "os")

local count, failed = 0, 0

local function is_word(key)
  return type(key) == "string" and key:match "^[%a_][%w_]*$"
end

local function sorted_keys(value)
  local keys = {}
  for key in pairs(value) do keys[#keys + 1] = key end
  table.sort(keys, function(a, b)
    if type(a) == type(b) and (type(a) == "number" or type(a) == "string") then return a < b end
    return type(a) == "number" and type(b) ~= "number" or tostring(a) < tostring(b)
  end)
  return keys
end

--- A value as Lua would write it, on one line.
---@param value any
---@param depth? integer
---@return string
function check.show(value, depth)
  depth = depth or 0
  if type(value) == "string" then return (("%q"):format(value):gsub("\\\n", "\\n")) end
  if type(value) ~= "table" then return tostring(value) end
  if depth > 6 then return "{...}" end
  local parts, length = {}, #value
  for i = 1, length do parts[i] = check.show(value[i], depth + 1) end
  for _, key in ipairs(sorted_keys(value)) do
    if not (math.type(key) == "integer" and key >= 1 and key <= length) then
      local name = is_word(key) and key or "[" .. check.show(key, depth + 1) .. "]"
      parts[#parts + 1] = name .. " = " .. check.show(value[key], depth + 1)
    end
  end
  return #parts == 0 and "{}" or "{ " .. table.concat(parts, ", ") .. " }"
end

-- Two long texts, from where they differ on.
local function text_difference(got, want, path)
  local at = 1
  while got:byte(at) == want:byte(at) do at = at + 1 end
  return ("%s differs at byte %d: is %s (of %d bytes), expected %s (of %d)"):format(path, at,
    check.show(got:sub(at, at + 80)), #got, check.show(want:sub(at, at + 80)), #want)
end

--- Where two values differ first; nil when they do not. Integers and floats of the same value are different.
local function difference(got, want, path)
  if type(got) == "table" and type(want) == "table" and not rawequal(got, want) then
    for _, key in ipairs(sorted_keys(want)) do
      local at = is_word(key) and path .. "." .. key or path .. "[" .. check.show(key) .. "]"
      local where = difference(got[key], want[key], at)
      if where then return where end
    end
    for _, key in ipairs(sorted_keys(got)) do
      if want[key] == nil then
        return ("%s has the extra key %s = %s"):format(path, check.show(key), check.show(got[key]))
      end
    end
    return nil
  end
  if got == want and math.type(got) == math.type(want) then return nil end
  if type(got) == "string" and type(want) == "string" and #got + #want > 1000 then
    return text_difference(got, want, path)
  end
  return ("%s is %s, expected %s"):format(path, check.show(got), check.show(want))
end

local function fail(note, text)
  error({ failure = note and note .. ": " .. text or text }, 3)
end

--- Equal all the way down.
function check.same(got, want, note)
  local where = difference(got, want, "value")
  if where then fail(note, where) end
end

--- True (or anything that is not nil or false).
function check.ok(value, note)
  if not value then fail(note, "expected something true, got " .. tostring(value)) end
  return value
end

--- The text matches the Lua pattern.
function check.match(text, pattern, note)
  if type(text) ~= "string" or not text:find(pattern) then
    fail(note, ("%s does not match %s"):format(check.show(text), check.show(pattern)))
  end
end

--- The text holds the part, letter for letter.
function check.has(text, part, note)
  if type(text) ~= "string" or not text:find(part, 1, true) then
    fail(note, ("%s does not hold %s"):format(check.show(text), check.show(part)))
  end
end

function check.hasnt(text, part, note)
  if type(text) ~= "string" or text:find(part, 1, true) then
    fail(note, ("%s holds %s"):format(check.show(text), check.show(part)))
  end
end

--- The function raises, and what it raises matches the pattern. Gives that text.
function check.raises(fn, pattern, note)
  local ok, err = pcall(fn)
  if ok then fail(note, "expected an error, none was raised") end
  local text = type(err) == "table" and err.failure or tostring(err)
  if pattern and not text:find(pattern) then
    fail(note, ("the error %s does not match %s"):format(check.show(text), check.show(pattern)))
  end
  return text
end

--- Ends the running case as skipped; the text says what is missing.
function check.skip(why)
  error({ skip = why }, 0)
end

--- Lines of comment in the output.
function check.note(text)
  for line in (tostring(text) .. "\n"):gmatch "(.-)\n" do print("# " .. line) end
end

--- The line of the test file that is being run.
local function place()
  if not debug then return "" end
  for level = 3, 12 do
    local info = debug.getinfo(level, "Sl")
    if info and info.currentline > 0 and not info.short_src:find "check%.lua$" then
      return ("\nat %s:%d"):format(info.short_src, info.currentline)
    end
  end
  return ""
end

local function caught(err)
  if type(err) ~= "table" then return { failure = debug and debug.traceback(err, 2) or tostring(err) } end
  if err.failure then err.failure = err.failure .. place() end
  return err
end

--- One test. The case passes when nothing is raised.
---@param name string   what behaves how
---@param fn function
function check.case(name, fn)
  count = count + 1
  name = name:gsub("#", "no.")
  local ok, err = xpcall(fn, caught)
  if ok then
    print(("ok %d - %s"):format(count, name))
  elseif err.skip then
    print(("ok %d - %s # SKIP %s"):format(count, name, err.skip))
  else
    failed = failed + 1
    print(("not ok %d - %s"):format(count, name))
    check.note(err.failure)
  end
end

--- The plan; the process ends with 1 when a case failed or there was none.
function check.done()
  print("1.." .. count)
  local bad = failed > 0 or count == 0
  if os then os.exit(not bad, true) end
  if bad then error(failed .. " of " .. count .. " failed", 0) end
end

return check
