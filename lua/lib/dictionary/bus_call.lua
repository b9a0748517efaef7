--- Calls over D-Bus as a caller asks for them: checked before anything is sent, and their effect read back.
--
-- The effect is "read" (nothing was to change), "changed" or "unchanged" (what was read afterwards says so), "seen" (something of
-- the program changed meanwhile), or "unknown". That a program answered without an error is no effect.

local actions       = require "dictionary.actions"
local app           = require "sys.app"
local arguments     = require "dictionary.bus_arguments"
local bus_settling  = require "dictionary.bus_settling"
local connection    = require "dbus.connection"
local desktop       = require "dictionary.desktop"
local desktop_entry = require "dictionary.desktop_entry"
local json          = require "sys.json"
local reading       = require "dbus.reading"
local signature     = require "dbus.signature"
local task          = require "sys.task"
local watch         = require "dictionary.bus_watch"

local M = {}

local ANSWER = 1   -- seconds for the answer of a program that has opened a window
local NUMBERS = { "i", "u", "x", "t", "d", "n", "q", "y" }   -- types that the state of an action may have

---@class dictionary.BusWish
---@field args? any[]|table<string, any>
---@field state? any      for an action: the state that it shall have
---@field path? string
---@field timeout number

---@class dictionary.BusReport
---@field effect "read"|"changed"|"unchanged"|"seen"|"unknown"
---@field result? any
---@field before? any  the state or the value before and after
---@field after? any
---@field seen? string[]
---@field note? string


--- An error that came over the bus, with the name that the program gave it.
local function failed(err, code, name)
  if name and not err:find(name, 1, true) then err = ("%s (%s)"):format(err, name) end
  if code == "timeout" then err = err .. ". Whether it was done is unknown: look before you call it again" end
  return nil, err, code
end


--- The values of an answer: none, one, or a list of them.
local function told(gives, values)
  local kinds, list = signature.types(gives or ""), json.array {}
  for i, value in ipairs(values) do list[i] = kinds[i] and signature.told(kinds[i], value) or value end
  if #list == 0 then return nil end
  if #list == 1 then return list[1] end
  return list
end


--- The arguments for a member, converted; an error names it.
local function converted(member, args, wanted, parameters)
  local list, err, code = arguments.convert(args, wanted, parameters)
  if not list then return nil, ("%s: %s"):format(member.label, err), code end
  return list
end


--- The report of a change that the program has answered to, and that cannot be read back: it may have ended by then.
local function unread(before, err)
  return { effect = "unknown", before = before,
    note = ("the program answered, and could not be asked afterwards: %s"):format(err) }
end


-- --- methods ----------------------------------------------------------------------------------------

local function call_method(bus, member, wish, pid)
  local call = member.call
  local args, err, code = converted(member, wish.args, call.signature, member.parameters)
  if not args then return nil, err, code end
  local reads = reading.is(call.interface, call.member)
  local path = wish.path or call.path
  local watching = not reads and watch.begin(bus, call, pid)
  local values, name
  local message = { kind = "call", to = call.to, path = path, interface = call.interface, member = call.member,
    signature = call.signature ~= "" and call.signature or nil, args = call.signature ~= "" and args or nil }
  if call.no_reply then
    values, err, code = bus.wire:send(message)
    values = values and {}
  else
    message.timeout = wish.timeout
    values, err, code, name = bus:call(message)
  end
  if not values and code == "timeout" and watching then
    local seen = watching:finish()
    if #seen > 0 then err = ("%s. Meanwhile: %s"):format(err, table.concat(seen, "; ")) end
  end
  if not values then return failed(err, code, name) end
  local report = { effect = "read", result = told(call.gives, values) }
  if watching then
    report.seen = watching:finish()
    report.effect = #report.seen > 0 and "seen" or "unknown"
  end
  return report
end


-- --- properties -------------------------------------------------------------------------------------

local function get_property(bus, call, path)
  local values, err, code, name = bus:call { to = call.to, path = path, interface = "org.freedesktop.DBus.Properties",
    member = "Get", signature = "ss", args = { call.interface, call.member } }
  if not values then return failed(err, code, name) end
  return { told(call.signature, values) }
end


local function set_property(bus, member, wish, path)
  local call = member.call
  if call.access == "r" then return nil, ("%s is read-only. Leave args out to read it"):format(member.label), "bad_argument" end
  local args, err, code = converted(member, wish.args, call.signature, { { name = "value" } })
  if not args then return nil, err, code end
  local wanted = json.encode(signature.told(call.signature, args[1]))
  local settling = call.access == "rw" and bus_settling.of_property(bus, call, path)
  local before = call.access == "rw" and get_property(bus, call, path)
  local values, name
  values, err, code, name = bus:call { to = call.to, path = path, interface = "org.freedesktop.DBus.Properties", member = "Set",
    signature = "ssv", args = { call.interface, call.member, { call.signature, args[1] } }, timeout = wish.timeout }
  if not values then return failed(err, code, name) end
  if call.access == "w" then return { effect = "unknown", note = "the property cannot be read" } end
  local after
  after, err = settling:read(function() return get_property(bus, call, path) end,
    function(now) return json.encode(now[1]) == wanted end)
  if not after then return unread(before and before[1], err) end
  local changed = json.encode(before and before[1]) ~= json.encode(after[1])
  return { effect = changed and "changed" or "unchanged", before = before and before[1], after = after[1],
    note = json.encode(after[1]) ~= wanted and "the property has another value than the one that was set" or nil }
