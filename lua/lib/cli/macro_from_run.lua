--- perigee macro from-run: makes a macro of the journal of an agent's run, and keeps it if it holds.

local engine     = require "sys.engine"
local files      = require "sys.files"
local from_calls = require "macros.from_calls"
local json       = require "sys.json"
local set_of     = require("word_set").of
local shelf      = require "macros.shelf"
local tape       = require "agent.tape"
local text       = require "terminal.text"
local trial      = require "cli.macro_trial"
local wishes     = require "macros.wishes"
local writer     = require "macros.writer"

local M = {}

local TITLE = 60   -- characters of a title that is made of the request


-- --- the journal ----------------------------------------------------------------------------------------------

--- The tools of a run that only read.
local function readers_of(run)
  local reads = {}
  for _, tool in ipairs(run.start.tools or {}) do
    reads[tool.name] = type(tool.annotations) == "table" and tool.annotations.readOnlyHint == true
  end
  return function(name)
    if reads[name] ~= nil then return reads[name] end
    local tool = engine.tool(name)
    return tool ~= nil and (tool.annotations or {}).readOnlyHint == true
  end
end


--- The calls of a run. A tool that was called by call_tool counts by itself.
---@param run agent.Tape
---@return macros.Made[]
local function calls_of(run)
  local reads, list = readers_of(run), {}
  for i, event in ipairs(run.results) do
    local tool, arguments = event.tool, type(event.arguments) == "table" and event.arguments or {}
    if tool == "call_tool" and type(arguments.name) == "string" then
      tool, arguments = arguments.name, type(arguments.arguments) == "table" and arguments.arguments or {}
    end
    list[i] = { tool = tool, arguments = arguments, text = event.text or "", structured = event.structured,
      failed = event.failed == true, reads = reads(tool) }
  end
  return list
end


local function title_of(request)
  local title = request:match "^%s*(.-)[.!?]?%s*$":gsub("%s+", " ")
  local stop = utf8.len(title) and utf8.offset(title, TITLE + 1)
  if stop and stop <= #title then title = title:sub(1, stop - 1):gsub("%s+%S*$", "") end
  return title ~= "" and title or "A run"
end


-- --- the words of the command ------------------------------------------------------------------------------------

--- The other values that the user passes: KEY=VALUE.
local function given_of(list)
  local given = {}
  for _, word in ipairs(list) do
    local name, value = word:match "^([%a_][%w_]*)=(.*)$"
    if not name then return nil, ("%q is not a value. Write KEY=VALUE"):format(word) end
    given[name] = value
  end
  return given
end


--- A name that no tool has; without --name it is made of the request.
local function name_of(args, title)
  local name = args.name or shelf.id_of(title):sub(1, 40):gsub("_+$", "")
  if not name:find "^[a-z][a-z0-9_]*$" or #name > 60 then
    return nil, ("%q cannot be the name of a macro. Use small letters, digits and _"):format(name), "usage"
  end
  if engine.tool(name) then return nil, ("there is a tool %s already. Pass --name with another one"):format(name) end
  return name
end


