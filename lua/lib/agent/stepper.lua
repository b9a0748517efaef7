--- The offline planner for applications. It reads a request of one fixed form and works as the prompt desktop says: one
-- outline, then all steps in one call, then what was read.
--
--   In Calculator: click "7", click "×", click "6", press Enter, check "42".
--
-- It understands: click, set ... to, choose (a menu's path), type, press, check. It is a rule, not a model.

local json    = require "sys.json"
local strings = require "agent.strings"

local M = {}

M.CANNOT = "The offline planner works applications only by requests of this form: In Calculator: click \"7\", set entry \"Name\" "
  .. "to \"Ada\", choose \"File > Save\", type \"x\", press ctrl+s, check \"42\". For anything else, choose a model with --model."

local STOPS = "^[%s,;.]*"

--- Splits off a selector as the tools read it: `button "Save"`, `"Save" in dialog "Save As"`. Returns it and the rest.
local function target(text)
  local found, rest = text:match '^([%a%s]-"[^"]*")(.*)$'
  while found do
    local more, after = rest:match '^( in %a+ "[^"]*")(.*)$'
    if not more then more, after = rest:match '^( near "[^"]*")(.*)$' end
    if not more then return found, rest end
    found, rest = found .. more, after
  end
end


--- Splits off a value: `to "Ada"`
local function value(text) return text:match '^ to "([^"]*)"(.*)$' end

local VERBS = {
  click = function(text)
    local element, rest = target(text)
    return element and { click = element }, rest
  end,
  set = function(text)
    local element, rest = target(text)
    local held
    if element then held, rest = value(rest) end
    return held and { set = element, value = held }, rest
  end,
}
for verb, key in pairs { choose = "menu", type = "type" } do
  VERBS[verb] = function(text)
    local given, rest = text:match '^"([^"]*)"(.*)$'
    return given and { [key] = given }, rest
  end
end
VERBS.press = function(text)
  local keys, rest = text:match "^([%w+_]+)(.*)$"
  return keys and { keys = keys:lower() }, rest
end
VERBS.check = function(text)
  local given, rest = text:match '^"([^"]*)"(.*)$'
  return given and { verify = { text = given } }, rest
end


local function read_step(text)
  local verb, rest = text:match "^(%a+) (.*)$"
  if VERBS[verb] then return VERBS[verb](rest) end
end


--- Returns the application and the steps of a request; nil if it does not have this form.
---@param request string
---@return {application: string, steps: table[]}?
function M.wanted(request)
  local application, rest = request:match "^%s*[Ii]n ([^:]+):%s*(.+)$"
  local steps = {}
  while rest do
    rest = rest:gsub(STOPS, "", 1):gsub("^and ", "", 1):gsub("^then ", "", 1)
    if rest == "" then break end
    local step
    step, rest = read_step(rest)
    if not step then return nil end
    steps[#steps + 1] = step
  end
  return #steps > 0 and { application = application, steps = steps } or nil
end


--- Returns the answer to a call; nil if the call was not made.
local function returned(messages, tool)
  for i = #messages, 1, -1 do
    local text = messages[i].role == "user" and messages[i].text
    local answer = text and text:match("^" .. tool .. " returned: (.*)$")
    if answer then return answer end
  end
end


--- Returns the line that says how far the steps came, and the last line that was read.
local function answer(text)
  local first, last = text:match "^[^\n]*", nil
  for line in text:gmatch "[^\n]+" do
    if line:find "^%d+ " then last = line end
  end
  local said = strings.one_line(first .. (last and " " .. last or "")):gsub("[%[%]]", "")
  return ("FINAL_ANSWER: [%s]"):format(strings.cut(said, 300))
end


--- Returns the next line, as a model would write it.
---@param request agent.Request
---@param task {application: string, steps: table[]}
---@return string
function M.next(request, task)
  local messages = request.messages
  local acted = returned(messages, "act")
  if acted then return answer(acted) end
  local seen = returned(messages, "get_ui_tree")
  if not seen then return "FUNCTION_CALL: get_ui_tree|" .. task.application end
  if seen:find "^ERROR" then return answer(seen) end
  return ("FUNCTION_CALL: act|%s|%s"):format(json.encode(json.array(task.steps)):gsub("|", "¦"), task.application)
end


return M
