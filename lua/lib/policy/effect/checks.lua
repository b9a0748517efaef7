--- Checks what a rule, or a question about one, says of an effect: names and values that nothing has would never fit.

local json  = require "sys.json"
local kinds = require "policy.effect.kinds"
local words = require "policy.words"

local M = {}

-- Facts that are true or false.
local FLAGS = { "terminal", "paste", "own_clipboard", "shell", "granted", "own", "obeyed", "arguments", "program",
  "destructive", "reads" }

-- Facts of which not every text is a value.
local POSSIBLE = { keys = true, host = true, role = true }

local by_name, flags = {}, {}
for _, kind in ipairs(kinds) do by_name[kind.name] = kind end
for _, name in ipairs(FLAGS) do flags[name] = true end


local function list_of(text)
  local list = {}
  for word in (text or ""):gmatch "%S+" do list[#list + 1] = word end
  return list
end


local function question(word, known) return require("nearest").question(word, known, "; ") end


local function has(list, word)
  for _, each in ipairs(list) do
    if each == word then return true end
  end
  return false
end


--- "the effect mail has no 'terminal': it has to, host, text"
local function check_name(name, effect, more)
  local known = list_of(by_name[effect].has .. " " .. (more or ""))
  if has(known, name) then return end
  return ("the effect %s has no '%s': it has %s%s"):format(effect, name, table.concat(known, ", "), question(name, known))
end


local function check_hows(value, effects)
  local known = {}
  for _, effect in ipairs(effects) do table.move(list_of(by_name[effect].hows), 1, 99, #known + 1, known) end
  for _, word in ipairs(type(value) == "table" and value or { value }) do
    local is, fits = words.any(tostring(word)), false
    for _, each in ipairs(known) do fits = fits or is(each) end
    if not fits then
      return ("not \"%s\"; one of %s%s"):format(tostring(word), table.concat(known, ", "), question(tostring(word), known))
    end
  end
end


--- The error in a fact that a rule tests.
---@param name string
---@param value any
---@param effects string|string[]  those that the rule is about
---@return string? err
function M.wrong(name, value, effects)
  effects = type(effects) == "table" and effects or { effects }
  if name == "how" then return check_hows(value, effects) end
  for _, effect in ipairs(effects) do
    local err = check_name(name, effect)
    if err then return err end
  end
  if flags[name] and type(value) ~= "boolean" then
    return "expected true or false, not " .. (type(value) == "string" and ("%q"):format(value) or "a " .. type(value))
  end
  if not flags[name] and type(value) ~= "string" and type(value) ~= "table" then
    return ("expected text, not %s"):format(tostring(value))
  end
  if POSSIBLE[name] then return require("policy.possible").wrong(name, value) end
end


-- Further words about an effect that is only thought of.
local BESIDE = "how app from via "

-- Facts of which there may be several.
local LISTS = { paths = true, url = true, argv = true, to = true, host = true, env = true, files = true, recipients = true,
  app = true, from = true, via = true, args = true }

local NUMBERS = { x = true, y = true, port = true }


---@param effect string
---@param name string
---@return table schema
local function schema_of(effect, name)
  if flags[name] then return { type = "boolean" } end
  if NUMBERS[name] then return { type = "number" } end
  if effect == "input" and name == "path" then return { type = "array", items = { type = "object" } } end   -- points
  return LISTS[name] and { type = "array", items = { type = "string" } } or { type = "string" }
end


--- The schema of what `perigee policy explain` is told of an effect.
---@param effect string
---@return table
function M.schema(effect)
  local properties = {}
  for _, name in ipairs(list_of(BESIDE .. by_name[effect].has .. " " .. (by_name[effect].takes or ""))) do
    properties[name] = schema_of(effect, name)
  end
  return { type = "object", properties = properties, additionalProperties = false }
end


--- The error in what it is told.
---@param effect string
---@param args table
---@return string? err
function M.unknown(effect, args)
  for name, value in pairs(args) do
    local err = check_name(name, effect, BESIDE .. (by_name[effect].takes or ""))
    if err then return err end
    if flags[name] and type(value) ~= "boolean" then
      return ("%s: expected true or false, not %q"):format(name, tostring(value))
    end
    local ok, wrong = json.check(schema_of(effect, name), LISTS[name] and type(value) == "string" and { value } or value)
    if not ok then return ("%s: %s"):format(name, wrong) end
    err = name == "how" and check_hows(value, { effect })
    if err then return "how: " .. err end
  end
end


return M
