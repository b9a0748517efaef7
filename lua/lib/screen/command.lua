--- The parts that `perigee image` and `perigee list` share. With --json-output they print one JSON object, in the form that
--- scripts for Peekaboo read; without it, lines for people.

local json  = require "sys.json"
local log   = require "sys.log"
local notes = require "screen.notes"
local text  = require "terminal.text"

local M = {}

local EXIT_FAILED, EXIT_USAGE = 1, 2

--- Peekaboo's codes for causes outside of the command's own work that end it.
local CODES = { usage = "INVALID_ARGUMENT", interrupted = "INTERRUPTED" }


--- A result's facts, and lines for people.
---@class screen.Done
---@field data table
---@field lines string[]


--- Text from outside on one line, with its control characters shown: a title must not move the cursor.
function M.plain(value)
  if not utf8.len(value) then value = value:gsub("[\128-\255]", "?") end
  return text.clean((value:gsub("%c", function(c) return "^" .. string.char((c:byte() + 64) % 128) end)))
end


--- Text of a model: its lines are kept, other control characters are shown.
---@param value string
---@return string
function M.lines_of(value)
  local lines = {}
  for line in (value:gsub("\n+$", "") .. "\n"):gmatch "(.-)\r?\n" do lines[#lines + 1] = M.plain((line:gsub("\t", "  "))) end
  return table.concat(lines, "\n")
end


--- A table with columns as wide as their content. On a terminal the last column is cut.
function M.table_lines(io, heads, rows)
  local widths, lines = {}, {}
  for _, row in ipairs { heads, table.unpack(rows) } do
    for i, value in ipairs(row) do widths[i] = math.max(widths[i] or 0, text.width(value)) end
  end
  for n, row in ipairs { heads, table.unpack(rows) } do
    local cells, used = {}, 0
    for i = 1, #row - 1 do
      cells[i] = text.pad(row[i], widths[i])
      used = used + widths[i] + 2
    end
    cells[#row] = text.cut(row[#row], io.width and io.width - used)
    local line = table.concat(cells, "  "):gsub("%s+$", "")
    lines[#lines + 1] = n == 1 and text.paint(io.color, "bold", line) or line
  end
  return lines
end


--- The last two options of both commands.
M.JSON = {
  { "json", "flag", "print one JSON object: success, data, messages, debug_logs, error" },
  { "json-output", "flag", "the same, as Peekaboo calls it" },
}


---@param ... any  a format and its values
---@return nil
---@return string err
---@return string code
function M.bad(...)
  return nil, (...):format(select(2, ...)), "INVALID_ARGUMENT"
end


--- The JSON object for a success.
local function success(done, said)
  return json.object({ success = true, data = done.data, messages = json.array(said.messages),
    debug_logs = json.array(said.debug_logs) }, { "success", "data", "messages", "debug_logs" })
end


--- The JSON object for a failure.
local function failed(err, code, details, said)
  return json.object({ success = false, error = json.object({ message = err, code = code, details = details },
    { "message", "code", "details" }), debug_logs = json.array(said.debug_logs) }, { "success", "error", "debug_logs" })
end


--- The JSON object for a command that failed before its work began: perigee.Command's `failure`.
---@param message string
---@param code string
---@return table
function M.failure(message, code)
  return failed(message, CODES[code] or "INTERNAL_SWIFT_ERROR", nil, notes.new())
end


--- Does the work and prints its result.
---@param args table
---@param io perigee.IO
---@param work fun(args: table, io: perigee.IO, said: screen.Notes): screen.Done?, string?, string?, string?
---@return integer? status
---@return string? problem  for stderr
---@return integer? code
function M.run(args, io, work)
  local as_json, said = args.json or args.json_output, notes.new()
  if as_json and not args.verbose then io:log_level "off" end -- no lines beside the object
  local ok, done, err, code, details = pcall(work, args, io, said)
  if not ok then
    log.error(done)
    done, err, code, details = nil, "an error in the program: " .. tostring(done), "INTERNAL_SWIFT_ERROR", nil
  end
  local status = done and 0 or code == "INVALID_ARGUMENT" and EXIT_USAGE or EXIT_FAILED
  if as_json then
    io:json(done and success(done, said) or failed(err, code, details, said))
    return status
  end
  said:tell()
  for _, line in ipairs(done and done.lines or {}) do io:print(line) end
  if not done then return nil, M.plain(err), status end
  if #said.messages > 0 then io:complain(table.concat(said.messages, "\n")) end
  return status
end


return M