end


local function use_property(bus, member, wish)
  local path = wish.path or member.call.path
  if wish.args and next(wish.args) ~= nil then return set_property(bus, member, wish, path) end
  if member.call.access == "w" then return nil, ("%s cannot be read, only written"):format(member.label), "bad_argument" end
  local value, err, code = get_property(bus, member.call, path)
  if not value then return nil, err, code end
  return { effect = "read", result = value[1] }
end


-- --- actions ----------------------------------------------------------------------------------------

local function describe(bus, call, path)
  local values, err, code, name = bus:call(actions.question(call.to, path, call.member))
  if not values then return failed(err, code, name) end
  return actions.read(call.member, values[1])
end


--- The types that a state may have, as JSON has fewer types of numbers than D-Bus. A wrong one is refused by the program without
--- an effect.
local function state_types(action)
  if type(action.state) == "boolean" then return { "b" } end
  if type(action.state) == "string" then return { action.type == "o" and "o" or "s" } end
  if type(action.state) ~= "number" then return { action.type ~= "" and action.type or "v" } end
  local list = {}
  if action.type ~= "" then list[1] = action.type end
  return table.move(NUMBERS, 1, #NUMBERS, #list + 1, list)
end


local function set_state(bus, member, path, action, wish)
  local call, label = member.call, member.label
  local err, code, name, values = nil, nil, nil, nil
  for _, kind in ipairs(state_types(action)) do
    local value, misfit = signature.convert(kind, wish.state, label .. ": state")
    if value == nil then
      err, code = err or misfit, code or "bad_argument"
    else
      values, err, code, name = bus:call { to = call.to, path = path, interface = call.interface, member = "SetState",
        signature = "sva{sv}", args = { call.member, { kind, value }, json.object {} }, timeout = wish.timeout }
      if values or not (name or ""):find "InvalidArgs$" then break end
    end
  end
  if values then return true end
  return failed(err, code, name)
end


--- Sends a message whose answer says nothing but that it has come. A program may open a dialog and answer when that is closed:
--- then the window that it opened is enough.
---@return boolean? answered  false: it opened a window and has not answered yet
local function do_and_watch(bus, message, watching)
  local answers, windows = task.channel(1), task.channel(1)
  local work <close> = task.spawn(function()
    local _ <close> = answers
    answers:send(table.pack(bus:call(message)))
  end)
  if not work then return nil, "too many tasks run in this call", "too_many_tasks" end
  local _ <close> = watching and task.spawn(function()
    if watching:await_window() then windows:send(true) end
  end)
  local which, answer = task.select({ answers, windows })
  if which == 2 then which, answer = task.select({ answers }, ANSWER) end
  if not which then return false end
  if not answer then return work:join() end
  if answer[1] then return true end
  return failed(table.unpack(answer, 2, 4))
end


local function seen_report(watching, answered)
  local seen = watching:finish()
  return { effect = #seen > 0 and "seen" or "unknown", seen = seen,
    note = not answered and "the program has not answered yet: it may wait until its dialog is closed" or nil }
end


local function activation(call, path, parameter, wish)
  return { to = call.to, path = path, interface = call.interface, member = "Activate", signature = "sava{sv}",
    args = { call.member, json.array(parameter and { parameter } or {}), json.object {} }, timeout = wish.timeout }
end


--- The parameter of an action as the bus takes it; false if it has none.
local function parameter_of(action, member, wish)
  local parameters = action.type ~= "" and { { name = "parameter" } } or {}
  local args, err, code = converted(member, wish.args, action.type, parameters)
  if not args then return nil, err, code end
  return action.type ~= "" and { action.type, args[1] } or false
end


--- True if the state is the one that is wanted, or, without a wish, another one than before.
local function is_settled(now, before, wanted)
  if wanted ~= nil then return json.encode(now.state) == json.encode(wanted) end
  return json.encode(now.state) ~= json.encode(before.state)
end


local function compared(before, after, wish)
  local same = json.encode(before.state) == json.encode(after.state)
  local given = wish.state ~= nil or wish.args ~= nil and next(wish.args) ~= nil
  local report = { effect = same and "unchanged" or "changed", before = before.state, after = after.state }
  if wish.state ~= nil and json.encode(after.state) ~= json.encode(wish.state) then
    report.note = "the action has another state than the one that was set"
  elseif not same and given and (type(after.state) == "string" or type(after.state) == "number") then
    report.note = ("programs take any %s as a state: look whether it means something to this one"):format(
      type(after.state) == "string" and "text" or "number")
  elseif wish.state == nil and type(before.state) == "boolean" and not same then
    report.note = "each call of this action toggles its state. To set one, pass state"
  end
  return report
end


--- Looks whether an action can be done now; a program answers without an error even if it cannot.
local function ready(bus, member, wish, path)
  local call = member.call
  local before, err, code = describe(bus, call, path)
  if not before then return nil, err, code end
  if not before.enabled then
    return nil, ("%s is disabled now, so nothing was called. The application may lack what it needs (a document, a selection), "
      .. "or show a dialog that holds it: look with get_ui_tree, or close it with handle_dialog"):format(member.label), "disabled"
  end
  if wish.state == nil then return before end
  if not before.stateful then return nil, ("%s has no state. Leave state out"):format(member.label), "bad_argument" end
  if wish.args and next(wish.args) ~= nil then return nil, "give either args or state, not both", "bad_argument" end
  return before
end


--- The state that is wanted. Some clients send "true" for true where any type is allowed.
local function wanted_state(state, before)
  if type(state) ~= "string" or type(before) ~= "boolean" and type(before) ~= "number" then return state end
  local value = json.decode(state)
  if type(value) == type(before) then return value end
  return state
end


local function do_action(bus, member, wish, pid)
  local call, path = member.call, wish.path or member.call.path
  local before, err, code = ready(bus, member, wish, path)
  if not before then return nil, err, code end
  wish.state = wanted_state(wish.state, before.state)
  local parameter
  if wish.state == nil then
    parameter, err, code = parameter_of(before, member, wish)
    if parameter == nil then return nil, err, code end
  end
  local settling = before.stateful and bus_settling.of_action(bus, call, path)
  local watching = not before.stateful and watch.begin(bus, call, pid, path)
  local answered
  if wish.state ~= nil then
    answered, err, code = set_state(bus, member, path, before, wish)
  else
    answered, err, code = do_and_watch(bus, activation(call, path, parameter, wish), watching)
  end
  if answered == nil then return nil, err, code end
  if watching then return seen_report(watching, answered) end
  local after
  after, err = settling:read(function() return describe(bus, call, path) end,
    function(now) return is_settled(now, before, wish.state) end)
  if not after then return unread(before.state, err) end
  return compared(before, after, wish)
end


-- --- desktop actions --------------------------------------------------------------------------------

--- The words of a command line behind those of the entry's own; nil if it begins with others.
local function behind(argv, own)
  for i, word in ipairs(own) do
    if argv[i] ~= word then return nil end
  end
  return table.move(argv, #own + 1, #argv, 1, {})
end


--- Runs the command line of a desktop action.
local function open(call, wish)
  local entries, err, code = desktop.entries()
  if not entries then return nil, err, code end
  local entry, argv = entries[call.entry]
  argv, err, code = desktop_entry.argv(call.exec, entry)
  if not argv then return nil, err, code end
  local own = desktop_entry.argv(entry.exec, entry)
  local rest = own and behind(argv, own)
  local watching = watch.of_windows()
  local opened
  opened, err, code = app.open { name = rest and entry.id or argv[1], arguments = rest or table.move(argv, 2, #argv, 1, {}),
    new = true, wait = wish.timeout }
  if not opened then return nil, err, code end
  watching.pid = opened.app.pid
  local seen = watching:finish()
  return { effect = #seen > 0 and "seen" or "unknown", note = opened.note, seen = seen }
end


local function do_desktop_action(bus, member, wish, pid)
  local call = member.call
  local args, err, code = converted(member, wish.args, "", {})
  if not args then return nil, err, code end
  -- the bus would start a program that does not run: that is done by its command line, as the user would
  if not call.to or not bus:has_owner(call.to) then return open(call, wish) end
  local watching = watch.begin(bus, call, pid)
  local answered
  answered, err, code = do_and_watch(bus, { to = call.to, path = call.path, interface = call.interface, member = "ActivateAction",
    signature = "sava{sv}", args = { call.member, json.array {}, json.object {} }, timeout = wish.timeout }, watching)
  if answered == nil then return nil, err, code end
  return seen_report(watching, answered)
end


local KINDS = { method = call_method, property = use_property, action = do_action, desktop = do_desktop_action }


--- Calls a member.
---@param member dictionary.BusMember
---@param wish dictionary.BusWish
---@param pid? integer  of the program, whose windows are watched
---@return dictionary.BusReport? report
---@return string? err
---@return string? code  "bad_argument", "disabled", "timeout", "no_service", "denied", "failed" (the program refused), "no_bus",
---                      or of the policy
function M.run(member, wish, pid)
  if wish.state ~= nil and member.call.kind ~= "action" then
    return nil, ("%s is not an action and has no state. Leave state out"):format(member.label), "bad_argument"
  end
  local bus, err, code = connection.open "session"
  if not bus then return nil, err, code end
  local _ <close> = bus
  return KINDS[member.call.kind](bus, member, wish, pid)
end


return M
