--- Questions to an application on the accessibility bus (AT-SPI), with one time limit for all of them together.

local dbus = require "sys.dbus"
local time = require "sys.time"

local M = {}

local PROPERTIES = "org.freedesktop.DBus.Properties"
local NO_REPLY = "org.freedesktop.DBus.Error.NoReply"

M.ROOT = "/org/a11y/atspi/accessible/root"
M.ACCESSIBLE = "org.a11y.atspi.Accessible"
M.REGISTRY = "org.a11y.atspi.Registry"


---@class read_back.Talk
---@field bus string    the address
---@field ends number   the end of the time, a time of time.monotonic()
---@field late? boolean the time was over before all answers came

---@return sys.dbus.Answer[]? answers  nil: the bus is gone, or the time is over
function M.ask(talk, calls)
  local left = talk.ends - time.monotonic()
  if left <= 0 then
    talk.late = true
    return nil
  end
  local answers, _, code = dbus.calls(talk.bus, calls, { timeout = left })
  talk.late = talk.late or code == "timeout"
  for _, answer in ipairs(answers or {}) do talk.late = talk.late or answer.error == NO_REPLY end
  return answers
end


--- The first value that a call returned.
---@param answer sys.dbus.Answer?
function M.value(answer) return answer and answer.values and answer.values[1] end


function M.call(object, interface, member, signature, args)
  return { to = object[1], path = object[2], interface = interface, member = member, signature = signature, args = args }
end


function M.property(object, interface, name) return M.call(object, PROPERTIES, "Get", "ss", { interface, name }) end


function M.has(states, bits) return states ~= nil and states[1] & bits == bits end


return M
