--- The form of a file of curated examples: its keys and their types, and the structure of its scripts.

local example_check = require "dictionary.example_check"
local json          = require "sys.json"
local keys          = require "keys"
local nearest       = require "nearest"

local M = {}

local EXAMPLES = 1000     -- of a file
local SCRIPT   = 10000    -- bytes
local TEXT     = 1000     -- bytes of every other text
local WORDS    = 10000    -- bytes of an application's words

local FILE    = { app = TEXT, name = TEXT, words = WORDS, examples = "table" }
local EXAMPLE = { task = TEXT, command = TEXT, script = SCRIPT, call = "table" }
local CALL    = { to = TEXT, path = TEXT, interface = TEXT, member = TEXT, property = TEXT, action = TEXT, desktop = TEXT,
                  args = "table", value = "any", state = "any" }

---@class dictionary.ExampleFault
---@field message string
---@field example? integer  the place of the example that it is about
---@field task? string      its task


-- --- keys and types -----------------------------------------------------------------------------------

local function fault_of_text(key, text, most)
  if type(text) ~= "string" then return ("%s is not a string"):format(key) end
  if #text > most then return ("%s has more than %d bytes"):format(key, most) end
  if not utf8.len(text) then return ("%s is not UTF-8"):format(key) end
  return nil
end


--- Checks that a table has no other keys than these, and values of their types: a number is the greatest length of a text.
local function fault_of_keys(value, known)
  for _, key in ipairs(keys.ordered(value)) do
    local kind = known[key]
    if not kind then
      return ("unknown key %q%s"):format(tostring(key), nearest.question(tostring(key), keys.sorted(known), "; "))
    end
    local fault
    if kind == "table" then
      fault = type(value[key]) ~= "table" and ("%s is not a table"):format(key)
    elseif kind ~= "any" then
      fault = fault_of_text(key, value[key], kind)
    end
    if fault then return fault end
  end
  return nil
end


local function is_list(value)
  local count = 0
  for key in pairs(value) do
    if math.type(key) ~= "integer" or key < 1 then return false end
    count = count + 1
  end
  return count == #value
end


local function has_text(value) return value ~= nil and value:find "%S" ~= nil end


--- The first of these keys that has no text; nil if all have one.
local function missing(value, names)
  for _, name in ipairs(names) do
    if not has_text(value[name]) then return name .. " is missing" end
  end
  return nil
end


-- --- an example ---------------------------------------------------------------------------------------

local function fault_of_values(call)
  if call.args and not is_list(call.args) then return "call.args is not a list" end
  for _, key in ipairs { "args", "value", "state" } do
    local _, err = json.encode(call[key])
    if err then return ("call.%s%s"):format(key, err:gsub("^: ", " ")) end
  end
  return nil
end


--- Says what a call lacks to name a member.
local function fault_of_target(call)
  if call.desktop then return missing(call, { "desktop", "action" }) and "call.action of the desktop entry is missing" end
  if call.to and not call.to:find "^[%w_-]+%.[%w_.-]+$" then return "call.to is not a name on the bus" end
  if not (call.path and call.path:find "^/[%w_/]*$") then return "call.path is not an object's path" end
  if has_text(call.action) then return nil end
  if not has_text(call.interface) then return "call.interface is missing" end
  if not (has_text(call.member) or has_text(call.property)) then return "call has no member, property or action" end
  return nil
end


local function fault_of_call(call)
  local fault = fault_of_keys(call, CALL)
  return fault and "call: " .. fault or fault_of_target(call) or fault_of_values(call)
end


local function fault_of_example(example)
  if type(example) ~= "table" then return "it is not a table" end
  local fault = fault_of_keys(example, EXAMPLE) or missing(example, { "task", "command" })
  if fault then return fault end
  if example.call and example.script then return "it has a script and a call. Write two examples" end
  if example.call then return fault_of_call(example.call) end
  if not has_text(example.script) then return "it has neither a script nor a call" end
  local _, err = example_check.run(example, {})
  return err and "script: " .. err:gsub("%.$", "")
end


-- --- a file -------------------------------------------------------------------------------------------

local function fault_of_file(value)
  if type(value) ~= "table" then return "it does not return a table" end
  local fault = fault_of_keys(value, FILE) or missing(value, { "app", "name" })
  if fault then return fault end
  if not value.examples then return "examples is missing" end
  if not is_list(value.examples) then return "examples is not a list" end
  if #value.examples > EXAMPLES then return ("it has more than %d examples"):format(EXAMPLES) end
  return nil
end


--- Returns what is wrong with a file's table: nothing, a fault of the file, or one of each example that has one.
---@param value any
---@return dictionary.ExampleFault[]
function M.faults(value)
  local fault = fault_of_file(value)
  if fault then return { { message = fault } } end
  local list = {}
  for i, example in ipairs(value.examples) do
    fault = fault_of_example(example)
    if fault then
      list[#list + 1] = { message = ("examples[%d]: %s"):format(i, fault), example = i,
        task = type(example) == "table" and type(example.task) == "string" and example.task or nil }
    end
  end
  return list
end


return M
