--- The result of a run of Python code: always the same six members, whatever happened.

local json = require "sys.json"

local M = {}

local ORDER = { "status", "stdout", "stderr", "function_called", "function_result", "message" }
local NAME  = "generated_function_name"
local OURS  = '  File "[^"\n]*/scripts/python/%a+%.py", line %d+ in [^\n]*\n'   -- in the stack of a crash

---@class python.Done
---@field ok boolean
---@field function_called boolean
---@field result any
---@field result_repr? string
---@field error? {kind: string, message: string, traceback: string?}
---@field timeout boolean
---@field lost boolean
---@field packages boolean  it imported large ones
---@field message string

---@class python.Result
---@field status "success"|"error"
---@field stdout string
---@field stderr string
---@field function_called boolean
---@field function_result any
---@field message string


local function text_of(value) return type(value) == "string" and value or "" end


--- Reads what the process said of the code's end. It is not trusted: code may have changed whatever runs there.
---@param text string
---@return python.Done?
function M.read(text)
  local done = json.decode(text)
  if type(done) ~= "table" then return nil end
  local failed = type(done.error) == "table" and done.error or nil
  return {
    ok = done.ok == true and not failed, function_called = done.function_called == true, result = done.result,
    result_repr = type(done.result_repr) == "string" and done.result_repr or nil, timeout = done.timeout == true,
    lost = done.lost == true, packages = done.packages == true, message = text_of(done.message),
    error = failed and { kind = text_of(failed.kind), message = text_of(failed.message), traceback = text_of(failed.traceback) },
  }
end


--- Ends a sentence.
local function sentence(text) return text:find "[.!?]$" and text or text .. "." end


---@param said string[]
---@param run python.Run
local function add_limits(said, run)
  for _, note in ipairs(run.notes) do said[#said + 1] = sentence(note) end
  if run.left_out > 0 then
    said[#said + 1] = "Output, files or images over the limits are left out: print less, or write fewer files (32, of 16 MB)."
  end
end


-- Codes of ends before the code began.
local NOT_RUN = { no_interpreter = true, no_jail = true, not_supported = true, too_many_guests = true }

local function count_of(seconds) return seconds == 1 and "1 second" or ("%g seconds"):format(seconds) end


---@param done python.Done
---@param seconds number
local function failure(done, seconds)
  local err = done.error or { kind = "Error", message = "the code failed without saying why" }
  if done.timeout then
    return ("timeout: the code ran for longer than %s and was stopped. Raise timeout_seconds (at most 300), or do less.")
      :format(count_of(seconds))
  end
  if err.kind == "SystemExit" then return ("The code ended by sys.exit(%s)."):format(err.message) end
  return sentence(err.kind ~= "" and err.message ~= "" and err.kind .. ": " .. err.message or err.kind .. err.message)
end


--- The process ended in another way than by the end of the code.
---@param run python.Run
local function broken(run, seconds)
  if run.code == "timeout" then
    return ("timeout: the code was still running %s after its beginning, and its process was ended. Raise "
      .. "timeout_seconds (at most 300), or do less."):format(count_of(seconds))
  end
  local what = NOT_RUN[run.code] and "The code was not run: " or "The code did not come to its end: "
  return sentence(what .. (run.err or "its process said what makes no sense"))
end


---@param run python.Run
---@param seconds number  the time limit
---@return python.Result result
---@return python.Done? done  nil: the process ended before it
function M.of(run, seconds)
  local done = run.done and M.read(run.done)
  local ok = done ~= nil and done.ok
  local said, stderr = {}, run.stderr
  if run.code == "guest_crashed" then stderr = stderr:gsub(OURS, "") end
  if not done then
    said[1] = broken(run, seconds)
  elseif not ok then
    said[1] = failure(done, seconds)
    local traceback = done.error and done.error.traceback or ""
    if traceback ~= "" then stderr = stderr .. (stderr:find "[^\n]$" and "\n" or "") .. traceback end
  else
    said[1] = done.function_called and ("The code ran, and %s was called."):format(NAME) or "The code ran."
  end
  if done and done.message ~= "" then said[1] = sentence(said[1]:gsub("%.$", "") .. "; " .. done.message) end
  add_limits(said, run)
  local value = json.null
  if done and done.function_called and ok then value = done.result_repr or done.result end
  if value == nil then value = json.null end
  return M.made { status = ok and "success" or "error", stdout = run.stdout, stderr = stderr,
    function_called = done ~= nil and done.function_called, function_result = value, message = table.concat(said, " ") }, done
end


--- The six members in their order.
---@param fields table
---@return python.Result
function M.made(fields)
  return json.object({ status = fields.status, stdout = fields.stdout or "", stderr = fields.stderr or "",
    function_called = fields.function_called == true, message = fields.message,
    function_result = fields.function_result == nil and json.null or fields.function_result }, ORDER)
end


return M
