--- AppleScript and JavaScript for Automation of a caller's: what is refused before anything starts, then the run.

local applications = require "scripting.applications"
local fs           = require "sys.fs"
local here         = require "scripting.here"
local osascript    = require "scripting.osascript"
local results      = require "scripting.results"
local targets      = require "applescript.targets"

local M = {}

local NAMES = { JavaScript = "JavaScript for Automation" }
local MAIN = "/Contents/Resources/Scripts/main.scpt"              -- the script of a bundle
local FILES = { applescript = true, scpt = true, scptd = true }   -- what osascript runs, by the ending


--- The place where a script names another application than its caller said.
---@param text string
---@param id string
---@return scripting.Fault?
---@return boolean? sure  false: the application is not on this machine, so its names are not known
function M.other_fault(text, id)
  local other, sure = applications.other(targets.of(text), id)
  if not other then return end
  local name = ('application %s"%s"'):format(other.by_id and "id " or "", other.name)
  local message = ("the script names %s, and appBundleId is %s. Write application id %q in the script, or pass the bundle ID of "
    .. "that application. For a script of several applications, use execute_apple_script."):format(name, id, id)
  return { line = other.line, column = other.column, code = "other_application", message = message }, sure
end


---@class scripting.AppleScriptArgs
---@field script string
---@field appBundleId? string
---@field timeout? number

--- Runs a text.
---@param args scripting.AppleScriptArgs
---@param language? "JavaScript"  default: AppleScript
---@return scripting.ScriptOutcome? outcome
---@return string? err
---@return string? code
---@return table? meta
function M.run(args, language)
  if not here.has_osascript() then return osascript.not_here(NAMES[language] or "AppleScript") end
  local other = args.appBundleId and M.other_fault(args.script, args.appBundleId)
  if other then return nil, ("line %d, column %d: %s"):format(other.line, other.column, other.message), other.code end
  return osascript.run { text = args.script, language = language, timeout = args.timeout }
end


--- Checks a folder: it has to be a bundle, and osascript runs the script in it, which may be a link to somewhere else.
---@param bundle string  its path, with links resolved
---@return true?
---@return string? err
---@return string? code
local function check_bundle(bundle)
  if not bundle:lower():find "%.scptd$" then
    return nil, ("%s is a folder, and only one that ends in .scptd is a script."):format(bundle), "invalid_argument"
  end
  local main = bundle .. MAIN
  local real, err, code = fs.resolve(main)
  local info = real and fs.stat(real)
  if code == "not_found" or real and not info then
    return nil, ("%s has no script: %s is missing in it. Save it again with Script Editor."):format(bundle, MAIN:sub(2)),
      "not_found"
  end
  if not real then return nil, err, code end
  if real:sub(1, #bundle + 1) ~= bundle .. "/" then
    return nil, ("The script of the bundle %s is not in it: %s leads to %s. Run that file itself."):format(bundle, MAIN:sub(2),
      real), "invalid_argument"
  end
  if info.kind ~= "file" then return nil, ("%s is not a file."):format(main), "invalid_argument" end
  return true
end


--- The path of a script's file, with links resolved, if it may be run.
local function granted(path)
  local ending = path:match "%.([^./]*)/?$"
  if not ending or not FILES[ending:lower()] then
    return nil, ("%s is not a script: its name has to end in .scpt, .scptd or .applescript."):format(path), "invalid_argument"
  end
  local real, err, code = fs.resolve(path)
  if not real then return nil, err, code end
  if not FILES[(real:match "%.([^./]*)$" or ""):lower()] then
    return nil, ("%s leads to %s, which is not a script."):format(path, real), "invalid_argument"
  end
  local info, why, failed = fs.stat(real)
  if not info then return nil, why, failed end
  if info.kind == "folder" then
    local good, problem, reason = check_bundle(real)
    if not good then return nil, problem, reason end
  end
  return real
end


--- Runs a file.
---@param args {path: string, args?: string[], timeout?: number}
---@return scripting.ScriptOutcome? outcome
---@return string? err
---@return string? code
---@return table? meta
function M.run_file(args)
  if not here.has_osascript() then return osascript.not_here "AppleScript" end
  for i, word in ipairs(args.args or {}) do
    if word:find("\0", 1, true) then
      return nil, ("args[%d] has a NUL byte, which no program can be given. Remove it."):format(i - 1), "invalid_argument"
    end
  end
  local path, err, code = granted(args.path)
  if not path then return nil, err, code end
  return osascript.run { path = path, args = args.args, timeout = args.timeout }
end


--- The result of a tool that ran a script, or its failure.
---@param call Call
---@param shape fun(outcome: scripting.ScriptOutcome): table
---@param outcome? scripting.ScriptOutcome
---@param err? string
---@param code? string
---@param meta? table
function M.answer(call, shape, outcome, err, code, meta)
  if not outcome then return results.failure(err, code, meta) end
  local cut = outcome.truncated and ("[Only the first %d bytes are shown. Return less.]"):format(osascript.OUTPUT) or ""
  return results.of(call, { outcome.result, cut }, shape(outcome))
end


--- The structure of a result, with milliseconds.
function M.in_milliseconds(outcome)
  return { result = outcome.result, stderr = outcome.stderr, duration_ms = results.milliseconds(outcome.seconds) }
end


--- The same with seconds.
function M.in_seconds(outcome)
  return { result = outcome.result, stdout = outcome.result, stderr = outcome.stderr, duration = outcome.seconds }
end


--- Codes of all these tools.
---@param more? table<string, string>
---@return table<string, string>
function M.codes(more)
  local codes = {
    NOT_SUPPORTED = "This is not macOS; the message names the tools to use instead.",
    TIMEOUT = "The script did not end in time, or an application did not answer it.",
    SCRIPT_INVALID = "The script does not compile; the message has the place.",
    SCRIPT_ERROR = "The script failed, by an error of its own as well; the message has osascript's words and number.",
    APP_NOT_FOUND = "The application is not installed.",
    APP_NOT_RUNNING = "The application does not run, or quit during the script.",
    NOT_FOUND = "The application has no such object or property, or there is no such file.",
    PERMISSION_DENIED_AUTOMATION = "macOS does not let this program control the application; the message says where to allow it.",
    NO_OSASCRIPT = "The program osascript was not found.",
  }
  for code, meaning in pairs(more or {}) do codes[code] = meaning end
  return codes
end


return M
