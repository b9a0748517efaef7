--- The object by which a command reads and writes, on functions of C.

local json = require "sys.json"

local M = {}

--- The input and output of a command. `print` also prints to stdout, but examples see only what passes through this object.
---@class perigee.IO
---@field name        string            the name of the command
---@field common      options.Option[]  the options of every command
---@field program     string            path of the running program
---@field config      string            the file with mcpServers
---@field color       boolean           stdout may be colored
---@field terminal    boolean           stdout is a terminal
---@field width?      integer           the columns of the terminal; nil if stdout is not one
---@field stderr_terminal boolean       stderr is a terminal
---@field interactive boolean           a person can be asked: stdin and stderr are a terminal
---@field dry_run?    boolean           of a command that acts: it only says what it would do
local io = {}
io.__index = io


--- Writes text to stdout as it is.
---@param text string
function io:write(text) self.host.write(text) end


--- Writes a line to stdout, as print() does.
---@param ... any
function io:print(...)
  local parts = table.pack(...)
  for i = 1, parts.n do parts[i] = tostring(parts[i]) end
  self.host.write(table.concat(parts, "\t") .. "\n")
end


--- Writes a value as one line of JSON to stdout. On a terminal hidden characters are written as \u202e.
---@param value any
function io:json(value)
  local encoded, err = json.encode(value)
  if not encoded then error(err, 2) end
  self.answered = true
  self.host.write((self.terminal and require("terminal.text").escaped(encoded) or encoded) .. "\n")
end


--- Writes "perigee NAME: text" to stderr.
---@param text string
function io:complain(text) self.host.complain(text) end


--- Writes text to stderr as it is.
---@param text string
function io:error(text) self.host.complain(text, true) end


--- Writes text of our own to stderr, colors included. Text of others has to be cleaned first.
---@param text string
function io:say(text) self.host.say(text) end


--- Shows progress on a line of stderr that is written over; without arguments clears it.
---@param done? number
---@param total? number
---@param message? string
function io:progress(done, total, message) self.host.progress(done, total, message) end


--- Reads a file that the user named on the command line, by any path; "-" is stdin.
---@param path string
---@param max_bytes? integer  default 10485760
---@return string? bytes
---@return string? err
---@return string? code
function io:read(path, max_bytes) return self.host.read(path, max_bytes or 10 * 1024 * 1024) end


--- Writes a file that the user named, whole or not at all; "-" is stdout.
---@param path string
---@param bytes string
---@return true? ok
---@return string? err
---@return string? code
function io:save(path, bytes) return self.host.save(path, bytes) end


--- Lets sys.fs use a directory that the user named (the current one and those of --grant are allowed already). For "write" it
-- is created if it is missing.
---@param directory string
---@param access "read"|"write"
---@return string? path  absolute, links resolved
---@return string? err
---@return string? code
function io:grant(directory, access) return self.host.grant(directory, access == "write") end


--- Never shows this text in a message or log line.
---@param secret string
function io:hide(secret) self.host.hide(secret) end


---@param level "debug"|"info"|"warning"|"error"|"off"  the least level of log lines from now on
function io:log_level(level) self.host.log_level(level) end


---@param host cli.Host
---@param name string  the name of the command
---@return perigee.IO
function M.new(host, name)
  return setmetatable({
    host = host, name = name, common = host.common, program = host.program, config = host.config, color = host.color,
    terminal = host.terminal, width = host.width or nil, interactive = host.interactive,
    stderr_terminal = host.stderr_terminal,
  }, io)
end


return M
