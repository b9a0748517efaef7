--- The work of perigee macro: lists, runs, opens and checks the user's macros.

local env         = require "sys.env"
local identity    = require "macros.identity"
local json        = require "sys.json"
local macro_check = require "cli.macro_check"
local policy      = require "sys.policy"
local process     = require "sys.process"
local shelf       = require "macros.shelf"
local text        = require "terminal.text"
local words       = require "cli.words"

local M = {}


--- The macro of a name; a wrong name is wrong usage.
local function named(name)
  local found, err = shelf.find(name)
  if found then return found end
  return nil, (err:gsub("list_macros lists", "`perigee macro list` lists")), "usage"
end


---@param args {json?: boolean}
---@param io perigee.IO
function M.list(args, io)
  local list, width = {}, 0
  for i, found in ipairs(shelf.all()) do
    list[i] = shelf.facts(found)
    width = math.max(width, text.width(found.id))
  end
  if args.json then
    io:json(json.array(list))
  elseif #list == 0 then
    io:print "There are no macros. Make one with the tool create_macro, or write one (`perigee help macros`)."
  end
  for _, facts in ipairs(args.json and {} or list) do
    io:print(("%s  %s"):format(text.pad(facts.name:match "[^/]*$", width),
      facts.problem and "does not load: " .. facts.problem or facts.display_name))
  end
end


--- The faults of a macro: of its file, and of what is recorded of its steps.
local function faults_of(found)
  local list = {}
  local function add(message) list[#list + 1] = { file = found.path, message = message } end
  if found.problem then add(found.problem) end
  local code, recorded = policy.code(found.path) or "", policy.code(shelf.record(found.path))
  for _, finding in ipairs(macro_check.findings(code)) do add(("line %d: %s"):format(finding.line, finding.message)) end
  if #shelf.steps(code) == 0 then add "it has no step" end
  if not recorded then return list end
  local record, err = identity.read(recorded)
  if not record then
    add(("%s cannot be used: %s"):format(shelf.record(found.path), err))
    return list
  end
  for _, step in ipairs(record.steps) do
    if type(step.selector) == "string" and not code:find(step.selector, 1, true)
      and not code:find((("%q"):format(step.selector)), 1, true) then
      add(("a step is recorded for %s, and no line has this selector. Record it again, or remove it from %s"):format(
        step.selector, shelf.record(found.path)))
    end
  end
  return list
end


---@param args {names: string[], json?: boolean}
---@param io perigee.IO
function M.check(args, io)
  local list, faults = {}, {}
  if #args.names == 0 then list = shelf.all() end
  for i, name in ipairs(args.names) do
    local found, err, code = named(name)
    if not found then return nil, err, code end
    list[i] = found
  end
  for _, found in ipairs(list) do
    local own = faults_of(found)
    table.move(own, 1, #own, #faults + 1, faults)
  end
  if args.json then
    io:json { problems = json.array(faults), macros = #list }
  else
    for _, fault in ipairs(faults) do io:print(("%s: %s"):format(fault.file, fault.message)) end
    io:print(("%d macro%s; %s"):format(#list, #list == 1 and "" or "s", #faults == 0 and "all well"
      or ("%d problem%s"):format(#faults, #faults == 1 and "" or "s")))
  end
  return #faults > 0 and 1 or 0
end


-- --- editing ---------------------------------------------------------------------------------------------------

--- The user's editor; nil: none is named.
---@return string[]? words
---@return string? err
local function editor()
  for _, variable in ipairs { "VISUAL", "EDITOR" } do
    local said = env.get(variable, "")
    if said:find "%S" then
      local list = words.split(said)
      if not list then return nil, ("a quote in %s is not closed: %s"):format(variable, said) end
      return list
    end
  end
end


--- Runs an editor in the terminal, in a session of its own: a program that is in no terminal's foreground may not read from it.
local function run_here(list, path)
  local tty = process.run { "sh", "-c", "readlink /proc/$PPID/fd/0" }
  local device = tty and tty.stdout:match "^(/dev/[^\n]+)"
  if not device then return nil, "stdin is not a terminal" end
  local all = { "setsid", "--wait", "sh", "-c", 'exec <"$0" >"$0" 2>&1; exec "$@"', device }
  table.move(list, 1, #list, #all + 1, all)
  all[#all + 1] = path
  local child, err = process.start(all)
  if not child then return nil, err end
  local held <close> = child
  local ended, code
  repeat ended, err, code = held:wait(3600) until ended or code ~= "timeout"
  if ended and ended.code == 0 then return true end
  return nil, ended and ("it ended with the code %s"):format(ended.code or ended.signal) or err
end


--- Opens a file with the desktop's editor, and does not wait for it.
local function open_there(path)
  local list = env.platform == "macos" and { "open", "-t", path } or { "xdg-open", path }
  list.timeout, list.discard = 20, true
  local ended, err, code = process.run(list)
  if ended and ended.code == 0 then return 0 end
  if not ended and code ~= "not_found" then return nil, err, code end
  return nil, ("no editor was opened by %s. Set EDITOR, or open the file yourself: it is loaded each time you save it"):format(
    list[1])
end


--- Prints the path. On a terminal it opens the file in the user's editor, and checks it afterwards.
---@param args {name: string}
---@param io perigee.IO
function M.edit(args, io)
  local found, err, code = named(args.name)
  if not found then return nil, err, code end
  io:print(found.path)
  if not io.terminal then return 0 end
  local list
  list, err = editor()
  if err then return nil, err, "usage" end
  if not list or env.platform == "macos" or not io.interactive then return open_there(found.path) end
  local ok
  ok, err = run_here(list, found.path)
  if not ok then return nil, ("the editor %s failed: %s"):format(list[1], err) end
  shelf.renew()
  return M.check({ names = { found.id } }, io)
end


return M
