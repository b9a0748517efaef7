--- The work of perigee record: begins a recording, shows that it runs, and says what came of it.

local engine    = require "sys.engine"
local engines   = require "cli.engines"
local json      = require "sys.json"
local loops     = require "recorder.loop"
local recording = require "recorder.recording"
local sign      = require "recorder.sign"
local terminal  = require "sys.terminal"
local text      = require "terminal.text"

local M = {}


--- A name that no tool has: "recording", "recording_2".
local function free_name()
  local name, count = "recording", 1
  while engine.tool(name) do
    count = count + 1
    name = "recording_" .. count
  end
  return name
end


---@return string? name
---@return string? err
---@return string? code
local function name_of(given)
  if not given then return free_name() end
  if not given:find "^[a-z][a-z0-9_]*$" or #given > 60 then
    return nil, ("%s cannot name a macro. Use small letters, digits and _, and begin with a letter"):format(given), "usage"
  end
  if engine.tool(given) then
    return nil, ("There is a tool %s already. Use another name, or remove the macro with delete_macro"):format(given)
  end
  return given
end


--- Ends the recordings of the user's engines.
local function stop(io, args)
  local ended = {}
  sign.sweep()
  for _, answer in ipairs(engines.tell(io, "console_end_recording", {})) do
    if answer.result then ended[#ended + 1] = answer.pid end
  end
  if #ended == 0 then return nil, "No recording runs" end
  if args.json then io:json { ended = ended }
  else io:print(("Ended %d recording%s."):format(#ended, #ended == 1 and "" or "s")) end
  return 0
end


--- Makes a loop of what was done several times, if the user wants it.
---@return string? hint
local function offer(io, args, found)
  local loop = found:repeated()
  if not loop then return nil end
  local told = ("Steps %d to %d were done %d times with other values."):format(loop.first, loop.first + loop.length - 1,
    loop.count)
  local line = args.rows and "y" or nil
  if not line and io.interactive then line = terminal.ask(told .. " Make them a loop over the rows of a CSV file? [y/N] ") end
  if line and line:lower():find "^%s*y" then
    found:save(loop)
    return ("The values of the rows are in %s."):format(found.book:values(loops.rows(found.tape.steps, loop)))
  end
  return not io.interactive and told .. " With --rows they become a loop over the rows of a CSV file." or nil
end


local function report(io, args, name, found)
  local steps, notes = found.book.steps, recording.notes(found)
  if args.json then
    io:json { macro = name, file = found.book.path, steps = steps, notes = json.array(notes) }
    return
  end
  io:print(("Recorded %d step%s: %s"):format(steps, steps == 1 and "" or "s", found.book.path))
  for _, note in ipairs(notes) do io:print("  " .. text.clean(note)) end
  io:print(("Try it with `perigee macro run %s`."):format(name))
end


---@param args {name?: string, stop?: boolean, title?: string, rows?: boolean, no_pictures?: boolean, json?: boolean}
---@param io perigee.IO
function M.run(args, io)
  if args.stop then return stop(io, args) end
  local name, err, code = name_of(args.name)
  if not name then return nil, err, code end
  local found
  found, err, code = recording.begin(name, { title = args.title, pictures = not args.no_pictures })
  if not found then return nil, err, code end
  args.session = found
  found.told = function()
    io:progress(found.book.steps, nil, ("step%s recorded"):format(found.book.steps == 1 and "" or "s"))
  end
  code, err = recording.run(found, name, function(seen)
    io:say(("Recording the macro %s.%s Ctrl+Alt+Esc ends it, and so does `perigee record --stop`.\n"):format(name,
      seen and "" or " The desktop shows no notification of it."))
  end)
  io:progress()
  if found.book.steps == 0 and not found.problem then
    return nil, (err and err .. ". " or "") .. "Nothing was recorded, so there is no macro"
  end
  local hint = offer(io, args, found)
  report(io, args, name, found)
  if hint and not args.json then io:print(hint) end
  if found.problem then return nil, "the last steps were not saved: " .. found.problem end
  if code ~= "stopped" and code ~= "asked" then return nil, err, code end
  return 0
end


--- After Ctrl-C: the steps up to then are saved.
function M.cancelled(args)
  if args.session then args.session:finish() end
end


return M
