--- Runs a command that is a Lua file: reads its words, calls it, and reports how it ended. C starts it
-- (src/cli/command_file.c).

local declaration = require "cli.declaration"
local files       = require "sys.files"
local ios         = require "cli.io"
local options     = require "options"
local policy      = require "sys.policy"

local M = {}

local STATUS = { usage = 2, tool = 3, timeout = 124, interrupted = 130 }
local CODES  = { [1] = "failed", [2] = "usage", [3] = "tool", [124] = "timeout", [130] = "interrupted" }


---@class cli.Host  see src/cli/host.h
---@field write fun(text: string)
---@field complain fun(text: string, plain?: boolean)
---@field say fun(text: string)
---@field progress fun(done?: number, total?: number, message?: string)
---@field read fun(path: string, max: integer): string?, string?, string?
---@field save fun(path: string, bytes: string): true?, string?, string?
---@field grant fun(directory: string, write: boolean): true?, string?, string?
---@field listen fun()
---@field serve fun()
---@field log_level fun(level: string)
---@field role fun(role: string)
---@field hide fun(text: string)
---@field native fun(): cli.Declaration[]
---@field common options.Option[]
---@field program string
---@field shipped boolean  the command comes with Perigee
---@field config string
---@field color boolean
---@field terminal boolean
---@field width? integer
---@field stderr_terminal boolean
---@field interactive boolean

---@class cli.Run
---@field command perigee.Command
---@field io perigee.IO
---@field args? table
---@field json boolean   an error also goes to stdout, as JSON
---@field heed fun(): boolean  obeys the `dry_run` of the policy

local current ---@type cli.Run  of this process, for M.cancelled()


-- --- end of a command -------------------------------------------------------------------

--- Prints the object for stdout when a command fails that was asked for JSON.
local function print_failure(run, message, code)
  if not run.json or run.io.answered then return end
  local shape = run.command and run.command.failure
  run.io:json(shape and shape(message, code) or { error = { message = message, code = code } })
end


---@param run cli.Run
---@param message? string
---@param code? string|integer  "usage", "tool", "timeout", or an exit status
---@param hint? string  the cure of a usage error; default: read the help
---@return integer status
local function fail(run, message, code, hint)
  local status = math.type(code) == "integer" and code or STATUS[code] or 1
  local io = run.io
  if message then
    io:progress()
    print_failure(run, message, CODES[code] or code or "failed")
    if run.json and run.command and run.command.failure then return status end -- its JSON object says all
    io:complain(message)
  end
  if status == STATUS.usage then io:error(hint or ("Run `perigee help %s` for its usage."):format(io.name)) end
  return status
end


--- Returns the exit status for what a command returned: an exit status; true or nothing for success; nil or false with a
-- message and a code.
local function status_of(run, value, message, code, hint)
  if math.type(value) == "integer" then return value end
  if value or message == nil and code == nil then return 0 end
  return fail(run, message, code, hint)
end


-- --- start of a command --------------------------------------------------------------------

--- True if --json, or the command's own option of this kind, was given. It is looked for before the words are read, because
-- they may be wrong.
local function wants_json(command, words)
  local names = {}
  for _, option in ipairs(command.options or {}) do
    if type(option) == "table" and option[2] == "flag" and type(option[1]) == "string" and option[1]:find "^json" then
      names["--" .. option[1]] = true
    end
  end
  for _, word in ipairs(words) do
    if word == "--" then return false end
    if names[word] then return true end
  end
  return false
end


--- Reads the words by the command's declaration. The declaration itself is checked only if it cannot be followed.
---@return table? args
---@return string? message  what is wrong with the words
---@return string? problem  what is wrong with the declaration
local function read(command, common, words)
  local ok, args, message = pcall(options.parse, words, declaration.spec(command, common))
  if ok then return args, message end
  local problem = require("cli.check_command").run(command, common)[1]
  return nil, nil, problem and "its file is wrong: " .. problem or tostring(args)
end


--- Applies the parts of the command's declaration that must hold before it runs.
local function settle(io, command, args, heed)
  local host = io.host
  if command.role then host.role(command.role) end
  if command.log and not args.verbose then host.log_level(command.log) end
  if command.acts and not args.attach then io.dry_run = heed() end
  -- With --attach another process does the work.
  if command.stoppable ~= false and not args.attach then host.listen() end
end


--- Prints the help of a command, or that of the tool behind its name.
local function help(command, args, io)
  local first = (command.arguments or {})[1]
  if first and first[2] == "tool" and args[1] and not args.attach and not args[1]:find "[/.]" then
    return require("cli.detail").help(args[1], io)
  end
  local subcommand = command.subcommands and command.subcommands[args[1]]
  if subcommand and subcommand.help then
    local status, err, code = subcommand.help(args, io)
    if status or err then return status, err, code end
  end
  io:print(table.concat(require("cli.help").lines(declaration.complete(io.name, command), io.host.common, io.width), "\n"))
  return 0
end


---@param run cli.Run
---@param words string[]
---@return integer status
local function start(run, words)
  local io, command = run.io, run.command
  local host = io.host
  local args, message, problem = read(command, host.common, words)
  if problem then return fail(run, problem) end
  if not args then return fail(run, message, "usage") end
  if args.help then
    return status_of(run, help(command, args, io))
  end
  run.args = args
  settle(io, command, args, run.heed)
  local subcommand = args.subcommand and command.subcommands[args.subcommand]
  return status_of(run, (subcommand and subcommand.run or command.run)(args, io))
end


--- Also says on stdout that an error of the program ended it; the traceback follows on stderr.
local function guarded(run)
  return setmetatable({}, { __close = function(_, err)
    if err ~= nil then print_failure(run, "an error in the program: " .. tostring(err), "runtime") end
  end })
end


---@param host cli.Host
---@param name string
---@param words string[]
---@return integer status
function M.run(host, name, words)
  local io = ios.new(host, name)
  if not host.shipped then policy.heed_dry_run() end
  policy.memory().command = name
  local command, err, code = files.table("command", name)
  current = { io = io, command = command, json = command and wants_json(command, words) or false, heed = policy.heed_dry_run }
  if not command then return fail(current, err, code) end
  local held <close> = guarded(current)
  return start(current, words)
end


--- Runs a command for its examples, with the host that the caller gives.
---@param command perigee.Command
---@param host cli.Host
---@param name string
---@param words string[]
---@return integer status
function M.try(command, host, name, words)
  local function heed() return false end
  local run = { io = ios.new(host, name), command = command, json = wants_json(command, words), heed = heed }
  return start(run, words)
end


--- Ends the command after Ctrl-C. Runs in a task of its own.
---@param place? string  FILE:LINE at which it computed; nil if it was waiting
---@return integer status
function M.cancelled(place)
  local command, args = current.command, current.args
  if command and command.cancelled and args then command.cancelled(args, current.io, place) end
  print_failure(current, "interrupted", "interrupted")
  return STATUS.interrupted
end


return M
