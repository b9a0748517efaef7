--- Python in a model's reply: the text of it that compiles, and the tools that it calls. None of it is run.

local checkers = require "checkers"
local checking = require "scripting.checking"
local fences   = require "generating.fences"
local json     = require "sys.json"
local strings  = require "agent.strings"
local text     = require "sys.text"

local M = {}

local UNFENCED = "There is no Python code in a fence, and the reply as a whole does not compile: "
local TAGS = { python = true, python3 = true, py = true, py3 = true, pycon = true, ipython = true }

--- A call of a tool, as the code has it.
---@class generating.Called
---@field line integer
---@field way "name"|"attribute"  by its name, or as an attribute of `tools`
---@field name? string            nil: the code computes it

---@class generating.Python
---@field code? string                 nil: the reply has none that compiles
---@field fault? string                why, for the model
---@field calls generating.Called[]
---@field replaces? boolean            the code has a _call_mcp_tool of its own
---@field others integer               further blocks of Python, which are left out
---@field unchecked? string            why it was not compiled: it is the likeliest text


--- Returns what is wrong with a reply of which nothing compiles.
local function fault_of(candidates, faults)
  local at
  for i, each in ipairs(candidates) do
    if faults[i] and faults[i] ~= json.null and (each.fenced or not at) then
      at = i
      if each.fenced then break end
    end
  end
  if not at then return "There is no Python code in the reply." end
  local fault = faults[at]
  local line = candidates[at].text:match(("[^\n]*\n"):rep(fault.line - 1) .. "([^\n]*)")
  return ("%sline %d, column %d: %s%s"):format(candidates[at].fenced and "" or UNFENCED, fault.line, fault.column, fault.message,
    line and line:find "%S" and "\n    " .. strings.cut(line, 200) or "")
end


--- Returns the number of blocks that are not in the text which was chosen.
local function left_out(blocks, chosen)
  local count = 0
  for _, block in ipairs(chosen.block and blocks or {}) do
    if block ~= chosen.block then count = count + 1 end
  end
  return count
end


--- Returns the text between fences that is likeliest code; nil: there is none. Without Python, words cannot be told from code.
local function likeliest(candidates)
  for _, each in ipairs(candidates) do
    if each.fenced then return each end
  end
end


--- Returns a reply without characters that nobody sees: a client gets none of them, so what it reads is what is kept for it.
local function seen(reply) return (reply:gsub("[^\r\n\t]+", text.plain)) end


--- Reads the code in a reply.
---@param reply string
---@return generating.Python? python
---@return string? err  Python cannot be asked
---@return string? code
function M.read(reply)
  local candidates, blocks = fences.candidates(seen(reply), TAGS)
  if #candidates == 0 then return { calls = {}, others = 0, fault = fault_of({}, {}) } end
  local texts = json.array {}
  for i, each in ipairs(candidates) do texts[i] = each.text end
  local ended, err, code = checking.run(checkers.python_calls, json.encode(texts))
  local told = ended and ended.code == 0 and json.decode(ended.stdout)
  if code == "not_found" then
    local likely = likeliest(candidates)
    if not likely then return { calls = {}, others = 0, fault = "There is no Python code in a fence." } end
    return { code = likely.text, calls = {}, others = left_out(blocks, likely), unchecked = err }
  elseif not told then
    return nil, err or "The code was not checked: " .. (ended.stderr:match "([^\n]*)\n*$" or ""), code or "check_failed"
  end
  local chosen = candidates[told.chosen]
  if not chosen then return { calls = {}, others = 0, fault = fault_of(candidates, told.faults) } end
  return { code = chosen.text, calls = told.calls, replaces = told.replaces, others = left_out(blocks, chosen) }
end


return M
