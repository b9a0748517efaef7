--- The facts about programs that are started, and files and pages that are opened.

local last_name = require("sys.path").name
local policy    = require "sys.policy"

local M = {}

--- How it is started, or how the process was that is written to.
local function first(effect)
  if effect.effect == "process" and effect.how == "write" then return require("policy.effect.child").spec(effect) end
  return type(effect.given[1]) == "table" and effect.given[1] or {}
end


local function list_of(spec)
  local argv = {}
  for i, word in ipairs(spec) do argv[i] = tostring(word) end
  return argv
end


local function opened(effect) return effect.how == "open" and first(effect).files or {} end


--- A path as sys.app and the system read it: "~" is the home directory, and others start in the engine's directory.
local function real(path)
  if path == "~" or path:find "^~/" then return policy.real(path) end
  return policy.real(path, ".")
end


--- The directory in which paths in the arguments of a process start.
---@return string?
local function directory(effect)
  if effect.effect == "process" then return effect:fact "cwd" end
  return real "."
end


--- The files and addresses among the files and the arguments of an application.
local function reached(effect)
  local list = { table.unpack(opened(effect)) }
  for _, word in ipairs(effect.how == "open" and first(effect).arguments or {}) do
    local value = tostring(word):match "^%-[%w_-]*=(.*)$" or tostring(word)
    if value:find "^[/~.]" or value:find "^%a[%w+.-]*:" then list[#list + 1] = value end
  end
  return list
end


--- The program and its arguments, as the system gets them.
---@return string[]
function M.argv(effect)
  local spec = first(effect)
  if effect.how == "open" then
    local argv = { tostring(spec.name) }
    for _, word in ipairs(spec.arguments or {}) do argv[#argv + 1] = tostring(word) end
    return argv
  end
  if effect.how == "connect" then
    local argv = { spec.command or spec.socket }
    for _, word in ipairs(spec.args or {}) do argv[#argv + 1] = tostring(word) end
    return argv
  end
  return list_of(spec)
end


--- The program's file, with links resolved; false: it is looked for by its name.
---@return string|false|nil
function M.file(effect)
  local program = (effect:fact "argv")[1]
  if not program or not program:find("/", 1, true) then return false end
  if effect.effect ~= "process" or program:find "^~/" then return (real(program)) end
  local start = directory(effect)
  return start and policy.real(program, start)
end


--- The file of its program: the one that it names, or that the system finds by its PATH; false: none. nil: it cannot be told.
---@return string|false|nil
function M.found(effect)
  local program, file = (effect:fact "argv")[1], effect:fact "file"
  if file ~= false or not program or program == "" then return file end
  return require("policy.effect.found").file(program, effect.effect == "process" and first(effect).env, directory(effect))
end


--- True if its name is that of the program which the user gets by it. One with a path has no such name.
---@return boolean?
function M.usual(effect)
  local program, found = (effect:fact "argv")[1] or "", effect:fact "found"
  if found == nil or program:find("/", 1, true) then return found ~= nil or nil end
  return require("policy.effect.found").is_usual(program, found)
end


local FILES = 16   -- of the words of a command, that may be scripts

--- For each of the first words, the state of the file that it names: a program, or a script that it runs. Another text once the
--- file was written, or replaced.
---@return string[]
function M.stamps(effect)
  local list, start = {}, directory(effect)
  for i, word in ipairs(effect:fact "argv") do
    if i > FILES then break end
    local base = not (i == 1 and word:find "^~/") and start or nil
    local file = i == 1 and not word:find("/", 1, true) and effect:fact "found" or word
    list[i] = start and (i > 1 or file:find("/", 1, true)) and file ~= "" and policy.stamp(file, base) or ""
  end
  return list
end


--- Text that it is given to read.
---@return string|false
function M.text(effect)
  if effect.how == "write" then return require("policy.effect.child").text(effect) end
  local spec = first(effect)
  local text = spec.input or spec.text
  return type(text) == "string" and text or false
end


--- The variables that are set for it, as NAME=value; those that are taken away without the sign.
---@return string[]|false
function M.env(effect)
  local list, env = {}, first(effect).env
  for name, value in pairs(type(env) == "table" and effect.effect == "process" and env or {}) do
    list[#list + 1] = value == false and tostring(name) or ("%s=%s"):format(name, value)
  end
  table.sort(list)
  return list[1] and list or false
end


--- The directory that it is given to start in; nil: it is the engine's.
---@return string?
local function given_cwd(effect)
  local cwd = first(effect).cwd
  return type(cwd) == "string" and cwd or nil
end


--- The directory that a process starts in, with links resolved.
---@return string|false|nil
function M.cwd(effect) return effect.effect == "process" and real(given_cwd(effect) or ".") end


--- The same for questions, which name no directory that was not given.
---@return string|false|nil
function M.chosen_cwd(effect) return given_cwd(effect) ~= nil and effect:fact "cwd" end


--- True if it only checks a script that it reads.
function M.checks(effect)
  if effect.how ~= "run" or effect.subject.runs or effect:fact "env" then return false end
  return require("checkers").is(effect:fact "argv")
end


--- True if it runs what its arguments, its input or its variables say. A tool with `runs` is given code by its caller, so any
--- program that it starts is part of that.
function M.shell(effect)
  if effect:fact "checks" then return false end
  if effect.effect == "process" and effect.subject.runs then return true end
  if effect.how == "run" and first(effect).text then return true end
  if effect.how == "connect" then
    if effect.subject.mounted then return false end   -- the user wrote how its server is started
    if first(effect).socket then return true end      -- somebody else's engine runs what it is sent
  end
  local programs, argv = require "policy.effect.programs", effect:fact "argv"
  for _, each in ipairs(effect:fact "env" or {}) do
    if programs.loads(each) then return true end
  end
  local given = { text = effect:fact "text", running = effect.how == "write", moved = effect:fact "chosen_cwd" ~= false }
  local function runs(words) return programs.run(words, given) end
  if runs(argv) then return true end
  local found = effect:fact "found"   -- a link may have any name
  local behind = found and require("policy.effect.found").behind(argv[1], found)
  return behind and runs { behind, table.unpack(argv, 2) } or false
end


--- True if an application is only started, by its name, or a server in the way that the user wrote down.
function M.bare(effect)
  if effect.how == "connect" then return effect.subject.mounted == true end
  return effect.effect == "start" and #effect:fact "argv" == 1 and #opened(effect) == 0 and not effect:fact "program"
end


--- The words that others may have chosen. The name of an application is always on the screen.
function M.words(effect)
  if effect.effect == "process" and effect.how == "write" then return { effect:fact "text" or nil } end   -- the rest was judged
  local argv = effect:fact "argv"
  if effect:fact "checks" then return {} end   -- the words of the command are ours, and the text is not run
  if effect.how == "connect" and effect.subject.mounted then return {} end   -- the user wrote how its server is started
  local from = effect.how == "open" and not effect:fact "program" and 2 or 1
  local spec = first(effect)
  local sent = effect.how == "connect" and spec.url and require("policy.effect.request_words").of(spec, false)
  return { { table.unpack(argv, from) }, opened(effect), effect:fact "text" or false, effect:fact "url" or false,
    effect:fact "paths" or false, effect:fact "file" or false, effect:fact "env" or false, effect:fact "chosen_cwd" or false,
    sent or nil }
end


--- True if it is not an application of the desktop.
function M.program(effect)
  if effect.effect == "process" then return true end
  return require("policy.target").is_program({ kind = "tool", name = "open_application" },
    { application = first(effect).name })
end



--- All that it is given to open, as it is given.
function M.opens(effect) return opened(effect) end


-- Schemes of URLs that lead to no file here.
local REMOTE = { http = true, https = true, ftp = true, ftps = true, ws = true, wss = true, mailto = true, tel = true,
  sms = true }

-- Schemes of files, and of places that file managers show.
local PLACES = { file = true, smb = true, sftp = true, dav = true, davs = true, nfs = true, mtp = true, afp = true, trash = true,
  recent = true, computer = true, network = true }


--- Programs leave control characters and blanks out.
local function scheme_of(text) return (text:gsub("[%c%s]", ""):match "^(%a[%w+.-]*):" or ""):lower() end


--- True for a URL that may be a command for the application: macro:///Tools.Run(...), service:..., .uno:Quit, javascript:...
local function may_be_command(text)
  local scheme = text:gsub("[%c%s]", ""):match "^([%w+._-]+):"
  scheme = scheme and scheme:lower()
  return scheme ~= nil and not REMOTE[scheme] and not PLACES[scheme]
end


--- True if it is given arguments of its own, beside files to open and pages.
function M.arguments(effect)
  if #effect:fact "argv" > 1 then return true end
  for _, each in ipairs(opened(effect)) do
    if may_be_command(tostring(each)) then return true end
  end
  return false
end


--- The files that it opens, with links resolved. nil: one cannot be told, such as that of a URL within another one.
---@return string[]|false|nil
function M.paths(effect)
  local list = {}
  for _, each in ipairs(reached(effect)) do
    local scheme = scheme_of(tostring(each))
    if not REMOTE[scheme] then
      local path = (scheme == "" and require("policy.address").path or require("policy.arguments").path_of)(tostring(each))
      list[#list + 1] = path and real(path) or nil
      if not path or not list[#list] then return nil end
    end
  end
  return list[1] and list or false
end


--- The addresses that it opens.
---@return string[]|false
function M.url(effect)
  local list = {}
  for _, each in ipairs(reached(effect)) do
    local scheme = scheme_of(tostring(each))
    if scheme ~= "" and scheme ~= "file" then list[#list + 1] = tostring(each) end
  end
  local spec = first(effect)
  if effect.how == "connect" and spec.url then list[1] = spec.url end
  return list[1] and list or false
end


function M.host(effect) return require("policy.effect.remote").hosts(effect:fact "url") end


--- The applications that a script for osascript names; nil: it may reach others as well.
local function scripted(effect)
  local argv = effect:fact "argv"
  if effect.how ~= "run" or last_name(argv[1] or "") ~= "osascript" then return false end
  local text = effect:fact "text"
  if not text or argv[2] ~= "-" then return nil end   -- a file, a text among the words, or another language
  local targets = require("applescript.targets").of(text)
  if targets.unknown then return nil end
  return require("scripting.applications").names(targets)
end


function M.apps(effect)
  if effect.effect == "process" then return scripted(effect) end
  if effect.effect == "start" then return require("policy.target").opened(tostring(first(effect).name)) end
  return false
end


--- Remembers what a caller opened in words of its own.
---@param effect policy.Effect
---@param approved boolean
function M.note(effect, approved)
  if not approved then require("policy.effect.origin").note(effect) end
end


--- True if all that it opens is in a directory that the user granted.
function M.granted(effect) return require("policy.effect.place").all_below(effect, policy.grants()) end


return M
