--- Text that a line in a terminal, or a program, gets by itself from where text from outside lies: the clipboard, a file that was
--- written with such text, a page that it runs as it comes.

local address    = require "policy.address"
local crypto     = require "sys.crypto"
local last_name  = require("sys.path").name
local policy     = require "sys.policy"
local provenance = require "policy.provenance"
local set_of     = require("word_set").of

local M = {}

local MOST = 256        -- applications that are remembered
local PIECES = 4        -- words of the name of a file in quotation marks


-- --- the line ---------------------------------------------------------------------------------

--- A line as a shell reads its words: without quotes and what stands for nothing.
local function plain_line(line)
  return (line:gsub("\\\n", ""):gsub("[\\'\"]", ""):gsub("%$%(%s*%)", ""):gsub("``", ""):gsub("%$[@*]", ""):gsub("%${[@*]}", "")
    :gsub("%${?IFS}?", " "))
end


--- The line as the input leaves it, also as a shell reads its words.
local function line_of(effect)
  local line
  if effect.effect == "input" then line = effect:fact "whole_line" else line = effect:fact "text" or "" end
  return plain_line(line), line
end


--- The names in a line: its words, of each path the last part.
local function names_in(line)
  local list = {}
  for word in line:gmatch "[%w._+@~%%?*%[%]:\x80-\xFF-]+" do list[#list + 1] = word end
  return list
end


--- Does a word of the line stand for this name? Its signs may stand for letters.
local function stands_for(word, name)
  if word == name then return true end
  if not word:find "[?*%[]" or not word:find "%w" then return false end
  local pattern = word:gsub("[%%%-+.^$()]", "%%%0"):gsub("%*", ".*"):gsub("%?", "."):gsub("%[!", "[^")
  local ok, found = pcall(string.find, name, "^" .. pattern .. "$")
  return not ok or found ~= nil
end


-- --- the clipboard ----------------------------------------------------------------------------

-- Programs that print it, whatever their options, and calls of libraries that do.
local READERS = set_of [[ wl-paste pbpaste klipper greenclip cliphist copyq gpaste gpaste-client parcellite clipit xclipboard
  pyperclip clipboard_get ]]
local CALLS = { "clipboard%.get", "%.clipboard%f[%W]", "get%-?clipboard", "clipboardcontents", "qclipboard", "clipboard%s+%-g",
  "wait_for_text", "clipman" }

-- Options by which these print it, and those by which xsel only takes it.
local PRINTS = { xclip = { "^%-ou?t?$" }, xsel = { "^%-%a*o%a*$", "^%-%-output$" } }
local TAKES = { "^%-%a*[iackd]%a*$", "^%-%-input$", "^%-%-append$", "^%-%-clear$", "^%-%-keep$", "^%-%-delete$",
  "^%-%-exchange$" }

--- Does the rest of a command have one of these options?
local function has_option(rest, options)
  for word in rest:match "^[^|;&]*":gmatch "[^%s,{}()<>`]+" do
    for _, option in ipairs(options) do
      if word:find(option) then return true end
    end
  end
  return false
end


local function reads_by(line, name)
  for at, word in line:gmatch "()([%w._?*%[%]-]+)" do
    if stands_for(word, name) then
      local rest = line:sub(at + #word)
      if has_option(rest, PRINTS[name]) then return true end
      if name == "xsel" and not line:sub(1, at - 1):find "|%s*$" and not has_option(rest, TAKES) then return true end
    end
  end
  return false
end


--- True if the line that the input leaves has a command which reads the clipboard.
---@param effect policy.Effect
---@return boolean
function M.reads_clipboard(effect)
  local spec = effect.effect == "input" and effect:fact "spec"
  if effect.effect == "input" and not (spec.text or spec.chord) then return false end
  local line = line_of(effect):lower()
  if line == "" then return false end
  if reads_by(line, "xclip") or reads_by(line, "xsel") then return true end
  for _, word in ipairs(names_in(line)) do
    for name in pairs(word:find "[?*%[]" and READERS or {}) do
      if stands_for(word, name) then return true end
    end
    if READERS[word] then return true end
  end
  for _, call in ipairs(CALLS) do
    if line:find(call) then return true end
  end
  return false
end


-- --- files ------------------------------------------------------------------------------------

local function mark(text) return "perigee-wrote-" .. crypto.hex(assert(crypto.sha256(text))):sub(1, 40) end

--- A word for the name of a file, which is kept as text from outside is: for a day, in all sessions.
local function mark_of(name) return mark((name:gsub("[^%w._+@~%%:\x80-\xFF-]", ""))) end


--- A word that is kept with each of these, so that one comparison tells whether there are any. No name has a blank.
local function mark_of_any() return mark "any file" end


local function marks_of(paths)
  local list = {}
  for i, path in ipairs(paths or {}) do list[i] = mark_of(last_name(path)) end
  return list
end


--- The marked files, and the applications that got text from outside, as far as this session knows.
local function mine()
  local all = policy.memory()
  all.fetched = all.fetched or { names = {}, apps = {}, count = 0 }
  return all.fetched
end


local function keep(effect, paths, sources)
  provenance.note_place(effect.caller, { mark_of_any(), table.unpack(marks_of(paths)) }, sources)
  for _, path in ipairs(paths) do
    local names, name = mine().names, last_name(path)
    names[name], names[#names + 1] = true, not names[name] and name or nil
    if #names > MOST then names[table.remove(names, 1)] = nil end
  end
end


-- Commands that only show a file, count it or take it away, where the line has no other one.
local HARMLESS = set_of "ls ll cat head tail less more wc file stat du rm rmdir trash md5sum sha256sum"
local GIT = set_of "add status diff log"

local function is_harmless(line)
  if line:find "[|;&$`<>(){}\n\\]" then return false end
  local command, rest = line:match "^%s*(%S+)%s*(%S*)"
  return command == nil or HARMLESS[command] or command == "git" and GIT[rest] or false
end


local function unnamed(word) return require("policy.effect.programs").unnamed(word) end


--- The sources of what is in the files that the line names, or runs unnamed.
local function from_files(effect, line, plain)
  if is_harmless(line) or not provenance.of(effect.caller, { mark_of_any() })[1] then return {} end
  local words, marks = names_in(plain), {}
  for at, word in ipairs(words) do
    marks[#marks + 1] = mark_of(word)
    local joined = word
    for next_at = at + 1, line:find "[\\'\"]" and math.min(at + PIECES - 1, #words) or at do
      joined = joined .. words[next_at]
      marks[#marks + 1] = mark_of(joined)
    end
    for _, name in ipairs(word:find "[?*%[]" and mine().names or {}) do
      if stands_for(word, name) then marks[#marks + 1] = mark_of(name) end
    end
    for _, name in ipairs(unnamed(word)) do marks[#marks + 1] = mark_of(name) end
  end
  return marks[1] and provenance.of(effect.caller, marks) or {}
end


--- The sources of what is in the files that a program runs.
---@param effect policy.Effect
---@return string[]
function M.of_program(effect)
  local checks = effect:fact "checks"   -- then only the program itself: what it reads is not run, and no name in it is a file's
  local argv, start, marks = { table.unpack(effect:fact "argv", 1, checks and 1 or nil) }, effect:fact "cwd" or ".", {}
  for _, file in ipairs(effect.effect == "start" and effect:fact "opens" or {}) do argv[#argv + 1] = tostring(file) end
  if not argv[1] then return {} end
  local function is_file(word) return (policy.stamp(word, start) or "") ~= "" end
  local function is_program(word)
    local path = word:find("/", 1, true) and policy.real(word, start)
    return path and policy.on_path(path) or false
  end
  local given = { text = not checks and effect:fact "text", running = effect.how == "write" }
  for _, word in ipairs(require("policy.effect.programs").run_files(argv, given, is_file, is_program)) do
    for name in word:gmatch "[^/%s:=,;|&<>()'\"`]+" do marks[#marks + 1] = mark_of(name) end
    local real = not word:find "^%-" and policy.real(word, start) or word   -- a link may have any name
    table.move(marks_of { word, real }, 1, 2, #marks + 1, marks)
  end
  return provenance.of(effect.caller, marks)
end


-- --- pages ------------------------------------------------------------------------------------

local LOADERS = set_of [[ curl wget fetch aria2c axel http https xh lynx w3m links elinks nc ncat netcat socat ftp lftp tftp
  scp sftp ]]
local RUNNERS = set_of [[ sh ash bash dash zsh fish ksh csh tcsh yash busybox python python2 python3 perl ruby node bun deno
  php lua osascript pwsh eval source exec xargs iex ]]
local AT_ONCE = { "[|;&\n]%s*%.%s", "^%s*%.%s", "[|;&]%s*%.?/", "^%s*%$%(", "[|;&\n]%s*%$%(", "^%s*`", "[|;&\n]%s*`" }

--- True if the line runs something beside what it loads.
local function runs(plain)
  for word in plain:gsub("python%d?%s+%-m%s+json%.tool", ""):gmatch "[%w._-]+" do
    if RUNNERS[word] then return true end
  end
  for _, pattern in ipairs(AT_ONCE) do
    if plain:find(pattern) then return true end
  end
  return false
end


--- The hosts that a line names; false: one that cannot be told.
local function hosts_in(plain)
  local list, loads = {}, false
  for word in plain:gmatch "[^%s|;&<>()`]+" do
    local authority = word:match "^%a[%w+.-]*://([^/?#]*)" or loads and word:match "^([%w-]+%.[%w.-]*%w:?%d*)%f[/\0]"
    if authority then list[#list + 1] = address.host_of("x://" .. authority) or false end
    loads = loads or LOADERS[last_name(word)] == true
  end
  return loads and list or nil
end


--- True if a program loads pages, as far as its words say.
---@param argv string[]
---@param text string  what it reads
---@return boolean
function M.loads(argv, text)
  local all = plain_line(table.concat(argv, " ") .. " " .. text)
  if all:find "%f[%w]https?://" or all:find "%f[%w]ftps?://" then return true end
  for word in all:gmatch "[%w._-]+" do
    if LOADERS[word] then return true end
  end
  return false
end


--- The sources of a page that the line runs as it comes, from a host that the caller did not name in an earlier call.
local function from_pages(effect, plain)
  local hosts = runs(plain) and hosts_in(plain)
  if not hosts or hosts[1] and provenance.named(effect.caller, hosts, effect.call) then return {} end
  effect.fetches = hosts
  return { "web" }
end


--- The sources of the text that the line gets by itself, if it is one in a terminal.
---@param effect policy.Effect
---@return string[]
function M.of(effect)
  local spec = effect.effect == "input" and effect:fact "spec"
  if spec and not (spec.text or spec.chord) then return {} end
  local plain, line = line_of(effect)
  if not plain:find "%S" or effect:fact "terminal" == false then return {} end
  local found = from_files(effect, line, plain)
  if found[1] then return found end
  return from_pages(effect, plain)
end


-- --- notes ------------------------------------------------------------------------------------

--- Remembers that an application got text from outside, which it may save.
---@param effect policy.Effect
function M.note_application(effect)
  local pasted = effect.effect == "input" and not effect.found[1] and effect:fact "pasted"
  local sources = effect.found[1] and effect.found or pasted and provenance.of(effect.caller, { pasted }) or {}
  local known = mine()
  for _, app in ipairs(sources[1] and effect:fact "apps" or {}) do
    if app.pid and not known.apps[app.pid] then
      if known.count >= MOST then known.apps, known.count = {}, 0 end
      known.apps[app.pid], known.count = sources, known.count + 1
    end
  end
end


--- The sources of what the application of a file dialog may save.
local function from_application(pid)
  local apps = mine().apps
  if pid then return apps[pid] or {} end
  local _, sources = next(apps)
  return sources or {}
end


--- Remembers the file that an effect writes, if it is with text from outside.
---@param effect policy.Effect
function M.note(effect)
  if effect:fact "own" then return end
  local paths, sources = effect:fact "paths" or {}, {}
  if effect.how == "choose_file" then
    if not paths[1] then paths = { tostring(effect.given[1]) } end
    sources = from_application(tonumber(effect.given[2]))
  elseif effect.how == "copy" or effect.how == "rename" then
    sources, paths = provenance.of(effect.caller, marks_of { paths[1] }), { paths[2] }
  elseif effect:fact "text" then
    sources = effect.call and provenance.names((policy.given(effect.call))) or {}
    if not sources[1] then sources = provenance.of(effect.caller, { effect:fact "text" }, true, effect.subject) end
  end
  if sources[1] and paths[1] then keep(effect, paths, sources) end
end


return M
