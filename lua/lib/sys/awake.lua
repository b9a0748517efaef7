--- sys.awake: keeps the display or the machine awake, and locks the session.
--
--     local awake = require "sys.awake"
--     local time  = require "sys.time"
--
--     local talk = assert(awake.keep { reason = "a presentation" })   -- in a service or a script
--     time.sleep(3600)
--     talk:release()
--
--     assert(awake.lock())

local backend = require "awake.backend"
local handles = require "handles"
local options = require "events.options"

local M = {}

local WHERE = "sys.awake.keep"


---@class sys.awake.Handle: Handle
---@field reason string
---@field release fun(self: sys.awake.Handle)  lets the machine sleep again; the end of the service or script does the same

--- Keeps the machine from sleeping by itself, and its display from going dark or being locked, until the handle is released or
--- its service or script ends. The user can still send it to sleep, or lock it. On Linux the services of the session do this:
--- if one is started later, it is told as well.
---@param wanted {reason: string, display?: boolean}  reason: for the user, whose system may show it. display: false lets the
---                                                   display go dark (default: true)
---@return sys.awake.Handle? handle
---@return string? err
---@return string? code  "no_awake" (no service does this here: the message names some), "not_lasting", "not_supported",
---                      "timeout", "dry_run"
function M.keep(wanted)
  local given = options.check(WHERE, wanted, { reason = "string", display = "boolean" })
  if not given.reason or given.reason == "" then error(WHERE .. ": pass a reason", 2) end
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  local hold
  hold, err, code = system.hold(given.reason, given.display ~= false)
  if not hold then return nil, err, code end
  local handle
  local function release(self)
    hold:close()
    self.anchor:stop()
  end
  handle, err, code = handles.new(WHERE .. " " .. given.reason, function()
    local held <close> = hold
    held:watch()
  end, { reason = given.reason, release = release, stop = release })
  if not handle then hold:close() end
  return handle, err, code
end


--- Locks the session, and returns when it is locked.
---@return true? locked
---@return string? err
---@return string? code  "no_lock" (nothing locks the session here: the message says what does), "not_supported", "timeout" (it
---                      was asked, and is not locked yet), "dry_run"
function M.lock()
  local system, err, code = backend.get()
  if not system then return nil, err, code end
  return system.lock()
end


return M
