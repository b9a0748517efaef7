--- Python that a model writes on request: what the tools that create and edit code share. Nothing of it is run here.

local answers = require "generating.answers"
local calls   = require "sessions.calls"
local engine  = require "sys.engine"
local json    = require "sys.json"
local models  = require "generating.models"
local offered = require "generating.offered"
local python  = require "generating.python"
local s       = require "schema"

local M = {}

local WEB = 4   -- what a model says is text from the web: a bit of enum content_source

M.SECONDS = models.SECONDS

--- The codes of both tools.
M.CODES = {
  INVALID_ARGUMENT = "The request or the code is empty.",
  UNKNOWN_TOOL = "There is no tool of a name; the message suggests others.",
  NOT_PYTHON = "The model's code does not compile, or its reply has none, also after it was told so.",
  CHECK_FAILED = "Python could not read the code, for example because it nests too deeply.",
}
for code, meaning in pairs(models.CODES) do M.CODES[code] = meaning end

---@class generating.Job
---@field tool string      the name of the tool, for what is kept
---@field member string    of the result, that has the code
---@field prompt string    the file in lua/prompts with the task
---@field request string   what the caller wants
---@field message string   for the model
---@field values table     further members of the result
---@field order string[]   the names of the members between status and message


--- The parameters that both tools have.
---@param doing string
---@return table[]
function M.parameters(doing)
  return { "model", models.parameter("Model that " .. doing .. " the code.") },
    { "available_tool_names_for_code_gen", offered.parameter("Tools that the code may call by _call_mcp_tool.") }
end


--- A member of the result that is code.
---@param description string
---@return table
function M.member(description) return s.string(description, { type = { "string", "null" } }) end


M.STATUS = s.enum({ "success", "warning", "error" }, "warning: read message before you use the code.")
M.MESSAGE = s.string "Who wrote it, what is doubtful, how to refer to it; of an error, what failed."


--- Returns the words of the files in lua/prompts, as they are now.
local function system_of(job, offer)
  local parts = {}
  for i, name in ipairs { job.prompt, "python_rules", offer.tools[1] and "python_tools" or nil } do
    local text, err, code = engine.text(name)
    if not text then return nil, err, code end
    parts[i] = text:gsub("{tools}", function() return offered.text(offer) end)
  end
  return table.concat(parts, "\n\n")
end


--- Asks the model, and once more if no code in its reply compiles.
---@return generating.Python? found
---@return string? err
---@return string? code
local function written(talk, system, job)
  local messages = { { role = "user", text = job.message } }
  for round = 1, 2 do
    local reply, err, code = models.ask(talk, system, messages)
    if not reply then return nil, err, code end
    local found
    found, err, code = python.read(reply.text)
    if not found then return nil, err, code end
    if found.code then return found end
    if round == 2 then
      return nil, ("The code of %s does not compile, also after it was told so. %s"):format(models.name(talk), found.fault),
        "not_python"
    end
    local repair
    repair, err, code = engine.text "python_repair"
    if not repair then return nil, err, code end
    messages[2] = { role = "assistant", text = reply.text, native = reply.native }
    messages[3] = { role = "user", text = (repair:gsub("{error}", function() return found.fault end)) }
  end
end


--- Returns what is doubtful about the code.
local function doubts(found, offer)
  local list = offered.judge(offer, found.calls)
  if found.replaces then
    table.insert(list, 1, "It defines _call_mcp_tool itself, so no call by that name reaches a tool.")
  end
  if found.others > 0 then
    list[#list + 1] = ("The reply had %d more %s of Python, which %s left out."):format(found.others,
      found.others == 1 and "block" or "blocks", found.others == 1 and "is" or "are")
  end
  if found.unchecked then list[#list + 1] = found.unchecked end
  return list
end


--- Keeps the result for references, and says how to refer to it.
local function kept(call, job, args, values)
  local id, err = calls.keep(call, job.tool, args, { structured = json.object(values), source = WEB })
  if err then return ("It is not kept for references: %s."):format((err:gsub("%.$", ""))) end
  return id and ("Refer to it as @@ref_%s__%s."):format(id, job.member) or nil
end


local function failed(call, job, err, code)
  local values = { status = "error", message = err, [job.member] = json.null }
  for name, value in pairs(job.values) do values[name] = value end
  return answers.of(call, values, job.order, code or "request_failed")
end


local function count_of(text)
  local _, lines = text:gsub("\n", "\n")
  return lines == 1 and "1 line" or lines .. " lines"
end


--- Has code written, and returns the tool's result.
---@param call Call
---@param args table
---@param job generating.Job
---@return table result
function M.write(call, args, job)
  if not job.request:find "%S" then
    return failed(call, job, "The request is empty. Say what the code is to do.", "invalid_argument")
  elseif job.values.original_code and not job.values.original_code:find "%S" then
    return failed(call, job, "The code is empty. To have new code written, call create_python_code.", "invalid_argument")
  end
  local offer, err, code = offered.find(args.available_tool_names_for_code_gen)
  if not offer then return failed(call, job, err, code) end
  local talk, system
  talk, err, code = models.open(args.model)
  if talk then system, err, code = system_of(job, offer) end
  if not system then return failed(call, job, err, code) end
  local found
  found, err, code = written(talk, system, job)
  if not found then return failed(call, job, err, code) end

  local said, doubtful = { models.replaced(talk) }, doubts(found, offer)
  said[#said + 1] = ("%s of Python by %s. Nothing was run: read the code before you run it.")
    :format(count_of(found.code), models.name(talk))
  table.move(doubtful, 1, #doubtful, #said + 1, said)
  local values = { status = doubtful[1] and "warning" or "success", message = table.concat(said, " "), [job.member] = found.code }
  for name, value in pairs(job.values) do values[name] = value end
  said[#said + 1] = kept(call, job, args, values)
  values.message = table.concat(said, " ")
  return answers.of(call, values, job.order)
end


return M
