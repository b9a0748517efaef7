--- Names of programs on a D-Bus: one program may have several, and a unique one (":1.5").

local dbus   = require "sys.dbus"
local policy = require "sys.policy"

local M = {}

local BUS, PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
local MOST = 1000   -- names that are looked at


--- Asks the bus itself. What the judge asks for is no effect of the call.
local function ask(bus, calls)
  for _, each in ipairs(calls) do each.to, each.path, each.interface = BUS, PATH, BUS end
  local own = policy.memory().own
  local was = own(true)
  local _ <close> = setmetatable({}, { __close = function() own(was) end })
  return dbus.calls(bus, calls, { timeout = 2 })
end


local function owner_of(name) return { member = "GetNameOwner", signature = "s", args = { name } } end


--- The other names of the program that a message goes to. nil: they cannot be told.
---@param bus string   as sys.dbus.calls() takes it
---@param to string
---@return string[]?
function M.others(bus, to)
  if to == BUS or to == "" then return {} end
  local first, _, code = ask(bus, { owner_of(to), { member = "ListNames" } })
  if code == "no_bus" then return {} end   -- then no program gets it
  local names = first and first[2].values and first[2].values[1]
  if not names or #names > MOST then return nil end
  local owner, calls = first[1].values and first[1].values[1], {}
  if not owner then return {} end   -- no program has the name
  for i, name in ipairs(names) do calls[i] = owner_of(name) end
  local answers, list = ask(bus, calls), {}
  for i, name in ipairs(answers and names or {}) do
    local its = answers[i].values
    if its and its[1] == owner and name ~= to then list[#list + 1] = name end
  end
  return answers and list
end


return M