local function unknown(given, parameters)
  for name in pairs(given) do
    local known = false
    for _, each in ipairs(parameters) do known = known or each.name == name end
    if not known then
      local names = {}
      for i, each in ipairs(parameters) do names[i] = each.name end
      return ("the macro has no parameter %s. It has %s"):format(name, #names > 0 and table.concat(names, ", ") or "none")
    end
  end
end


-- --- making it -----------------------------------------------------------------------------------------------------

---@return macros.Source
local function source_of(name, run, taken)
  local title = title_of(wishes.generic(run.start.request, taken.wishes))
  return { id = name, display_name = title, description = "Made of a run of the agent: " .. title,
    parameters = wishes.parameters(taken.wishes), steps = taken.steps }
end


-- Tools of these act on a desktop only, so that trials on a fresh one change nothing else.
local ON_DESKTOP = set_of "desktop elements screen"

--- The first tool of the steps that acts on more than a desktop; nil: none does.
local function beyond(steps, reads)
  local toolsets = {}
  for _, file in ipairs(files.list()) do
    if file.kind == "tool" and not file.overridden_by then toolsets[file.name] = file.toolset end
  end
  for _, step in ipairs(steps) do
    local inner = step.tool == "macro.part" or ON_DESKTOP[toolsets[step.tool] or ""]
    if not inner and not reads(step.tool) then return step.tool end
  end
end


--- Makes the text of the macro, and tries it.
local function attempt(run, calls, args, given, io, unseen)
  local taken, err, code = from_calls.of(calls, run.start.request, { unseen = unseen })
  if not taken then return nil, err, code end
  local outside = beyond(taken.steps, readers_of(run))
  if outside then
    return nil, ("%s acts on more than a desktop, and to try it would do it again. Write the macro with create_macro"):format(
      outside)
  end
  local name
  name, err, code = name_of(args, wishes.generic(run.start.request, taken.wishes))
  if not name then return nil, err, code end
  local source = source_of(name, run, taken)
  local wrong = unknown(given, source.parameters)
  if wrong then return nil, wrong, "usage" end
  local page
  page, err, code = writer.text(source)
  if not page then return nil, err, code end
  local tried
  tried, err, code = trial.run { name = name, text = page, taken = taken, given = given, here = args.here == true, io = io }
  if tried then return { taken = taken, source = source, text = page, tried = tried, here = args.here } end
  return nil, err, code, taken
end


--- First with the steps whose effect was not seen, which may have had one; if it does not hold, without them.
local function made_of(run, calls, args, given, io)
  local made, err, code, taken = attempt(run, calls, args, given, io, true)
  if made or not taken or taken.unseen == 0 or code == "NO_DESKTOP" then return made, err, code end
  made = attempt(run, calls, args, given, io, false)
  return made, err, code
end


local function shown(values, taken, io)
  local list = {}
  for i, wish in ipairs(taken.wishes) do
    local value = wish.secret and "***" or tostring(values[wish.name])
    if wish.kind == "path" then value = value:match "[^/]*$" end
    list[i] = ("%s=%s"):format(wish.name, json.encode(value))
  end
  local line = table.concat(list, " ")
  return io.terminal and text.clean(line) or line
end


local function counted(count, what) return ("%d %s%s"):format(count, what, count == 1 and "" or "s") end


--- Says in words which macro was made.
local function told(made, path, run, io)
  local taken = made.taken
  io:print(("Wrote macros/%s: %s of %s, %s."):format(made.source.id, counted(#shelf.steps(made.text), "step"),
    counted(#run.results, "call"), counted(#taken.wishes, "parameter")))
  local where = made.here and "this desktop" or "a fresh desktop"
  io:print(#taken.wishes == 0 and ("It held on %s."):format(where)
    or ("It held on %s with the same values, and with %s"):format(where, shown(made.tried.values, taken, io)))
  if #made.tried.same > 0 then
    io:print(("No other value is known of %s, so it was not tried with one. Pass it as KEY=VALUE."):format(
      table.concat(made.tried.same, ", ")))
  end
  if not taken.checked then
    io:print "No look after the last step shows what the run wrote, so the macro has no check at its end."
  end
  io:print(path)
end


--- The advice for a macro that was not kept.
local function refused(err, code)
  if code == "NO_DESKTOP" then
    return ("The macro was not kept, because there is no fresh desktop to try it on: %s. Install it, or pass --here to try it on "
      .. "this desktop"):format(err)
  end
  return ("The macro was not kept: %s"):format(err:gsub("%.$", ""))
end


---@param args {journal: string, name?: string, values: string[], here?: boolean, json?: boolean}
---@param io perigee.IO
function M.run(args, io)
  local bytes, err, code = io:read(args.journal, tape.LARGEST)
  if not bytes then return nil, ("%s cannot be read: %s"):format(args.journal, err), code == "not_found" and "usage" or code end
  local run
  run, err, code = tape.parse(bytes, args.journal)
  if not run then return nil, err, code end
  local given
  given, err = given_of(args.values)
  if not given then return nil, err, "usage" end
  run.start.request = run.start.request or ""
  local made
  made, err, code = made_of(run, calls_of(run), args, given, io)
  if not made then
    if code == "usage" then return nil, err, code end
    return nil, refused(err, code), 1
  end
  local name, path = made.source.id
  path, err, code = shelf.save(name, made.text, made.source, { record = made.taken.record })
  if not path then return nil, err, code end
  if args.json then
    io:json { name = "macros/" .. name, file = path, steps = shelf.steps(made.text),
      parameters = json.array(made.source.parameters), not_varied = json.array(made.tried.same), checked = made.taken.checked }
    return 0
  end
  told(made, path, run, io)
  return 0
end


return M
