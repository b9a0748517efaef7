--- Runs a script by osascript (macOS): its text by the standard input, or a file. Values are arguments, never parts of the text.
--
-- It is a process like any other, so that it gets none of our secrets, and what it started ends with it.

local env       = require "sys.env"
local lexer     = require "applescript.lexer"
local osascript = require "sys.osascript"
local process   = require "sys.process"
local results   = require "scripting.results"

local M = {}

M.OUTPUT = 1000000   -- bytes that are kept of each stream
M.TIMEOUT = 30       -- seconds


--- The failure where scripts cannot run, with the tools that do such work there.
---@param language string
function M.not_here(language)
  return nil, ("%s runs on macOS only, and nothing was started. Here, use call_dbus for the commands of an application, and "
    .. "run_lua for a script of Perigee's tools."):format(language), "not_supported"
end


---@class scripting.Script
---@field text? string      its text; or
---@field path? string      the path of its file
---@field language? string  of the text: "JavaScript" (default: AppleScript)
---@field args? string[]
---@field timeout? number   seconds

---@class scripting.ScriptOutcome
---@field result string
---@field stderr string     what it logged
---@field seconds number
---@field truncated boolean


local function argv_of(script)
  local argv = { env.get("PERIGEE_OSASCRIPT", "osascript") }
  if script.language then argv[2], argv[3] = "-l", script.language end
  argv[#argv + 1] = script.path or "-"
  return table.move(script.args or {}, 1, #(script.args or {}), #argv + 1, argv)
end


--- The line and the column that osascript names by a number of characters: "120:164: execution error: ...".
---@param text string
---@param errors string
---@return integer? line
---@return integer? column
function M.place(text, errors)
  local from = tonumber(errors:match "^%s*(%d+):%d+: " or errors:match ":(%d+):%d+: [%a ]*error: ")
  local at = from and from <= #text and utf8.len(text) and utf8.offset(text, math.min(from, utf8.len(text)) + 1)
  if not at then return nil end
  return lexer.places(text)(at)
end


--- The failure of a script, with the words of osascript, its number and the place.
local function failed(script, ended)
  local line, column = M.place(script.text or "", ended.stderr)
  local err, code, number = osascript.explain(line and ended.stderr:gsub("^%s*%d+:%d+: ", "") or ended.stderr)
  if line then err = ("line %d, column %d: %s"):format(line, column, err) end
  return nil, err, code, { error_number = number, line = line, column = column }
end


--- Runs it to its end.
---@param script scripting.Script
---@return scripting.ScriptOutcome? outcome
---@return string? err
---@return string? code   those of sys.osascript, and those of sys.process
---@return table? meta    the number and the place of the script's error
function M.run(script)
  local spec = argv_of(script)
  spec.input, spec.timeout, spec.max_output = script.text, script.timeout or M.TIMEOUT, M.OUTPUT
  spec.clean_env, spec.whole_group = true, true
  local ended, err, code, so_far = process.run(spec)
  if so_far then
    return nil, ("The script did not end within %g s and was stopped. The application may be busy or showing a dialog: look at "
      .. "the screen before you try again, or pass a larger timeout."):format(spec.timeout), "timeout"
  end
  if not ended then return nil, err, code == "not_found" and "no_osascript" or code end
  if ended.signal then return nil, ("osascript was ended by signal %d."):format(ended.signal), "script_error" end
  if ended.code ~= 0 then return failed(script, ended) end
  local output = ended.truncated and results.whole(ended.stdout) or ended.stdout
  return { result = output:gsub("\n$", "") .. "", stderr = ended.stderr, seconds = ended.elapsed, truncated = ended.truncated }
end


return M
