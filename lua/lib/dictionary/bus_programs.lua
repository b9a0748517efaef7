--- The programs on the session's bus that can be called: those with a name, and those whose windows say where they are.
--
-- Nothing is started: the bus alone is asked, and the display. What a window says counts only if the bus has the same process
-- for that connection.

local dbus   = require "sys.dbus"
local window = require "sys.window"

local M = {}

local BUS, PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
local MOST = 1000      -- names that are looked at
local WAIT = 2         -- seconds for the bus itself

---@class dictionary.BusProgram
---@field unique string    the connection: ":1.7"
---@field names string[]   that it owns, sorted
---@field pid? integer
---@field windows sys.window.Export[]  that say so of it, the frontmost first


local function of_bus(member, name)
  return { to = BUS, path = PATH, interface = BUS, member = member, signature = name and "s" or nil,
    args = name and { name } or nil }
end


--- Asks the bus the same about each name. Names whose owner has ended meanwhile have no answer.
local function ask_each(member, names)
  local calls, told = {}, {}
  for i, name in ipairs(names) do calls[i] = of_bus(member, name) end
  if #calls == 0 then return told end
  local answers, err, code = dbus.calls("session", calls, { timeout = WAIT })
  if not answers then return nil, err, code end
  for i, name in ipairs(names) do told[name] = answers[i].values and answers[i].values[1] end
  return told
end


--- The names that belong to programs, and the unique names.
local function names_of(list)
  local known, unique = {}, {}
  for i = 1, math.min(#list, MOST) do
    local name = list[i]
    if name:sub(1, 1) == ":" then unique[name] = true elseif name ~= BUS then known[#known + 1] = name end
  end
  table.sort(known)
  return known, unique
end


local function add_windows(programs, unique, exports)
  for _, each in ipairs(exports) do
    if unique[each.bus] then
      programs[each.bus] = programs[each.bus] or { unique = each.bus, names = {}, windows = {} }
      table.insert(programs[each.bus].windows, each)
    end
  end
end


--- Takes out windows of other processes than the connection's, and programs that nothing else names.
local function check_windows(program)
  local kept = {}
  for _, each in ipairs(program.windows) do
    if each.pid ~= 0 and each.pid == program.pid then kept[#kept + 1] = each end
  end
  program.windows = kept
  return #kept > 0 or #program.names > 0
end


--- Lists the programs, by their connections.
---@return dictionary.BusProgram[]? programs
---@return string? err
---@return string? code  "no_bus", "timeout", "module_missing" (there is no D-Bus), or of the policy
function M.list()
  local answers, err, code = dbus.calls("session", { of_bus "ListNames" }, { timeout = WAIT })
  if not answers then return nil, err, code end
  if not answers[1].values then return nil, answers[1].text or answers[1].error, "failed" end
  local names, unique = names_of(answers[1].values[1])
  local owners
  owners, err, code = ask_each("GetNameOwner", names)
  if not owners then return nil, err, code end
  local programs = {}
  for _, name in ipairs(names) do
    local owner = owners[name]
    if owner then
      programs[owner] = programs[owner] or { unique = owner, names = {}, windows = {} }
      table.insert(programs[owner].names, name)
    end
  end
  add_windows(programs, unique, window.exports() or {})
  local connections = {}
  for each in pairs(programs) do connections[#connections + 1] = each end
  table.sort(connections)
  local pids
  pids, err, code = ask_each("GetConnectionUnixProcessID", connections)
  if not pids then return nil, err, code end
  local list = {}
  for _, each in ipairs(connections) do
    programs[each].pid = pids[each]
    if check_windows(programs[each]) then list[#list + 1] = programs[each] end
  end
  return list
end


return M
