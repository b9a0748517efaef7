--- Checks a script in one of five languages without running any of it.

local applescript  = require "scripting.applescript"
local applications = require "scripting.applications"
local check        = require "applescript.check"
local checkers     = require "checkers"
local checking     = require "scripting.checking"
local dictionaries = require "scripting.dictionaries"
local engine       = require "sys.engine"
local here         = require "scripting.here"
local javascript   = require "scripting.javascript"
local json         = require "sys.json"
local osascript    = require "scripting.osascript"
local process      = require "sys.process"
local targets      = require "applescript.targets"

local M = {}

local PATIENCE = checking.PATIENCE

---@class scripting.Fault
---@field line integer
---@field column integer
---@field message string
---@field code? string
---@field nearest? string[]

---@class scripting.Validity
---@field valid boolean
---@field checked "compiled"|"structure"
---@field errors scripting.Fault[]
---@field warnings scripting.Fault[]


---@return scripting.Validity
local function validity(checked, errors, warnings)
  return { valid = #errors == 0, checked = checked, errors = json.array(errors), warnings = json.array(warnings or {}) }
end


local function fault(line, column, message, code) return { line = line, column = column, message = message, code = code } end


--- The faults in the lines that a shell wrote: "sh: 3: Syntax error: ..." or "sh: line 3: syntax error: ...".
local function faults_of_shell(stderr)
  local list = {}
  for text in stderr:gmatch "[^\n]+" do
    local line, message = text:match "^[^:]*: line (%d+): (.*)$"
    if not line then line, message = text:match "^[^:]*: (%d+): (.*)$" end
    if not line then line, message = text:match "^[^:]*:(%d+): (.*)$" end
    if not line then line, message = text:match "at line (%d+)", text:match "^[^:]*: (.*)$" or text end
    list[#list + 1] = fault(tonumber(line) or 1, 1, message)
  end
  return list
end


--- The program that the first line of a script names: bash for "#!/bin/bash -e" and "#!/usr/bin/env bash".
local function interpreter_of(script)
  for word in (script:match "^#!([^\r\n]*)" or ""):gmatch "%S+" do
    local name = word:match "^.*/(.*)$" or word
    if name ~= "env" and not name:find "^%-" then return name end
  end
end


--- A warning, if the first line of a script names something else than the shell that checks it.
local function other_shell(script)
  local name = interpreter_of(script)
  if not name or name == "sh" then return {} end
  return { fault(1, 1, ("The first line names %s, but the script was checked as one for /bin/sh, by which "
    .. "execute_shell_command runs it: what is an error here may be none in %s."):format(name, name), "other_shell") }
end


local LANGUAGES = {}


function LANGUAGES.shell(script)
  local nul = script:find("\0", 1, true)
  if nul then
    local _, lines = script:sub(1, nul):gsub("\n", "\n")
    return validity("compiled", { fault(lines + 1, 1, "There is a NUL byte, which no shell reads.") })
  end
  local ended, err, code = checking.run(checkers.shell, script)
  if not ended then return nil, err, code end
  local faults, warnings = faults_of_shell(ended.stderr), other_shell(script)
  if ended.code == 0 then return validity("compiled", {}, table.move(faults, 1, #faults, #warnings + 1, warnings)) end
  return validity("compiled", faults[1] and faults or { fault(1, 1, "The shell refuses it and does not say why.") }, warnings)
end


function LANGUAGES.python(script)
  local ended, err, code = checking.run(checkers.python, script)
  if not ended then return nil, err, code end
  local told = ended.code == 0 and json.decode(ended.stdout)
  if not told then return nil, "The script was not checked: " .. (ended.stderr:match "([^\n]*)\n*$" or ""), "check_failed" end
  return validity("compiled", told.errors, told.warnings)
end


--- Lua is compiled in a guest, which ends if that takes long. The statement before the script ends the run before any of it:
--- a guest compiles the whole text first, so the script cannot close the block.
function LANGUAGES.lua(script)
  if script:byte() == 27 then return validity("compiled", { fault(1, 1, "It is a binary chunk, not the text of a script.") }) end
  local text = script:gsub("^\239\187\191", ""):gsub("^#[^\n]*", "")
  local done, err, code = engine.run_lua("do return end " .. text, { name = "script", timeout = PATIENCE })
  if done then return validity("compiled", {}) end
  if code ~= "syntax" then return nil, "The script was not checked: " .. err, code end
  local line, message = err:match "^script:(%d+): (.*)$"
  return validity("compiled", { fault(tonumber(line) or 1, 1, message or err) })
end


--- The answer of the compiler of macOS. nil: it gave none that is about the script.
---@param language "applescript"|"javascript"
---@return scripting.Fault[]?
local function compiled(language, script)
  if not here.has_osascript() or not process.exists(checkers[language][1]) then return nil end
  local ended = checking.run(checkers[language], script)
  if not ended then return nil end
  if ended.code == 0 then return {} end
  local message, number = ended.stderr:match "error: (.-) ?%((%-27%d%d)%)"
  if not message then return nil end
  local line, column = osascript.place(script, ended.stderr)
  return { fault(line or 1, column or 1, ("%s (%s)"):format(message, number)) }
end


function LANGUAGES.javascript(script)
  local faults = javascript.check(script)
  local answer = not faults[1] and compiled("javascript", script)
  if answer then return validity("compiled", answer) end
  return validity("structure", faults)
end


--- The errors and the warnings of the checker of AppleScript.
local function findings_of(report)
  local lists = { error = {}, warning = {} }
  for _, finding in ipairs(report.findings) do
    local one = fault(finding.line, finding.column, finding.message, finding.code)
    one.nearest = finding.nearest and { finding.nearest }
    table.insert(lists[finding.severity], one)
  end
  return lists.error, lists.warning
end


---@param script string
---@param id? string  the bundle ID of the only application that it is for
function LANGUAGES.applescript(script, id)
  local named = targets.of(script)
  local errors, warnings = findings_of(check.run(script, { dictionaries = dictionaries.of(named, id) }))
  local other, sure
  if id then other, sure = applescript.other_fault(script, id) end
  if other then table.insert(sure and errors or warnings, other) end
  local answer = not errors[1] and applications.are_installed(named) and compiled("applescript", script)
  if answer then return validity("compiled", answer, warnings) end
  return validity("structure", errors, warnings)
end


---@param args {script: string, type: string, appBundleId?: string}
---@return scripting.Validity?
---@return string? err
---@return string? code
function M.run(args) return LANGUAGES[args.type](args.script, args.appBundleId) end


return M
