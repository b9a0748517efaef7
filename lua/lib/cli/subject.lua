--- The subject of `perigee trace`, `time` and `profile`: a tool with its arguments, or a script.

local arguments = require "cli.arguments"
local files     = require "sys.files"
local find      = require "cli.find"
local path      = require "sys.path"
local policy    = require "sys.policy"
local result    = require "cli.result"
local trace     = require "sys.trace"

local M = {}

local SCRIPT_BYTES = 16 * 1024 * 1024

--- The arguments of these commands, and some of their options.
M.arguments = {
  { "subject", "tool", "a tool, or the path of a script: it ends in .lua or has a slash",
    missing = "which tool or script? Run `perigee tools` for the list" },
  { "arguments", "tool_argument", "its arguments, as `perigee call` has them; of a script, its words", optional = true,
    repeatable = true },
}
M.args = { "args", "string", "all arguments of a tool as one JSON object; @FILE reads it from a file, - from stdin",
  value = "JSON" }
M.dry_run = { "dry-run", "flag", "only say what it would do; it acts on a copy of the desktop" }
M.timeout = { "timeout", "seconds", "time limit in seconds", absent = "what the tool says, or 60; for a script: no limit" }

---@class cli.Subject
---@field name string
---@field file fun(): string?  finds its file, as messages call it
---@field given? table        the arguments of a tool
---@field run fun(): ...      calls it once
---@field hint? string         where its parameters are documented, for a usage error
---@field failure fun(report: sys.trace.Report): string?, string|integer|nil  what went wrong: message, code
---@field show fun(report: sys.trace.Report, io: perigee.IO): integer?, string?, string|integer|nil
---                           prints what it returned, as `perigee call` and `perigee run` do


-- --- a tool --------------------------------------------------------------------------------

local tool = {}

function tool.failure(report)
  if report.err then return report.traceback or report.err, report.code end
  local answer, err, code = report.results[1], report.results[2], report.results[3]
  if not answer then return err, code == "invalid_arguments" and "usage" or code end
  if answer.timed_out then return answer.text, "timeout" end
  if answer.isError then return answer.text, "tool" end
end


function tool.show(report, io)
  local answer = report.results and report.results[1]
  if not answer then return nil, tool.failure(report) end
  local timed_out = answer.timed_out
  answer.timed_out, answer.code = nil, nil -- not sent by servers
  local status, err, code = result.show(answer, {}, io)
  return timed_out and 124 or status, err, code
end


local function file_of(name)
  for _, file in ipairs(files.list()) do
    if file.kind == "tool" and file.name == name and not file.overridden_by then return file.label end
  end
end


local function tool_of(args, io)
  local found, err, code = find.callable(args, args.subject)
  if not found then return nil, err, code end
  local hint = ("Run `perigee tools %s` for its parameters."):format(found.name)
  local given
  given, err = arguments.read(found.inputSchema, args.arguments, args.args, io)
  if not given then return nil, ("%s: %s"):format(found.name, err), "usage", hint end
  return { name = found.name, file = function() return file_of(found.name) end, given = given, hint = hint,
    failure = tool.failure, show = tool.show, run = function() return found.call(given, { timeout = args.timeout }) end }
end


-- --- a script ---------------------------------------------------------------------------------

local script = {}

--- Returns the failure of a script: false or nil with a message, or a wrong exit status.
function script.failure(report)
  if report.err then return report.traceback or report.err, report.code end
  local value, message = report.results[1], report.results[2]
  if not value and message ~= nil then return tostring(message) end
  if math.type(value) == "integer" and (value < 0 or value > 255) then
    return ("the script returned %d; an exit status is 0 to 255"):format(value)
  end
end


function script.show(report, io)
  local message, code = script.failure(report)
  if message then return nil, message, code end
  local value = report.results[1]
  if math.type(value) == "integer" then return value end
  if type(value) == "table" and (value.content or tostring(value):find "^table: ") then
    io:json(value)
  elseif value and value ~= true then
    io:print(value)
  end
  return 0
end


local function script_of(args, io)
  if args.args then return nil, "--args is for a tool; a script's words come behind its name", "usage" end
  local text, err, code = io:read(args.subject, SCRIPT_BYTES)
  if not text then return nil, err, code end
  local folder
  folder, err, code = io:grant(path.directory(args.subject), "write")
  if not folder then return nil, err, code end
  local function run() return trace.script(args.subject, text, folder, args.arguments) end
  if args.timeout then
    local task, once = require "sys.task", run
    run = function() return task.with_timeout(args.timeout, once, args.subject) end
  end
  return { name = args.subject, file = function() return args.subject end, failure = script.failure, show = script.show,
    run = run }
end


---@param args table  the arguments of the command
---@param io perigee.IO
---@return cli.Subject?
---@return string? err
---@return string? code
---@return string? hint
function M.of(args, io)
  if args.dry_run then policy.begin_dry_run() end
  local name = args.subject
  if name:find "/" or name:find "%.lua$" then return script_of(args, io) end
  return tool_of(args, io)
end


return M
